// Checks of lab 07: values at every kind of tile, filter and image, the limits, what each memory is asked
// for, and PMPP figure 7.22.
#include "conv2d_tiled.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "check/check.h"

using namespace check;

namespace {

method_2d::run_function run_with_tile(int tile) {
    return [tile](worker_process& worker, const call_options& options, std::span<float> out,
                  const problem_2d& p) {
        return CALL(worker, options, conv2d_tiled, out, p.in.pixels, p.filter.taps, p.in.width, p.in.height,
                    p.in.channels, p.filter.width, p.filter.height, tile);
    };
}

const method_2d tiled("tiled", run_with_tile(16));
const method_2d tiled_8("tiled_8", run_with_tile(8));
const method_2d tiled_32("tiled_32", run_with_tile(32));
const method_2d tiled_64("tiled_64", run_with_tile(64));
const method_2d tiled_colour("tiled_colour", run_with_tile(16), 3);

/// The method at any tile.
method_2d with_tile(int tile) {
    return method_2d::unlisted("tiled (tile " + std::to_string(tile) + ")", run_with_tile(tile));
}

constexpr int MAX_SHARED = 48 * 1024;  // bytes
constexpr int MAX_SIDE = 32;           // of a block

/// Seeded noise under a filter that has no symmetry to hide a mistake behind. Sizes go into the filter's seed: two
/// of as many taps, which a stale filter may be, differ.
problem_2d noise(int width, int height, int filter_width, int filter_height, int channels = 1) {
    return {noise_image(width, height, channels, seed()),
            random_filter(filter_width, filter_height, seed() + 1000 * filter_width + filter_height)};
}

/// On the active backend for its values, then on the CPU
/// backend for its values and every race and stray access.
void expect_right_and_clean(int tile, const problem_2d& problem) {
    expect_right(with_tile(tile), problem);
    inspect_right(with_tile(tile), problem);
}

/// Values of an input tile.
double input_tile(int tile, const filter& f) {
    return double(tile + f.width - 1) * (tile + f.height - 1);
}

int bytes_of(int tile, const filter& f) {
    return int(input_tile(tile, f)) * int(sizeof(float));
}

/// A filter whose input tile takes at least so many bytes, as few more as can be.
filter_size filter_to_fill(int tile, int bytes) {
    return smallest_filter_of(bytes, [tile](const filter_size& size) {
        return (tile + size.width - 1) * (tile + size.height - 1) * int(sizeof(float));
    });
}

/// Kernels may pad the rows of their tile. What fills 48 KB to the last byte leaves no room for that.
bool has_no_padding(int tile) {
    const problem_2d p = noise(10, 7, 3, 3);
    return main_launch(inspect_right(with_tile(tile), p)).dynamic_shared ==
           uint64_t(bytes_of(tile, p.filter));
}

/// Output tiles of all channels.
double tiles_of(int tile, const image& in) {
    return double((in.width + tile - 1) / tile) * ((in.height + tile - 1) / tile) * in.channels;
}

/// Values of the input tiles that lie in the image: what is loaded if each is loaded once.
double clipped_loads(int tile, const problem_2d& p) {
    return double(p.in.channels) * double(clipped_tiles(p.in.width, tile, p.filter.width / 2)) *
           double(clipped_tiles(p.in.height, tile, p.filter.height / 2));
}

/// Loads of `in` by an image of that many tiles, as the inspector counts them.
double counted_loads(int tile, int mask, int columns, int rows) {
    const problem_2d p = noise(columns * tile, rows * tile, mask, mask);
    return double(inspect_right(with_tile(tile), p).of("in").loads.lanes);
}

/// Loads of `in` by a tile that does not touch the edge of the image. A tile's loads are its width times its
/// height, so the middle one of 3 x 3 tiles is what remains of these four images.
double counted_loads_of_inner_tile(int tile, int mask) {
    return counted_loads(tile, mask, 3, 3) - counted_loads(tile, mask, 3, 2) -
           counted_loads(tile, mask, 2, 3) + counted_loads(tile, mask, 2, 2);
}

}  // namespace

TEST_CASE("[10] the worked example of the handout") {
    const problem_2d example = {{4, 3, 1, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}},
                                {3, 3, {1, 2, 3, 4, 5, 6, 7, 8, 9}, "1..9"}};
    REQUIRE(convolve_cpu(example).value ==
            std::vector<double>{111, 178, 217, 145, 231, 348, 393, 252, 133, 190, 211, 127});
    REQUIRE(clipped_loads(2, example) == 30);
    expect_right_and_clean(2, example);
}

TEST_CASE("[7] the reference at many sizes and tiles") {
    for (const int tile : {8, 16, 20, 28}) {
        expect_right(with_tile(tile), noise(112, 56, 5, 5));
        expect_right(with_tile(tile), noise(97, 61, 3, 3));
    }
    expect_right(with_tile(12), {ramp_image(64, 32), sobel_x_filter()});  // of the same size
    expect_right(with_tile(24), noise(96, 48, 9, 9));
    expect_right(with_tile(16), {checkerboard_image(64, 64), gaussian_filter(5, 1.0)});
    expect_right(with_tile(16), {impulse_image(64, 40, 33, 7), random_filter(7, 7, seed())});
}

TEST_CASE("[13] images that do not fill their tiles") {
    for (const auto& [width, height] :
         {std::pair{1, 1}, {7, 5}, {33, 7}, {17, 31}, {67, 41}, {1, 50}, {101, 1}})
        expect_right_and_clean(16, noise(width, height, 3, 3));
    for (const int tile : {1, 5, 13})
        expect_right_and_clean(tile, noise(29, 23, 5, 5));
    expect_right_and_clean(16, noise(3, 4, 11, 11));   // the filter is wider than the image
    expect_right_and_clean(4, noise(19, 11, 13, 13));  // and the halo wider than the tile
    expect_right_and_clean(8, noise(37, 23, 1, 1));
    const std::vector<int> widths = lengths_around(48, 1), heights = lengths_around(32, 1);
    for (size_t k = 0; k < widths.size(); k++) {
        expect_right(with_tile(16), noise(widths[k], heights[k], 3, 3));
        expect_right(with_tile(8), noise(heights[k], widths[k], 3, 3));
    }
    expect_large_right(with_tile(8), noise(70000, 3, 3, 3));
    expect_large_right(with_tile(8), noise(3, 70000, 3, 1));
}

TEST_CASE("[10] filters that are not square") {
    for (const auto& [filter_width, filter_height] :
         {std::pair{7, 3}, {3, 7}, {1, 5}, {15, 1}, {1, 17}, {17, 9}})
        expect_right_and_clean(16, noise(53, 35, filter_width, filter_height));
    expect_right(with_tile(8), noise(80, 50, 7, 33));
    expect_right(with_tile(8), noise(80, 50, 33, 7));
    for (const auto& [filter_width, filter_height] :
         {std::pair{41, 9}, {9, 41}, {63, 3}, {drawn_odd(11, 47, 1), drawn_odd(3, 21, 2)}})
        expect_right(with_tile(16), noise(35, 21, filter_width, filter_height));
    // Tiles that lie inside the image with their whole halo.
    expect_right(with_tile(16), noise(82, 35, 65, 3));
    expect_right(with_tile(16), noise(35, 72, 3, 45));
}

TEST_CASE("[9] colour images with a pitch") {
    expect_right_and_clean(16, noise(64, 32, 3, 3, 3));
    expect_right_and_clean(8, noise(45, 31, 5, 3, 3));
    expect_right_and_clean(10, noise(9, 17, 3, 7, 4));
    expect_right_and_clean(16, noise(1, 1, 3, 3, 3));
    expect_right_and_clean(4, noise(131, 5, 3, 3, 2));
    expect_right_and_clean(8, noise(23, 9, 3, 3, 5));
}

TEST_CASE("[10] input tiles larger than a block") {
    for (const auto& [tile, filter_width, filter_height] :
         {std::tuple{29, 5, 5}, {32, 3, 3}, {64, 9, 5}, {16, 33, 1}, {16, 3, 43}, {10, 43, 41}})
        expect_right_and_clean(tile, noise(79, 67, filter_width, filter_height));
    expect_right(with_tile(110), noise(230, 113, 1, 1));  // 48400 bytes of 49152
    expect_right(with_tile(64), noise(70, 17, 43, 49));
    expect_right(with_tile(1), noise(12, 9, 111, 109));
    const filter_size whole = filter_to_fill(16, MAX_SHARED);
    REQUIRE(bytes_of(16, random_filter(whole.width, whole.height)) == MAX_SHARED);
    if (has_no_padding(16)) expect_right(with_tile(16), noise(9, 11, whole.width, whole.height));
}

TEST_CASE("[10] what no block can hold is refused") {
    for (const int tile : {0, -3})
        expect_refused(with_tile(tile), noise(10, 7, 3, 3), {tile, 1});
    for (const auto& [tile, filter_width, filter_height] :
         {std::tuple{111, 1, 1}, {64, 49, 49}, {1, 111, 113}, {1, 129, 129}}) {
        const problem_2d p = noise(10, 7, filter_width, filter_height);
        expect_refused(with_tile(tile), p, {bytes_of(tile, p.filter), MAX_SHARED});
    }
    for (const int tile : {1, 7, 16}) {
        const filter_size larger = filter_to_fill(tile, MAX_SHARED + 1);
        const problem_2d p = noise(10, 7, larger.width, larger.height);
        expect_refused(with_tile(tile), p, {bytes_of(tile, p.filter), MAX_SHARED});
    }
    // More bytes than 32 bits can tell.
    expect_refused(with_tile(65536), noise(10, 7, 1, 1), {65536l * 65536 * int(sizeof(float)), MAX_SHARED});
    const problem_2d fits = noise(20, 10, 3, 3);  // the call after it launches with what it takes
    if (const auto call = before_right(with_tile(16), fits)) {
        const double bytes = bytes_of(16, fits.filter);
        expect_at_most("bytes of dynamic shared memory", double(main_launch(call->seen).dynamic_shared),
                       bytes, 1.5 * bytes);
    }
}

TEST_CASE("[9] every tile loads its values once and finds them in shared memory") {
    for (const auto& [tile, p] : {std::pair{16, noise(83, 41, 5, 3)},
                                  {16, noise(80, 48, 5, 3)},
                                  {8, noise(45, 31, 9, 9)},
                                  {40, noise(97, 89, 3, 7)},
                                  {12, noise(29, 31, 3, 5, 3)}}) {
        const double taps = double(p.filter.taps.size()), values = double(p.in.pixels.size());
        const double tiles = tiles_of(tile, p.in);
        const inspect::report seen = inspect_right(with_tile(tile), p);
        const inspect::counts total = seen.total();
        const inspect::traffic in = seen.of("in").loads;
        const inspect::memory_traffic shared = total.shared;

        // The margin admits kernels that load some value for every ghost cell.
        expect_at_most("global loads of in", double(in.lanes), clipped_loads(tile, p),
                       tiles * input_tile(tile, p.filter));
        expect_at_least("bytes loaded from in", double(in.bytes), 4 * values);
        expect_count("global loads of anything but in", double(total.global.loads.lanes - in.lanes), 0);
        expect_plain_loads(seen);
        expect_at_most("global stores of out", times_stored(seen), values, values);

        // Threads without an output may compute one all the same, so long as they do not store it. A kernel
        // may keep in registers what it reads for several outputs.
        expect_at_most("shared loads", double(shared.loads.lanes), values * taps,
                       tiles * input_tile(tile, p.filter) * (taps + SHARED_WORDS));
        expect_at_least("bytes loaded from shared memory", double(shared.loads.bytes), 4 * values);
        expect_company("shared loads", shared.loads);
        expect_at_least("bytes stored to shared memory", double(shared.stores.bytes), 4 * values);
        const double bytes = bytes_of(tile, p.filter);  // rows may be padded, channels side by side
        expect_at_most("bytes of dynamic shared memory", double(main_launch(seen).dynamic_shared), bytes,
                       1.5 * p.in.channels * bytes);
        expect_at_most("addresses of a request to constant memory", total.constant.wavefronts_per_request(),
                       1, 2);
    }
}

TEST_CASE("[6] every tile is loaded side by side into shared memory") {
    for (const auto& [tile, p] : {std::pair{16, noise(83, 41, 5, 3)}, {12, noise(29, 31, 3, 5, 3)}}) {
        const auto call = before_right(with_tile(tile), p);
        if (!call) continue;
        const double cells = tiles_of(tile, p.in) * input_tile(tile, p.filter);
        const inspect::traffic in = call->seen.of("in").loads, shared = call->seen.total().shared.stores;
        expect_at_most("global loads of in", double(in.lanes), clipped_loads(tile, p), cells);
        expect_at_least("bytes loaded from in", double(in.bytes), 4 * clipped_loads(tile, p));
        expect_at_least("sectors of in", double(in.sectors), double(p.in.pixels.size()) * 4 / 32);
        expect_at_least("loads of in for every request of a warp",
                        in.requests ? double(in.lanes) / double(in.requests) : 0, 8);
        expect_at_least("bytes stored to shared memory", double(shared.bytes), 4 * cells);
    }
}

TEST_CASE("[4] the threads of a warp load side by side") {
    for (const auto& [tile, mask, channels] : {std::tuple{16, 5, 1}, {8, 9, 1}, {40, 7, 1}, {16, 3, 3}}) {
        const problem_2d p = noise(96, 48, mask, mask, channels);
        const inspect::report seen = inspect_right(with_tile(tile), p);
        const inspect::traffic in = seen.of("in").loads;
        expect_at_least("loads of in for every request of a warp",
                        in.requests ? double(in.lanes) / double(in.requests) : 0, 8);
        expect_at_least("bytes used of the 32 of every sector of in",
                        in.sectors ? double(in.bytes) / double(in.sectors) : 0, 12.0 / channels);
        const int side = std::min(tile + mask - 1, MAX_SIDE);
        const double sectors = loads_by_sweep(p, {tile, tile, side, side}, true).sectors_per_request();
        expect_at_most("sectors per request of in", in.sectors_per_request(), sectors,
                       std::max(8.0, 1.3 * sectors));
        // The block is the input tile: a thread's cell is its number, and no two of a warp share a bank.
        expect_at_most("wavefronts per request of the shared loads",
                       seen.total().shared.loads.wavefronts_per_request(), 1, 4);
        const inspect::launch launch = main_launch(seen);
        const unsigned* block = launch.block;
        expect_at_most("threads of a block", double(block[0] * block[1] * block[2]), double(side) * side,
                       1024);
    }
}

TEST_CASE("[4] the access reduction of PMPP figure 7.22") {
    struct entry {
        int mask, tile;
        double printed;  // data/published/pmpp_fig7_22.csv
    };
    for (const entry& e : {entry{5, 8, 11.1},
                           {5, 16, 16},
                           {5, 32, 19.7},
                           {5, 64, 22.1},
                           {9, 8, 20.3},
                           {9, 16, 36},
                           {9, 32, 51.8},
                           {9, 64, 64}}) {
        const double basic = double(e.mask) * e.mask * e.tile * e.tile;  // loads without a tile
        const double once = double(e.tile + e.mask - 1) * (e.tile + e.mask - 1);
        REQUIRE(std::abs(basic / once - e.printed) < 0.06);  // the figure rounds some and cuts others
        expect_count("global loads of in by an inner tile", counted_loads_of_inner_tile(e.tile, e.mask),
                     once);
    }
}

TEST_CASE("[4] whole warps store side by side and no block is left over") {
    for (const auto& [tile, channels] : {std::pair{16, 1}, {32, 1}, {16, 3}}) {
        const inspect::report seen = inspect_right(with_tile(tile), noise(96, 64, 1, 1, channels));
        if (channels == 1) expect_full_warps(seen);
        expect_blocks(seen, channels * (96.0 / tile) * (64.0 / tile));
        const problem_2d haloed = noise(96, 65, 5, 3, channels);  // 65 rows: the last tiles overhang
        expect_blocks(inspect_right(with_tile(tile), haloed), tiles_of(tile, haloed.in));
    }
}

TEST_CASE("[4] all device memory is given back and no failure is hidden") {
    expect_given_back(tiled, noise(70, 30, 5, 3));
    expect_failures_told(tiled, noise(70, 30, 5, 3));
    expect_given_back(tiled_colour, noise(31, 20, 3, 3, 3));
    expect_failures_told(tiled_colour, noise(31, 20, 3, 3, 3));
}
