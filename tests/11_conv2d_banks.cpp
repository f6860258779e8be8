// Checks of lab 11: values with every cure, the conflicts
// of every filter width, and what a cure may not change.
#include "conv2d_banks.h"

#include <algorithm>
#include <tuple>

#include "check/check.h"

using namespace check;

namespace {

method_2d::run_function run_with(cure how) {
    return [how](worker_process& worker, const call_options& options, std::span<float> out,
                 const problem_2d& p) {
        return CALL(worker, options, conv2d_banks, out, p.in.pixels, p.filter.taps, p.in.width, p.in.height,
                    p.filter.width, p.filter.height, how);
    };
}

const method_2d banks("banks", run_with(cure::none));
const method_2d banks_padding("banks_padding", run_with(cure::padding));
const method_2d banks_wide("banks_wide", run_with(cure::wide_blocks));
const method_2d* const ALL[] = {&banks, &banks_padding, &banks_wide};

constexpr int MAX_SHARED = 48 * 1024;

/// Seeded noise under a filter that has no symmetry to hide a mistake behind. Sizes go into the filter's seed: two
/// of as many taps, which a stale filter may be, differ.
problem_2d noise(int width, int height, int filter_width, int filter_height) {
    return {noise_image(width, height, 1, seed()),
            random_filter(filter_width, filter_height, seed() + 1000 * filter_width + filter_height)};
}

/// With every cure: on the active backend for its values, then
/// on the CPU backend for every race and stray access too.
void expect_right_and_clean(const problem_2d& p) {
    for (const method_2d* method : ALL) {
        expect_right(*method, p);
        inspect_right(*method, p);
    }
}

/// What the block of a method is: 16 x 16 or 32 x 32 threads.
int side_of(const method_2d& method) {
    return &method == &banks_wide ? 32 : 16;
}

/// Floats between the starts of two rows of the tile.
int pitch_of(const method_2d& method, int filter_width) {
    const int tile_width = side_of(method) + filter_width - 1;
    int pitch = tile_width;
    while (&method == &banks_padding && pitch % 32 != 16)
        pitch++;
    return pitch;
}

int bytes_of(const method_2d& method, int filter_width, int filter_height) {
    return pitch_of(method, filter_width) * (side_of(method) + filter_height - 1) * int(sizeof(float));
}

/// A filter whose tile takes at least so many bytes, as few more as can be.
filter_size filter_to_fill(const method_2d& method, int bytes) {
    return smallest_filter_of(
        bytes, [&](const filter_size& size) { return bytes_of(method, size.width, size.height); });
}

/// Loads of clipped tiles, once each: the product of the two directions.
double tile_loads(const problem_2d& p, int side) {
    return double(clipped_tiles(p.in.width, side, p.filter.width / 2) *
                  clipped_tiles(p.in.height, side, p.filter.height / 2));
}

/// The same of tiles that are not clipped: a kernel that loads some pixel for every ghost cell.
double whole_tile_loads(const problem_2d& p, int side) {
    const double tiles = double((p.in.width + side - 1) / side) * ((p.in.height + side - 1) / side);
    return tiles * (side + p.filter.width - 1) * (side + p.filter.height - 1);
}

/// Passes over the banks for a request of a full warp.
double passes(const method_2d& method, int filter_width) {
    return &method == &banks && filter_width % 32 != 1 ? 2 : 1;
}

}  // namespace

TEST_CASE("[10] the worked example of the handout") {
    const image pixels{4, 3, 1, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}};
    const filter row{3, 1, {1, 2, 3}, "1 2 3 in a row"}, column{1, 3, {1, 2, 3}, "1 2 3 in a column"};
    REQUIRE(convolve_cpu({pixels, row}).value ==
            std::vector<double>{8, 14, 20, 11, 28, 38, 44, 23, 48, 62, 68, 35});
    REQUIRE(convolve_cpu({pixels, column}).value ==
            std::vector<double>{17, 22, 27, 32, 38, 44, 50, 56, 23, 26, 29, 32});
    expect_right_and_clean({pixels, row});
    expect_right_and_clean({pixels, column});
}

TEST_CASE("[10] the reference at many sizes with every cure") {
    for (const method_2d* method : ALL) {
        expect_right(*method, noise(64, 48, 3, 3));
        expect_right(*method, {ramp_image(64, 32), sobel_x_filter()});  // of the same size
        expect_right(*method, noise(96, 64, 9, 5));
        expect_right(*method, noise(64, 32, 5, 13));
        expect_right(*method, {checkerboard_image(64, 64), gaussian_filter(7, 1.5)});
        expect_right(*method, {impulse_image(64, 40, 33, 7), random_filter(7, 33, seed())});
    }
}

TEST_CASE("[10] images that do not fill their blocks") {
    for (const auto& [width, height] :
         {std::pair{1, 1}, {7, 5}, {33, 7}, {31, 17}, {67, 41}, {1, 50}, {101, 1}})
        expect_right_and_clean(noise(width, height, 5, 3));
    expect_right_and_clean(noise(5, 7, 33, 19));  // the filter is larger than the image
    expect_right_and_clean(noise(37, 23, 1, 1));
    const std::vector<int> widths = lengths_around(64, 1), heights = lengths_around(32, 1);
    for (const method_2d* method : ALL) {
        for (size_t k = 0; k < widths.size(); k++)
            expect_right(*method, noise(widths[k], heights[k], 3, 3));
        expect_large_right(*method, noise(70000, 3, 3, 3));
        expect_large_right(*method, noise(3, 70000, 3, 3));
    }
}

TEST_CASE("[10] filters up to the largest whose tile fits") {
    for (const method_2d* method : ALL) {
        expect_right(*method, noise(45, 19, 43, 43));
        expect_right(*method, noise(40, 20, 1, 353));
        expect_right(*method, noise(40, 20, 353, 1));
        for (const auto& [filter_width, filter_height] :
             {std::pair{41, 9}, {9, 41}, {63, 3}, {drawn_odd(11, 47, 1), drawn_odd(3, 21, 2)}})
            expect_right(*method, noise(37, 11, filter_width, filter_height));
        const filter_size whole = filter_to_fill(*method, MAX_SHARED);
        REQUIRE(bytes_of(*method, whole.width, whole.height) == MAX_SHARED);
        expect_right(*method, noise(9, 5, whole.width, whole.height));
    }
    // Tiles that lie inside the image with their whole halo.
    expect_right(banks, noise(82, 35, 65, 3));
    expect_right(banks, noise(35, 72, 3, 45));
    expect_right(banks, noise(24, 17, 95, 95));          // 110 x 110 floats: 48400 bytes
    expect_right(banks_padding, noise(24, 17, 97, 93));  // 97 + 15 = 112 = 3 * 32 + 16: no gap, 108 rows
    expect_right(banks_wide, noise(24, 17, 79, 79));     // 110 x 110 floats
}

TEST_CASE("[10] a tile that does not fit is refused") {
    for (const auto& [method, filter_width, filter_height] : {std::tuple{&banks, 97, 97},
                                                              {&banks, 43, 197},
                                                              {&banks_padding, 95, 97},
                                                              {&banks_padding, 43, 139},
                                                              {&banks_wide, 81, 81},
                                                              {&banks_wide, 301, 7}})
        expect_refused(*method, noise(20, 10, filter_width, filter_height),
                       {bytes_of(*method, filter_width, filter_height), MAX_SHARED});
    for (const method_2d* method : ALL) {
        const filter_size larger = filter_to_fill(*method, MAX_SHARED + 1);
        expect_refused(*method, noise(9, 5, larger.width, larger.height),
                       {bytes_of(*method, larger.width, larger.height), MAX_SHARED});
        expect_right(*method, noise(20, 10, 3, 5));  // the call after it works
    }
}

TEST_CASE("[10] without a cure every filter width but 33 takes two passes") {
    // Van Werkhoven et al., figure 3: every width of the figure, each at another of its heights.
    for (int filter_width = 7; filter_width <= 43; filter_width += 2) {
        const inspect::traffic loads =
            inspect_right(banks, noise(32, 16, filter_width, 50 - filter_width)).total().shared.loads;
        expect_count(
            "passes per request of shared loads with a filter " + std::to_string(filter_width) + " wide",
            loads.wavefronts_per_request(), passes(banks, filter_width));
    }
}

TEST_CASE("[10] padding leaves no conflict at any filter width") {
    for (int filter_width = 1; filter_width <= 49; filter_width += 2) {
        const problem_2d p = noise(37, 19, filter_width, 3);
        const inspect::report seen = inspect_right(banks_padding, p);
        const inspect::memory_traffic shared = seen.total().shared;
        const std::string with = " with a filter " + std::to_string(filter_width) + " wide";
        expect_count("bank conflicts of shared loads" + with, double(shared.loads.conflicts()), 0);
        // The margin admits a sweep whose warps go over the ends of rows.
        expect_at_most("bank conflicts of shared stores" + with, double(shared.stores.conflicts()), 0,
                       double(shared.stores.requests));
        expect_at_least("bytes loaded from shared memory", double(shared.loads.bytes),
                        4.0 * p.in.pixels.size());
        const double bytes = bytes_of(banks_padding, filter_width, 3);
        expect_at_most("bytes of dynamic shared memory" + with, double(main_launch(seen).dynamic_shared),
                       bytes, bytes + 128);
    }
}

TEST_CASE("[10] wide blocks leave no conflict and load less halo") {
    for (int filter_width = 1; filter_width <= 49; filter_width += 2) {
        const problem_2d p = noise(96, 32, filter_width, 5);  // whole tiles: no margin hides a halo
        const inspect::report seen = inspect_right(banks_wide, p);
        const inspect::memory_traffic shared = seen.total().shared;
        const std::string with = " with a filter " + std::to_string(filter_width) + " wide";
        expect_count("bank conflicts" + with, double(shared.loads.conflicts() + shared.stores.conflicts()),
                     0);
        expect_at_most("global loads of in" + with, double(seen.of("in").loads.lanes), tile_loads(p, 32),
                       whole_tile_loads(p, 32));
        const double bytes = bytes_of(banks_wide, filter_width, 5);
        expect_at_most("bytes of dynamic shared memory" + with, double(main_launch(seen).dynamic_shared),
                       bytes, bytes + 128);
    }
}

TEST_CASE("[10] a cure changes no load and no store of global memory") {
    for (const problem_2d& p : {noise(67, 41, 9, 5), noise(96, 37, 3, 17), noise(29, 50, 33, 3)}) {
        const double pixels = double(p.in.pixels.size()), taps = double(p.filter.taps.size());
        for (const method_2d* method : ALL) {
            const inspect::report seen = inspect_right(*method, p);
            const inspect::counts total = seen.total();
            const inspect::traffic in = seen.of("in").loads;
            const int side = side_of(*method);
            const double threads =
                double((p.in.width + side - 1) / side) * ((p.in.height + side - 1) / side) * side * side;

            // The margin admits kernels that load some pixel for every ghost cell.
            expect_at_most("global loads of in", double(in.lanes), tile_loads(p, side),
                           whole_tile_loads(p, side));
            expect_at_least("bytes loaded from in", double(in.bytes), 4 * pixels);
            const double sectors = loads_by_sweep(p, {side, side, side, side}).sectors_per_request();
            expect_at_most("sectors per request of in", in.sectors_per_request(), sectors,
                           std::max(8.0, 1.3 * sectors));
            expect_count("global loads of anything but in", double(total.global.loads.lanes - in.lanes), 0);
            expect_plain_loads(seen);
            expect_company("global loads of in", in);
            expect_at_most("global stores to out", times_stored(seen), pixels, pixels);

            // Threads without an output may compute one all the same, so long as they do not store it.
            expect_at_most("shared loads", double(total.shared.loads.lanes), pixels * taps,
                           threads * (taps + SHARED_WORDS));
            expect_at_least("bytes loaded from shared memory", double(total.shared.loads.bytes), 4 * pixels);
            expect_company("shared loads", total.shared.loads);
            expect_at_most("addresses of a request to constant memory",
                           total.constant.wavefronts_per_request(), 1, 2);
        }
    }
}

TEST_CASE("[5] whole warps store side by side and no block is left over") {
    for (const method_2d* method : ALL) {
        const inspect::report seen = inspect_right(*method, noise(128, 64, 1, 1));
        expect_full_warps(seen);
        const int side = side_of(*method);
        expect_blocks(seen, (128 / side) * (64 / side));
        // A halo asks for no more blocks, and only the last row of them overhangs.
        expect_blocks(inspect_right(*method, noise(128, 65, 7, 5)), (128 / side) * (64 / side + 1));
        expect_blocks(inspect_right(*method, noise(129, 64, 7, 5)), (128 / side + 1) * (64 / side));
    }
}

TEST_CASE("[5] all device memory is given back and no failure is hidden") {
    for (const method_2d* method : ALL) {
        expect_given_back(*method, noise(70, 30, 5, 3));
        expect_failures_told(*method, noise(70, 30, 5, 3));
    }
}
