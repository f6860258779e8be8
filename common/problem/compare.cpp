// Comparison of an output with the truth.
#include "problem/compare.h"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "problem/describe.h"

namespace check {

namespace {

void require_equal_sizes(size_t out, size_t truth) {
    if (out == truth) return;
    throw std::invalid_argument(fmt::format("an output of {} values against a reference of {}", out, truth));
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
    return {problem.in.width, problem.in.height, problem.in.channels, false, problem.in.depth};
}

bool reference::allows(size_t k, float out) const {
    if (!or_zero.empty() && or_zero[k] && out == 0) return true;
    return std::abs(double(out) - value[k]) <= bound[k];  // false for NaN
}

comparison compare(std::span<const float> out, const reference& truth) {
    require_equal_sizes(out.size(), truth.value.size());
    comparison found;
    found.wrong.resize(out.size());
    for (size_t k = 0; k < out.size(); k++) {
        if (truth.allows(k, out[k])) continue;
        if (found.wrong_count == 0) found.first = k;
        found.wrong[k] = true;
        found.wrong_count++;
    }
    return found;
}

bool all_wrong_are_nan(std::span<const float> out, const comparison& found) {
    for (size_t k = 0; k < out.size(); k++) {
        if (found.wrong[k] && !std::isnan(out[k])) return false;
    }
    return true;
}

static std::string wrong_text(size_t k, float got, double right, const shape& where) {
    const std::string text = place(k, where) + ": " + expected_and_got(right, got);
    return std::isnan(got) ? text + " (never written?)" : text;
}

std::string first_wrong(std::span<const float> out, const reference& truth, const comparison& found,
                        const shape& where) {
    if (found.right()) return "";
    return wrong_text(found.first, out[found.first], truth.value[found.first], where);
}

std::vector<size_t> spread_places(size_t values, size_t most) {
    std::vector<size_t> places(std::min(values, most));
    for (size_t k = 0; k < places.size(); k++)
        places[k] = places.size() == 1 ? 0 : k * (values - 1) / (places.size() - 1);
    return places;
}

std::string first_wrong_at(std::span<const size_t> places, std::span<const float> out, const reference& truth,
                           const shape& where) {
    require_equal_sizes(places.size(), truth.value.size());
    for (size_t k = 0; k < places.size(); k++) {
        const float got = out[places[k]];
        if (truth.allows(k, got)) continue;
        return wrong_text(places[k], got, truth.value[k], where);
    }
    return "";
}

double max_error(std::span<const float> out, const reference& truth) {
    require_equal_sizes(out.size(), truth.value.size());
    double largest = 0.0;
    for (size_t k = 0; k < out.size(); k++) {
        const bool is_zero = !truth.or_zero.empty() && truth.or_zero[k] && out[k] == 0;
        const double error = is_zero ? 0 : std::abs(double(out[k]) - truth.value[k]);
        if (!(error <= largest)) largest = error;
        if (std::isnan(error)) return error;
    }
    return largest;
}

}  // namespace check
