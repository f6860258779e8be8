// Finds the marks of measured numbers in a text, fills values and checks claims.
#include "author/quoted_values.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <regex>
#include <stdexcept>

#include "author/changed.h"
#include "author/formulas.h"

namespace author {
namespace {

const std::regex VALUE(QUOTED_VALUE);
const std::regex CLAIM(R"(<!--\? ([^<>]*?)\s*-->)");

std::string times_written(double ratio) {
    return written(ratio < 10 ? "%.2f" : ratio < 100 ? "%.1f" : "%.0f", ratio);
}

std::string one_written(const std::string& how, double value) {
    if (how == "ms") return written_ms(value);
    if (how == "percent") return written("%.0f", std::round(100 * value) + 0.0);  // not "-0"
    if (how == "times") return times_written(value);
    if (how.size() == 2 && how[0] == '.') return written(("%" + how + "f").c_str(), value);
    throw std::runtime_error("'" + how +
                             "' in a value: must be ms, percent, times, mean, verdict or .0 to .9");
}

/// A comparison of two formulas, "A below B for 3x3,9x9".
struct comparison {
    std::string text;
    std::vector<double> differences;
    long kept = 0;  // by how many of them
};

comparison compare(const std::string& text, recorded_data& data) {
    static const std::regex parts(R"(([^]*?)\s+(below|above)\s+([^]*?)(\s+for\s+\S+)?)");
    std::smatch part;
    if (!std::regex_match(text, part, parts))
        throw std::runtime_error("'" + text + "' in a text: must be FORMULA below FORMULA, or above");
    const double sign = part[2] == "above" ? 1 : -1;
    comparison result{
        text, values_of("( " + part[1].str() + " ) - ( " + part[3].str() + " )" + part[4].str(), data)};
    result.kept = std::count_if(result.differences.begin(), result.differences.end(),
                                [&](double difference) { return sign * difference > 0; });
    return result;
}

std::string verdict_written(const comparison& what) {
    const long all = long(what.differences.size());
    if (what.kept == all) return "yes";
    return what.kept == 0 ? "no" : "for " + std::to_string(what.kept) + " of " + std::to_string(all);
}

std::string written_value(const std::string& how, const std::string& formula, recorded_data& data) try {
    if (how == "verdict") return verdict_written(compare(formula, data));
    const std::vector<double> values = values_of(formula, data);
    if (how == "mean")
        return times_written(std::accumulate(values.begin(), values.end(), 0.0) / double(values.size()));
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
            const comparison claim = compare((*one)[1], data);
            const auto [least, most] =
                std::minmax_element(claim.differences.begin(), claim.differences.end());
            if (claim.kept < long(claim.differences.size()))
                broken.push_back(claim.text + " does not hold: the difference is " + written("%.4g", *least) +
                                 " to " + written("%.4g", *most));
        } catch (const not_recorded&) {
        }
    return broken;
}

}  // namespace author
