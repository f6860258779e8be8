// Checks of lab 09: filters from one tap to the largest tile
// of a block, the limits, and what each memory is asked for.
#include "conv2d_subblocks.h"

#include <algorithm>
#include <tuple>

#include "check/check.h"
#include "check/modes/block_limits.h"
#include "check/session.h"

using namespace check;

namespace {

const method_2d subblocks("subblocks", [](auto& worker, auto& options, auto out, auto& p) {
    return CALL(worker, options, conv2d_subblocks, out, p.in.pixels, p.filter.taps, p.in.width, p.in.height,
                p.filter.width, p.filter.height);
});

constexpr int OUT_TILE = 32;
constexpr int MAX_TAPS = 16384, MAX_THREADS = 1024;

/// Seeded noise under a filter that has no symmetry to hide a mistake behind.
problem_2d noise(int width, int height, int filter_width, int filter_height) {
    return {noise_image(width, height, 1, seed()),
            random_filter(filter_width, filter_height, seed() + 1000 * filter_width + filter_height)};
}

int tiles_over(int size) {
    return (size + OUT_TILE - 1) / OUT_TILE;
}

/// What the tile of a filter takes, in pixels.
struct tile_size {
    int width, height;
    tile_size(int filter_width, int filter_height)
        : width(OUT_TILE - 1 + filter_width), height(OUT_TILE - 1 + filter_height) {}
    explicit tile_size(const filter& f) : tile_size(f.width, f.height) {}
    double pixels() const { return double(width) * height; }
    int bytes() const { return width * height * int(sizeof(float)); }
    int subblock_height() const { return std::min(8, MAX_THREADS / width); }
};

/// Of the image loads: a warp may begin in one row of the tile and end in the next.
double sectors_per_request(const problem_2d& p) {
    const tile_size tile(p.filter);
    return loads_by_sweep(p, {OUT_TILE, OUT_TILE, tile.width, tile.subblock_height()}).sectors_per_request();
}

}  // namespace

TEST_CASE("[10] the worked examples of the handout") {
    const problem_2d row{{4, 3, 1, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}}, {5, 1, {1, 2, 3, 4, 5}, "1..5"}};
    REQUIRE(convolve_cpu(row).value ==
            std::vector<double>{26, 40, 30, 20, 74, 96, 70, 44, 122, 152, 110, 68});
    expect_right_and_clean(subblocks, row);
    // Two tiles below each other: rows 31 and 32 need the last rows of one and the first of the other.
    const problem_2d column{ramp_image(40, 35), {1, 3, {1, 0, -2}, "above less twice below"}};
    REQUIRE(convolve_cpu(column).value[31 * 40 + 7] == 30007 - 2 * 32007);
    REQUIRE(convolve_cpu(column).value[34 * 40 + 7] == 33007);
    expect_right_and_clean(subblocks, column);
}

TEST_CASE("[10] the reference at many sizes") {
    expect_right(subblocks, noise(64, 96, 3, 3));
    expect_right(subblocks, {noise_image(96, 64, 1, seed()), gradient_filter()});  // of the same size
    expect_right(subblocks, noise(96, 64, 5, 3));
    expect_right(subblocks, noise(96, 40, 3, 7));
    expect_right(subblocks, noise(128, 64, 9, 9));
    expect_right(subblocks, {checkerboard_image(64, 64), gaussian_filter(27, 3.2)});
    expect_right(subblocks, {impulse_image(64, 40, 33, 7), random_filter(7, 11, seed())});
}

TEST_CASE("[15] images that do not fill their tiles") {
    for (const auto& [width, height] :
         {std::pair{1, 1}, {7, 5}, {33, 7}, {31, 33}, {67, 41}, {1, 50}, {101, 1}})
        expect_right_and_clean(subblocks, noise(width, height, 3, 5));
    expect_right_and_clean(subblocks, noise(53, 29, 7, 1));
    expect_right_and_clean(subblocks, noise(3, 4, 11, 13));  // the filter is larger than the image
    expect_right_and_clean(subblocks, noise(37, 23, 1, 1));
    const std::vector<int> widths = lengths_around(64, 1), heights = lengths_around(32, 1);
    for (size_t k = 0; k < widths.size(); k++)
        expect_right(subblocks, noise(widths[k], heights[k], 3, 3));
    expect_large_right(subblocks, noise(70000, 3, 3, 3));
    expect_large_right(subblocks, noise(3, 70000, 3, 3));
}

TEST_CASE("[10] filters as large as those of the article") {
    expect_right(subblocks, noise(70, 45, 27, 27));
    expect_right(subblocks, noise(40, 35, 79, 79));  // 110 x 110 pixels: 48 400 of 49 152 bytes
    for (const auto& [filter_width, filter_height] :
         {std::pair{41, 9}, {9, 41}, {63, 3}, {drawn_odd(11, 47, 1), drawn_odd(3, 21, 2)}})
        expect_right(subblocks, noise(45, 35, filter_width, filter_height));
    // Tiles that lie inside the image with their whole halo.
    expect_right(subblocks, noise(97, 66, 65, 3));
    expect_right(subblocks, noise(66, 87, 3, 45));
    expect_right_and_clean(subblocks, noise(45, 40, 27, 5));
    expect_right_and_clean(subblocks, noise(40, 45, 3, 79));
}

TEST_CASE("[10] tiles of more than 48 KB") {
    expect_right(subblocks, noise(40, 35, 3, 81));  // a tile of 15 KB
    expect_right(subblocks, noise(34, 7, 81, 81));
    expect_right(subblocks, noise(12, 33, 97, 97));    // 64 KB, which every GPU since Volta can give
    inspect_right(subblocks, noise(9, 11, 127, 127));  // 98 KB, on the CPU backend whatever the GPU
    expect_right(subblocks, noise(40, 35, 3, 79));     // and a small one again
}

TEST_CASE("[10] filters too wide for eight rows of threads") {
    expect_right(subblocks, noise(40, 35, 99, 3));  // 130 x 8 threads would be 1040
    expect_right_and_clean(subblocks, noise(37, 33, 141, 1));
    expect_right(subblocks, noise(45, 34, 301, 3));
    inspect_right(subblocks, noise(33, 5, 993, 1));  // one row of 1024 threads, 128 KB: not on every GPU
}

TEST_CASE("[10] what no block can hold is refused") {
    expect_refused(subblocks, noise(5, 4, 129, 129), {129 * 129, MAX_TAPS});
    expect_refused(subblocks, noise(40, 3, 995, 1), {MAX_THREADS + 2, MAX_THREADS});
    // The tallest tile that this device lets a block have, and one that is two rows taller.
    const int most_bytes = expect_limits(the_session->checking()).shared_bytes_opted_in;
    for (const auto& [width, height, filter_width] : {std::tuple{3, 40, 1}, {40, 3, 3}, {20, 30, 11}}) {
        const auto problem_of = [&](int filter_height) {
            return noise(width, height, filter_width, filter_height);
        };
        int filter_height = 1;
        while (tile_size(filter_width, filter_height + 2).bytes() <= most_bytes)
            filter_height += 2;
        expect_right(subblocks, problem_of(filter_height));
        expect_refused(subblocks, problem_of(filter_height + 2),
                       {tile_size(filter_width, filter_height + 2).bytes(), most_bytes});
    }
    expect_right(subblocks, noise(20, 10, 3, 3));  // the call after it works
}

TEST_CASE("[15] every tile is loaded once and summed up from shared memory") {
    for (const problem_2d& p : {noise(72, 41, 7, 5), noise(67, 70, 9, 3), noise(50, 37, 27, 15)}) {
        const double outputs = double(p.in.pixels.size()), taps = double(p.filter.taps.size());
        const tile_size tile(p.filter);
        const double tiles = double(tiles_over(p.in.width)) * tiles_over(p.in.height);
        const double loads = double(clipped_tiles(p.in.width, OUT_TILE, p.filter.width / 2)) *
                             double(clipped_tiles(p.in.height, OUT_TILE, p.filter.height / 2));
        const inspect::report seen = inspect_right(subblocks, p);
        const inspect::counts total = seen.total();
        const inspect::traffic in = seen.of("in").loads;
        const inspect::memory_traffic shared = total.shared;

        // The margin admits kernels that load some pixel for every ghost cell.
        expect_at_most("global loads of in", double(in.lanes), loads, tiles * tile.pixels());
        expect_at_least("bytes loaded from in", double(in.bytes), outputs * 4);
        expect_count("global loads of anything but in", double(total.global.loads.lanes - in.lanes), 0);
        expect_plain_loads(seen);
        expect_at_most("sectors per request of in", in.sectors_per_request(), sectors_per_request(p), 7);
        expect_at_least("loads of in for every request of a warp",
                        in.requests ? double(in.lanes) / double(in.requests) : 0, 8);
        expect_count("global stores of out", times_stored(seen), outputs, 1.0);

        // Threads without an output may compute one all the same, so long as they do not store it.
        expect_at_most("shared loads", double(shared.loads.lanes), outputs * taps,
                       tiles * OUT_TILE * OUT_TILE * (taps + SHARED_WORDS));
        expect_at_least("bytes loaded from shared memory", double(shared.loads.bytes), outputs * 4);
        expect_company("shared loads", shared.loads);
        expect_at_most("shared stores", double(shared.stores.lanes), tiles * tile.pixels(),
                       tiles * (tile.pixels() + SHARED_WORDS));
        expect_at_least("bytes stored to shared memory", double(shared.stores.bytes), outputs * 4);
        expect_at_most("wavefronts per request of shared loads", shared.loads.wavefronts_per_request(), 1,
                       1.05);
        expect_at_most("wavefronts per request of shared stores", shared.stores.wavefronts_per_request(), 1,
                       1.05);
        expect_at_most("bytes of dynamic shared memory", double(main_launch(seen).dynamic_shared),
                       tile.bytes(), tile.bytes() + 128);
        expect_at_most("addresses per request of constant memory", total.constant.wavefronts_per_request(), 1,
                       2);
    }
}

TEST_CASE("[5] whole warps store side by side and no block is left over") {
    for (const auto& [width, height] : {std::pair{128, 64}, {160, 33}}) {
        const inspect::report seen = inspect_right(subblocks, noise(width, height, 1, 1));
        expect_full_warps(seen);
        expect_blocks(seen, double(tiles_over(width)) * tiles_over(height));
        const inspect::report haloed = inspect_right(subblocks, noise(width, height, 5, 3));
        expect_blocks(haloed, double(tiles_over(width)) * tiles_over(height));
    }
}

TEST_CASE("[5] all device memory is given back and no failure is hidden") {
    expect_given_back(subblocks, noise(70, 40, 5, 3));
    expect_failures_told(subblocks, noise(70, 40, 5, 3));
}
