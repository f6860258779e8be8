// The size of a sample, and its outputs beside the truth.
#include "problem/sample.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "problem/compare.h"

namespace check {

namespace {

constexpr double TAPS = 1e8;
constexpr size_t COMPARED = 2000;

uint64_t parts_of(double taps) {
    return uint64_t(std::max(1.0, std::ceil(taps / TAPS)));
}

template <class problem>
std::string wrong_output(std::span<const float> out, const problem& p) {
    std::vector<size_t> computed;
    for (size_t k = 0; k < out.size(); k++) {
        if (!std::isnan(out[k])) computed.push_back(k);
    }
    if (computed.empty()) return "no output was computed";
    std::vector<size_t> compared;
    for (const size_t k : spread_places(computed.size(), COMPARED))
        compared.push_back(computed[k]);
    return first_wrong_at(compared, out, convolve_cpu(p, compared), shape_of(p));
}

}  // namespace

uint64_t one_of_blocks(const problem_1d& problem) {
    return parts_of(all_taps(problem));
}
uint64_t one_of_blocks(const problem_2d& problem) {
    return parts_of(all_taps(problem));
}

std::string wrong_in_sample(std::span<const float> out, const problem_1d& problem) {
    return wrong_output(out, problem);
}
std::string wrong_in_sample(std::span<const float> out, const problem_2d& problem) {
    return wrong_output(out, problem);
}

}  // namespace check
