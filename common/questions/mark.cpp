// Numbers become steps of a scale, steps become sums.
#include "questions/mark.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <stdexcept>

#include "questions/text.h"

namespace questions {
namespace {

constexpr int ROUNDS = 100;  // of the sum: to try numbers one by one takes longer than to count
constexpr int WITHIN = 8;    // steps of the scale in a tolerance

std::string sum_of(const question& which, int variant, const std::string& step) {
    const std::string seed = which.id + "/" + std::to_string(variant) + "/" + step;
    std::string sum = seed;
    for (int k = 0; k < ROUNDS; k++) {
        char hex[17];
        std::snprintf(hex, sizeof hex, "%016llx", (unsigned long long)hash_of(sum + seed));
        sum = hex;
    }
    return sum;
}

/// The step that a value lies on, and those `within` beside it.
std::vector<std::string> steps_around(double value, double tolerance, int within) {
    if (tolerance == 0 || value == 0) return {written(value + 0.0, "%.10g")};
    const long long step = std::llround(std::log(std::fabs(value)) / std::log1p(tolerance / WITHIN));
    std::vector<std::string> steps;
    for (int k = -within; k <= within; k++)
        steps.push_back((value < 0 ? "-" : "+") + std::to_string(step + k));
    return steps;
}

/// Words that may stand behind a number, by the unit that is asked for.
variables units_of(const std::string& unit) {
    static const variables BYTES = {{"byte", 1},      {"bytes", 1},  {"B", 1},        {"Byte", 1},
                                    {"Bytes", 1},     {"KiB", 1024}, {"KB", 1024},    {"kB", 1024},
                                    {"MiB", 1 << 20}, {"floats", 4}, {"GiB", 1 << 30}};
    static const variables TIME = {{"s", 1}, {"ms", 1e-3}, {"us", 1e-6}, {"ns", 1e-9}};
    static const variables RATE = {{"GFLOP", 1e9}, {"TFLOP", 1e12}, {"MFLOP", 1e6}, {"FLOP", 1}, {"GB", 1e9},
                                   {"TB", 1e12},   {"MB", 1e6},     {"B", 1},       {"s", 1}};
    if (BYTES.count(unit)) return BYTES;
    if (TIME.count(unit)) return TIME;
    if (unit.find("/s") != std::string::npos) return RATE;
    if (unit == "%") return {{"percent", 0.01}};
    if (unit.empty() || unit == "times") return {{"times", 1}, {"x", 1}, {"fold", 1}};
    variables words;
    for (size_t at = 0; at < unit.size();) {
        const size_t end = std::min(unit.find_first_of(" |", at), unit.size());
        const std::string word = unit.substr(at, end - at);
        for (std::string said : {word, word.substr(0, word.size() - (word.back() == 's' ? 1 : 0))}) {
            words[said] = 1;
            said[0] = char(std::toupper((unsigned char)said[0]));
            words[said] = 1;
        }
        at = end + 1;
    }
    return words;
}

/// One unit of what is asked for, where the answer names none: 1024 for KiB.
double asked(const std::string& unit) {
    return unit.empty() || unit == "%" ? 1 : evaluate("1 " + unit, units_of(unit));
}

/// What a number's text may mean: "75" where a percentage is asked for may lack its sign.
std::vector<double> meanings(const question& which, const std::string& answer) {
    const bool bare = answer.find("%") == std::string::npos && answer.find("percent") == std::string::npos;
    const double value = evaluate(answer, units_of(which.unit));
    if (which.unit == "%" && bare) return {value, value / 100};
    const bool has_unit =
        answer.find_first_of("abcdfghijklmnopqrstuvwxyzABCDFGHIJKLMNOPQRSTUVWXYZ") != std::string::npos;
    return {has_unit ? value : value * asked(shown_unit(which))};
}

double key_value(const question& which, const std::string& key, int variant) {
    const double value = evaluate(key, numbers_of(which, variant));
    return which.unit == "%" ? value : value * asked(shown_unit(which));
}

std::string formula_steps(const question& which, const std::string& formula) {
    std::string steps;
    for (const variables& point : points_of(which))
        steps += written(evaluate(formula, point), "%.8g") + " ";
    return steps;
}

std::string letter_of(const question& which, int variant, const std::string& sentence) {
    const auto order = options_of(which, variant);
    return std::string(1, char('A' + (std::find(order.begin(), order.end(), sentence) - order.begin())));
}

bool fits(const question& which, int variant, const std::vector<std::string>& steps) {
    const std::string wanted = digest_of(which, variant);
    return std::any_of(steps.begin(), steps.end(),
                       [&](const std::string& step) { return sum_of(which, variant, step) == wanted; });
}

marked mark_letter(const question& which, int variant, const std::string& answer) {
    const size_t letter =
        answer.size() == 1 ? size_t(std::toupper((unsigned char)answer[0])) - 'A' : MOST_OPTIONS;
    if (letter >= which.options.size())
        return {verdict::unreadable,
                std::string("one letter from A to ") + char('A' + which.options.size() - 1)};
    if (which.right.empty()) return {verdict::kept, "your instructor marks it"};
    return {options_of(which, variant)[letter] == which.right ? verdict::right : verdict::wrong, ""};
}

}  // namespace

std::string digest_of(const question& which, int variant) {
    if (!which.digests.empty()) return which.digests.at(size_t(variant));
    if (which.what == asks_for::formula) return sum_of(which, variant, formula_steps(which, which.key));
    return sum_of(which, variant,
                  steps_around(key_value(which, which.key, variant), which.tolerance, 0).front());
}

marked mark(const question& which, int variant, const std::string& answer) {
    if (answer.empty()) return {verdict::empty, ""};
    if (which.what == asks_for::text) return {verdict::kept, "a person reads it"};
    if (which.what == asks_for::letter) return mark_letter(which, variant, answer);
    try {
        std::vector<std::string> steps;
        if (which.what == asks_for::formula)
            steps.push_back(formula_steps(which, answer));
        else
            for (const double value : meanings(which, answer))
                for (const std::string& step : steps_around(value, which.tolerance, WITHIN))
                    steps.push_back(step);
        return {fits(which, variant, steps) ? verdict::right : verdict::wrong, ""};
    } catch (const std::runtime_error& error) {
        return {verdict::unreadable, error.what()};
    }
}

std::string wrong_answer(const question& which, int variant, const std::string& wrong) {
    if (which.what == asks_for::letter) return letter_of(which, variant, wrong);
    if (which.what != asks_for::number) return wrong;
    const double value = key_value(which, wrong, variant);
    return written(which.unit == "%" ? 100 * value : value / asked(shown_unit(which)), "%.10g") +
           (which.unit.empty() ? "" : " " + shown_unit(which));
}

std::string right_answer(const question& which, int variant) {
    return which.what == asks_for::text
               ? ""
               : wrong_answer(which, variant, which.what == asks_for::letter ? which.right : which.key);
}

}  // namespace questions
