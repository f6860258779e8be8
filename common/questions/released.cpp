// Writes questions without what only their markers may know.
#include "questions/mark.h"
#include "questions/question.h"
#include "questions/text.h"

namespace questions {
namespace {

std::string as_written(const std::vector<drawn>& draws) {
    std::string text;
    for (const drawn& one : draws)
        text += (text.empty() ? "" : ", ") + one.as_written;
    return text;
}

std::string line(const std::string& key, const std::string& value) {
    return value.empty() ? "" : key + ": " + value + "\n";
}

}  // namespace

std::string released(const std::vector<question>& all) {
    std::string text;
    for (const question& which : all) {
        text += "[" + which.id.substr(3) + "]\n" + line("text", which.text) + line("unit", which.unit) +
                line("draw", as_written(which.draw)) + line("at", as_written(which.at));
        for (const auto& [name, value] : which.let)
            text += line("let", name + " = " + value);
        text += line("tolerance", written(which.tolerance, "%.10g")) +
                line("points", std::to_string(which.points));
        for (const std::string& option : which.options)
            text += line("option", option);
        for (int variant = 0; !which.key.empty() && variant < variants(which); variant++)
            text += line("digest", digest_of(which, variant));
    }
    return text;
}

}  // namespace questions
