// Finds the marks of measured numbers in a text, fills values and checks claims.
#include "author/quoted_values.h"

#include <algorithm>
#include <cmath>
#include <regex>
#include <stdexcept>

#include "author/changed.h"
#include "author/formulas.h"

namespace author {
namespace {

const std::regex VALUE(QUOTED_VALUE);
const std::regex CLAIM(R"(<!--\? ([^<>]*?)\s+(below|above)\s+([^<>]*?)(\s+for\s+(\S+))?\s*-->)");

std::string times_written(double ratio) {
    return written(ratio < 10 ? "%.2f" : ratio < 100 ? "%.1f" : "%.0f", ratio);
}

std::string one_written(const std::string& how, double value) {
    if (how == "ms") return written_ms(value);
    if (how == "percent") return written("%.0f", std::round(100 * value) + 0.0);  // not "-0"
    if (how == "times") return times_written(value);
    if (how.size() == 2 && how[0] == '.') return written(("%" + how + "f").c_str(), value);
    throw std::runtime_error("'" + how + "' in a value: must be ms, percent, times or .0 to .9");
}

std::string written_value(const std::string& how, const std::string& formula, recorded_data& data) try {
    const std::vector<double> values = values_of(formula, data);
    const auto [least, most] = std::minmax_element(values.begin(), values.end());
    const std::string first = one_written(how, *least), last = one_written(how, *most);
    return first == last ? first : first + " to " + last;
} catch (const not_recorded&) {
    return "(not measured yet)";
}

}  // namespace

std::string with_values(const std::string& text, recorded_data& data) {
    return changed(text, VALUE, [&](const std::smatch& found) {
        const std::string whole = found.str();
        return whole.substr(0, whole.find("-->") + 3) + written_value(found[1], found[2], data) + "<!--/-->";
    });
}

std::vector<std::string> broken_claims(const std::string& text, recorded_data& data) {
    std::vector<std::string> broken;
    for (std::sregex_iterator one(text.begin(), text.end(), CLAIM), end; one != end; ++one)
        try {
            const std::string left = (*one)[1], relation = (*one)[2], right = (*one)[3], filters = (*one)[4];
            const std::string difference = "( " + left + " ) - ( " + right + " )" + filters;
            const std::vector<double> values = values_of(difference, data);
            const bool holds = std::all_of(values.begin(), values.end(), [&](double value) {
                return relation == "below" ? value < 0 : value > 0;
            });
            const auto [least, most] = std::minmax_element(values.begin(), values.end());
            if (!holds)
                broken.push_back(left + " is not " + relation + " " + right + filters +
                                 ": the difference is " + written("%.4g", *least) + " to " +
                                 written("%.4g", *most));
        } catch (const not_recorded&) {
        }
    return broken;
}

}  // namespace author
