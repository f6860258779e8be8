// How often a right kernel touches memory: the closed forms that counts are held against.
#include <algorithm>
#include <set>

#include "problem/problem.h"

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
    const uint64_t across = valid_taps(problem.in.width, problem.filter.width / 2);
    return double(problem.in.channels) * double(across * valid_rows(problem));
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
            const int sectors = (end - 1) / 8 - begin / 8 + 1;
            sum.requests += 1;
            sum.sectors += sectors;
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
    const double rows = double(valid_rows(problem));
    return {one.requests * rows, one.sectors * rows};
}

row_loads loads_by_sweep(const problem_2d& problem, const block_tile& how, bool rows_on_sectors) {
    constexpr int WARP = 32, SECTOR = 8;  // threads, floats
    const image& in = problem.in;
    const int row_values = in.width * in.channels;
    const int pitch = rows_on_sectors ? (row_values + SECTOR - 1) / SECTOR * SECTOR : row_values;
    const int threads = how.block_width * how.block_height;
    row_loads sum;
    // One load by all threads of a block whose first one has this cell of the tile at (left, top).
    const auto load = [&](int left, int top, int column, int row, int channel) {
        for (int first = 0; first < threads; first += WARP) {
            std::set<int> touched;
            for (int thread = first; thread < std::min(first + WARP, threads); thread++) {
                const int tile_x = column + thread % how.block_width;
                const int tile_y = row + thread / how.block_width;
                const int x = left + tile_x, y = top + tile_y;
                const bool in_tile = tile_x < how.out_width + problem.filter.width - 1 &&
                                     tile_y < how.out_height + problem.filter.height - 1;
                if (in_tile && x >= 0 && x < in.width && y >= 0 && y < in.height)
                    touched.insert((y * pitch + x * in.channels + channel) / SECTOR);
            }
            sum.requests += !touched.empty();
            sum.sectors += double(touched.size());
        }
    };
    const int halo_x = problem.filter.width / 2, halo_y = problem.filter.height / 2;
    for (int channel = 0; channel < in.channels; channel++) {
        for (int top = -halo_y; top + halo_y < in.height; top += how.out_height) {
            for (int left = -halo_x; left + halo_x < in.width; left += how.out_width) {
                for (int row = 0; row < how.out_height + 2 * halo_y; row += how.block_height) {
                    for (int column = 0; column < how.out_width + 2 * halo_x; column += how.block_width)
                        load(left, top, column, row, channel);
                }
            }
        }
    }
    return sum;
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
