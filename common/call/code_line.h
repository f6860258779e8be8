// Lines of C++ as they are compared: what a student or an author may write otherwise does not count.
#pragma once
#include <sstream>
#include <string>

namespace check {

/// Without its comment, single blanks between words. (A `//` in a string literal is cut, too: it shortens what is
/// compared and does no harm.)
inline std::string code_in(const std::string& line) {
    std::istringstream words(line.substr(0, line.find("//")));
    std::string code;
    for (std::string word; words >> word;)
        code += (code.empty() ? "" : " ") + word;
    return code;
}

}  // namespace check
