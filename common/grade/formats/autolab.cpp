// The last line that Autolab reads.
#include "grade/formats/formats.h"
#include "grade/formats/json.h"

namespace grade {

std::string autolab_line(const report::graded_lab& lab) {
    if (!report::has_mark(lab)) return "";
    const nlohmann::ordered_json line = {{"scores", {{json_line(lab.lab), lab.points}}}};
    return line.dump(-1, ' ', true) + "\n";
}

}  // namespace grade
