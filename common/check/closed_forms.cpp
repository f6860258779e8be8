// How often a right kernel touches memory: the closed forms that counts are held against.
#include <algorithm>

#include "check/problem.h"

namespace check {

uint64_t valid_taps(int n, int radius) {
    uint64_t sum = 0;
    for (int j = -radius; j <= radius; j++)
        sum += uint64_t(std::max(0, n - std::abs(j)));
    return sum;
}

double inside_taps(const problem_1d& problem) {
    return double(valid_taps(problem.n(), problem.radius()));
}

double inside_taps(const problem_2d& problem) {
    const image& in = problem.in;
    const uint64_t across = valid_taps(in.width, problem.filter.width / 2);
    return double(in.channels) * double(across * valid_taps(in.height, problem.filter.height / 2));
}

double all_taps(const problem_1d& problem) {
    return double(problem.in.size()) * double(problem.taps.size());
}

double all_taps(const problem_2d& problem) {
    return double(problem.in.pixels.size()) * double(problem.filter.taps.size());
}

namespace {

row_loads loads_of_row(int values, int radius, int step) {
    row_loads sum;
    for (int warp = 0; warp < values; warp += 32) {
        for (int j = -radius; j <= radius; j++) {
            const int begin = std::max(warp + j * step, 0);
            const int end = std::min(std::min(warp + 32, values) + j * step, values);
            if (begin >= end) continue;
            sum.requests += 1;
            sum.sectors += (end - 1) / 8 - begin / 8 + 1;
        }
    }
    return sum;
}

}  // namespace

row_loads loads_by_rows(const problem_1d& problem) {
    return loads_of_row(problem.n(), problem.radius(), 1);
}

row_loads loads_by_rows(const problem_2d& problem) {
    const image& in = problem.in;
    const row_loads one = loads_of_row(in.width * in.channels, problem.filter.width / 2, in.channels);
    const double rows = double(valid_taps(in.height, problem.filter.height / 2));
    return {one.requests * rows, one.sectors * rows};
}

uint64_t clipped_tiles(int n, int tile, int radius) {
    uint64_t sum = 0;
    for (int64_t begin = 0; begin < n; begin += tile) {
        const int64_t last = std::min<int64_t>(n, begin + tile + radius);
        const int64_t first = std::max<int64_t>(0, begin - radius);
        sum += uint64_t(last - first);
    }
    return sum;
}

}  // namespace check
