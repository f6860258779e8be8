// How the JSON formats write what students gave.
#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "report/escape.h"

namespace grade {

/// Several lines; JSON's own quoting is done by the library.
inline std::string json_text(std::string_view text) {
    return report::visible(text, true);
}

/// One line.
inline std::string json_line(std::string_view text) {
    return report::visible(text, false);
}

/// ASCII alone, so that no reader can take it for another encoding.
inline std::string json_file(const nlohmann::ordered_json& what) {
    return what.dump(2, ' ', true) + "\n";
}

}  // namespace grade
