// What is transformed where outputs come from Fourier transforms.
#include <algorithm>

#include "problem/problem.h"

namespace check {

namespace {

/// Such a product divides a power of 210.
bool is_fast(int side) {
    uint64_t rest = 1;
    for (int power = 0; power < 31; power++)
        rest = rest * 210 % uint64_t(side);
    return rest == 0;
}

int pieces(int whole, int piece) {
    return (whole + piece - 1) / piece;
}

}  // namespace

int fast_side(int least) {
    int side = least;
    while (!is_fast(side))
        side++;
    return side;
}

planes planes_of(const problem_2d& problem) {
    const image& in = problem.in;
    const filter& f = problem.filter;
    const int tile = problem.transform_tile.value_or(0);
    if (tile == 0)
        return {fast_side(in.width + f.width / 2), fast_side(in.height + f.height / 2), in.width, in.height,
                1};
    const int across = std::max(1, tile + 1 - f.width), down = std::max(1, tile + 1 - f.height);
    return {tile, tile, across, down, pieces(in.width, across) * pieces(in.height, down)};
}

}  // namespace check
