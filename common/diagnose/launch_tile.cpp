// The outputs that one block of a launch computes.
#include "diagnose/launch_tile.h"

#include <algorithm>
#include <set>

namespace check {

namespace {

constexpr int WARP = 32;    // threads, and banks of shared memory
constexpr int MATRIX = 16;  // rows and columns of the sums that tensor cores make for a warp

int pieces(int size, int tile) {
    return (size + tile - 1) / tile;
}

}  // namespace

output_tile tile_of(const inspect::launch& launch, const problem_2d& problem) {
    const int width = problem.in.width, height = problem.in.slice_height(), channels = problem.in.channels;
    const int blocks_x = int(launch.grid[0]), blocks_y = int(launch.grid[1]);
    const int block_x = int(launch.block[0]), block_y = int(launch.block[1]);
    const int halo_x = problem.filter.width - 1, halo_y = problem.filter.slice_height() - 1;
    const auto fits_grid = [&](int tile_x, int tile_y) {
        return pieces(width, tile_x) == blocks_x && pieces(height, tile_y) == blocks_y;
    };
    std::set<int> widths = {block_x - halo_x, 32, 64};
    for (int factor = 1; factor <= MOST_FACTOR; factor *= 2)
        widths.insert(factor * block_x);
    // Of a volume shared memory may hold one slice of a tile or several.
    const int64_t cells = problem.is_volume() ? 0 : int64_t(launch.dynamic_shared / sizeof(float));
    for (const int tile_x : widths) {
        if (tile_x < 1 || cells == 0 || cells % (tile_x + halo_x) != 0) continue;
        const int tile_y = int(cells / (tile_x + halo_x)) - halo_y;
        if (tile_y >= 1 && fits_grid(tile_x, tile_y))
            return {tile_x, tile_y, tile_x * channels, halo_x + halo_y > 0};
    }
    // Rows with gaps between them, against bank conflicts: less than a warp for each.
    const auto has_gaps = [&](int tile_x, int tile_y) {
        const int64_t rows = tile_y + halo_y, row = tile_x + halo_x;
        return halo_x + halo_y > 0 && cells % rows == 0 && cells / rows > row && cells / rows < row + WARP;
    };
    if (fits_grid(block_x, block_y))
        return {block_x, block_y, block_x * channels, has_gaps(block_x, block_y)};
    // A thread for every pixel of the filtered image that the steps after the filter need.
    int ring_x = 0, ring_y = 0;
    for (const filter& next : problem.gradient) {
        ring_x = std::max(ring_x, next.width - 1);
        ring_y = std::max(ring_y, next.height - 1);
    }
    if (block_x > ring_x && block_y > ring_y && fits_grid(block_x - ring_x, block_y - ring_y))
        return {block_x - ring_x, block_y - ring_y, (block_x - ring_x) * channels, false};
    for (const int tile_x : widths) {
        if (tile_x >= 1 && fits_grid(tile_x, block_y))
            return {tile_x, block_y, tile_x * channels, has_gaps(tile_x, block_y)};
    }
    const int matrices = launch.total.matrix_products > 0 ? block_x * block_y / WARP : 0;  // one a warp
    for (int across = 1; across <= matrices; across++) {
        const int tile_x = across * MATRIX, tile_y = matrices / across * MATRIX;
        if (matrices % across == 0 && fits_grid(tile_x, tile_y))
            return {tile_x, tile_y, tile_x * channels, false};
    }
    const bool by_values =
        pieces(width * channels, block_x) == blocks_x && pieces(height, block_y) == blocks_y;
    if (by_values) return {pieces(block_x, channels), block_y, block_x, false};
    const int share = pieces(width, std::max(1, blocks_x));
    return {share, pieces(height, std::max(1, blocks_y)), share * channels, false};
}

int tile_row_cells(const inspect::report& seen, const problem_2d& problem) {
    if (seen.launches.size() != 1) return 0;
    const inspect::launch& launch = seen.launches[0];
    const output_tile tile = tile_of(launch, problem);
    // A block walks over the outputs in whole steps, or has a thread for every cell, up to 32 rows of them.
    const int block_height = int(launch.block[1]), rows = tile.height + problem.filter.height - 1;
    const bool in_steps = tile.height % block_height == 0;
    const bool a_thread_a_cell = block_height == std::min(rows, 32);
    const int row = tile.width + problem.filter.width - 1, sums = int(launch.block[0]);
    if (launch.dynamic_shared != uint64_t(row) * uint64_t(rows) * sizeof(float))
        return 0;  // gaps behind its rows
    // A tile of one output a thread with the sums of its rows behind it, or a higher tile: who knows?
    const uint64_t both = uint64_t(row + sums) * (block_height + problem.filter.height - 1);
    if (tile.width == sums && launch.dynamic_shared == both * sizeof(float)) return 0;
    return tile.has_halo && (in_steps || a_thread_a_cell) ? row : 0;
}

bool loads_as_many_as_right(const problem_2d& problem, const inspect::report& seen) {
    if (seen.launches.size() != 1) return false;
    const image& in = problem.in;
    // Loads beside all arrays have no name: they are what is left of the total.
    const uint64_t named = seen.of("filter").loads.lanes + seen.of("out").loads.lanes;
    const uint64_t loaded =
        seen.total().global.loads.lanes - std::min(named, seen.total().global.loads.lanes);
    const uint64_t channels = uint64_t(in.channels);
    const int radius_x = problem.filter.width / 2, radius_y = problem.filter.height / 2;
    const output_tile tile = tile_of(seen.launches[0], problem);
    const uint64_t of_taps = uint64_t(inside_taps(problem));
    const uint64_t of_tiles = clipped_tiles(in.width, tile.width, radius_x) *
                              clipped_tiles(in.height, tile.height, radius_y) * channels;
    return loaded == of_taps || (tile.has_halo && loaded == of_tiles);
}

}  // namespace check
