// Changes one value of the input and compares with what both inputs give.
#include "check/blind_call.h"

#include <fmt/format.h>
#include <algorithm>
#include <bit>
#include <cmath>
#include <random>
#include <vector>

#include "problem/compare.h"
#include "problem/describe.h"

namespace check {
namespace {

constexpr int ATTEMPTS = 20;

std::vector<float>& input_of(problem_1d& problem) {
    return problem.in;
}
std::vector<float>& input_of(problem_2d& problem) {
    return problem.in.pixels;
}
const std::vector<float>& taps_of(const problem_1d& problem) {
    return problem.taps;
}
const std::vector<float>& taps_of(const problem_2d& problem) {
    return problem.filter.taps;
}

ptrdiff_t times_in(const std::vector<float>& values, float value) {
    return std::count_if(values.begin(), values.end(), [&](float one) {
        return std::bit_cast<uint32_t>(one) == std::bit_cast<uint32_t>(value);
    });
}

/// The output says which of the two inputs it was computed from.
bool can_be_told_apart(const reference& one, const reference& other) {
    for (size_t k = 0; k < one.value.size(); k++)
        if (std::abs(one.value[k] - other.value[k]) > 4 * (one.bound[k] + other.bound[k])) return true;
    return false;
}

template <class problem_type>
std::optional<blind_problem<problem_type>> blind(const problem_type& problem, uint64_t seed) {
    if (shape_of(problem).values() == 0) return std::nullopt;
    std::mt19937_64 random(seed);
    blind_problem<problem_type> made{problem, 0, {}, convolve_cpu(problem), {}};
    std::vector<float>& in = input_of(made.of_device);
    const float largest = std::abs(
        *std::max_element(in.begin(), in.end(), [](float a, float b) { return std::abs(a) < std::abs(b); }));
    for (int i = 0; i < ATTEMPTS; i++) {
        made.place = random() % in.size();
        const float value = in[made.place];
        // Another sign, and digits that nobody else has.
        const float other =
            std::copysign(largest * float(0.5 + 0.4 * double(random() % 1000003) / 1000003), -value);
        if (value == 0 || times_in(in, value) > 1 || times_in(taps_of(problem), value) > 0) continue;
        if (times_in(in, other) > 0 || times_in(taps_of(problem), other) > 0) continue;
        in[made.place] = other;
        made.truth_of_device = convolve_cpu(made.of_device);
        if (can_be_told_apart(made.truth_of_host, made.truth_of_device)) {
            made.swap = {std::bit_cast<uint32_t>(value), std::bit_cast<uint32_t>(other)};
            return made;
        }
        in[made.place] = value;
    }
    return std::nullopt;
}

template <class problem_type>
std::string by_host(const blind_problem<problem_type>& blind, const std::vector<float>& out,
                    const call_result& result) {
    if (compare(out, blind.truth_of_device).right()) return "";
    const std::string verdict = "no kernel computed these values: ";
    if (result.answered > 0)
        return verdict + fmt::format(
                             "after it had read from the device the host sent {} values there that are "
                             "not the input's; they were changed on their way, and the output shows it",
                             result.answered);
    if (!compare(out, blind.truth_of_host).right()) return "";
    const std::string where = place(blind.place, shape_of(blind.of_device));
    if (result.swapped == 0) return verdict + fmt::format("the device was never given the input's {}", where);
    return verdict +
           fmt::format("the input's {} was changed on its way to the device, and they do not show it", where);
}

}  // namespace

std::optional<blind_problem<problem_1d>> make_blind(const problem_1d& problem, uint64_t seed) {
    return blind(problem, seed);
}
std::optional<blind_problem<problem_2d>> make_blind(const problem_2d& problem, uint64_t seed) {
    return blind(problem, seed);
}

std::string computed_by_host(const blind_problem<problem_1d>& blind, const std::vector<float>& out,
                             const call_result& result) {
    return by_host(blind, out, result);
}
std::string computed_by_host(const blind_problem<problem_2d>& blind, const std::vector<float>& out,
                             const call_result& result) {
    return by_host(blind, out, result);
}

}  // namespace check
