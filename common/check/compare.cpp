// Comparison of an output with the truth.
#include "check/compare.h"

#include <cmath>
#include <stdexcept>

#include "check/describe.h"

namespace check {

namespace {

void require_equal_sizes(size_t out, size_t truth) {
    if (out == truth) return;
    throw std::invalid_argument("an output of " + std::to_string(out) + " values against a reference of " +
                                std::to_string(truth));
}

/// Both numbers with as few digits as still show that they differ.
std::string expected_and_got(double expected, float got) {
    constexpr int FLOAT_DIGITS = 9;  // enough for any two floats to look different
    int digits = 4;
    while (digits < FLOAT_DIGITS && number(expected, digits) == number(got, digits))
        digits++;
    return "expected " + number(expected, digits) + ", got " + number(got, digits);
}

}  // namespace

shape shape_of(const problem_1d& problem) {
    return {problem.n(), 1, 1, true};
}
shape shape_of(const problem_2d& problem) {
    return {problem.in.width, problem.in.height, problem.in.channels, false};
}

comparison compare(std::span<const float> out, const reference& truth) {
    require_equal_sizes(out.size(), truth.value.size());
    comparison found;
    found.wrong.resize(out.size());
    for (size_t k = 0; k < out.size(); k++) {
        const double error = std::abs(double(out[k]) - truth.value[k]);
        if (error <= truth.bound[k]) continue;  // false for NaN, which is wrong
        if (found.wrong_count == 0) found.first = k;
        found.wrong[k] = true;
        found.wrong_count++;
    }
    return found;
}

std::string first_wrong(std::span<const float> out, const reference& truth, const comparison& found,
                        const shape& where) {
    if (found.right()) return "";
    const float got = out[found.first];
    std::string text = place(found.first, where) + ": " + expected_and_got(truth.value[found.first], got);
    if (std::isnan(got)) text += " (never written?)";
    return text;
}

double max_error(std::span<const float> out, const reference& truth) {
    require_equal_sizes(out.size(), truth.value.size());
    double largest = 0.0;
    for (size_t k = 0; k < out.size(); k++) {
        const double error = std::abs(double(out[k]) - truth.value[k]);
        if (!(error <= largest)) largest = error;
        if (std::isnan(error)) return error;
    }
    return largest;
}

}  // namespace check
