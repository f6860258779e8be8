// A filter applied several times, in double precision, with a bound per value.
#include "problem/passes.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "problem/roundings.h"

namespace check {

namespace {

/// One pass over values v that a float result lies within e of. A sum of m of them times taps t, in any order, lies
/// within sum |t| e + gamma_m sum |t| (|v| + e).
reference pass_over(const reference& before, const problem_2d& problem) {
    const image& in = problem.in;
    const filter& f = problem.filter;
    const double of_sum = gamma(f.taps.size());
    reference after;
    for (int y = 0; y < in.height; y++) {
        for (int k = 0; k < in.width * in.channels; k++) {
            const int x = k / in.channels, channel = k % in.channels;
            double sum = 0, error = 0, magnitude = 0;
            for (int i = 0; i < f.height; i++) {
                const int row = lab::border_index(y + i - f.height / 2, in.height, problem.border);
                for (int j = 0; j < f.width; j++) {
                    const int column = lab::border_index(x + j - f.width / 2, in.width, problem.border);
                    if (row < 0 || column < 0) continue;
                    const size_t place = (size_t(row) * in.width + column) * in.channels + channel;
                    const double tap = f.taps[size_t(i) * f.width + j];
                    sum += tap * before.value[place];
                    error += std::abs(tap) * before.bound[place];
                    magnitude += std::abs(tap) * (std::abs(before.value[place]) + before.bound[place]);
                }
            }
            after.value.push_back(sum);
            after.bound.push_back(error + of_sum * magnitude + std::numeric_limits<float>::min());
        }
    }
    return after;
}

/// Every output.
reference all_passes(const problem_2d& problem) {
    reference values;
    values.value.assign(problem.in.pixels.begin(), problem.in.pixels.end());
    values.bound.assign(problem.in.pixels.size(), 0.0);
    for (int pass = 0; pass < problem.passes; pass++)
        values = pass_over(values, problem);
    return values;
}

/// The part of the image that reaches an output, and the output's place there.
std::pair<problem_2d, size_t> around(size_t output, const problem_2d& problem) {
    const image& in = problem.in;
    const int channel = int(output % in.channels), x = int(output / in.channels % in.width),
              y = int(output / in.channels / in.width);
    const int across = problem.passes * (problem.filter.width / 2),
              down = problem.passes * (problem.filter.height / 2);
    const int left = std::max(x - across, 0), right = std::min(x + across + 1, in.width);
    const int top = std::max(y - down, 0), bottom = std::min(y + down + 1, in.height);
    problem_2d part{{right - left, bottom - top, in.channels, {}}, problem.filter};
    part.border = problem.border;
    part.passes = problem.passes;
    for (int row = top; row < bottom; row++) {
        const auto begin = in.pixels.begin() + (ptrdiff_t(row) * in.width + left) * in.channels;
        part.in.pixels.insert(part.in.pixels.end(), begin, begin + ptrdiff_t(part.in.width) * in.channels);
    }
    return {part, (size_t(y - top) * part.in.width + (x - left)) * in.channels + channel};
}

}  // namespace

reference passes_cpu(const problem_2d& problem, std::span<const size_t> outputs) {
    constexpr size_t MANY = 50;  // of so many outputs one is asked for: then their surroundings overlap
    const bool all_at_once = outputs.size() * MANY >= problem.in.pixels.size();
    const reference whole = all_at_once ? all_passes(problem) : reference{};
    reference truth;
    for (const size_t output : outputs) {
        if (all_at_once) {
            truth.value.push_back(whole.value[output]);
            truth.bound.push_back(whole.bound[output]);
            continue;
        }
        const auto [part, place] = around(output, problem);
        const reference there = all_passes(part);
        truth.value.push_back(there.value[place]);
        truth.bound.push_back(there.bound[place]);
    }
    return truth;
}

}  // namespace check
