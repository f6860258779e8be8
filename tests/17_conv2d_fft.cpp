// Checks of lab 17: convolution by Fourier transforms, of the whole image and of overlapping tiles; which planes are
// transformed, and what kernels load and store around it.
#include "conv2d_fft.h"

#include <algorithm>
#include <array>
#include <bit>

#include "check/check.h"

using namespace check;

namespace {

/// A tile that is not halo for the most part.
int tile_for(const filter& f) {
    return int(std::bit_ceil(8 * unsigned(std::max(f.width, f.height))));
}

const method_2d one_plane(
    "one_plane",
    [](worker_process& worker, const call_options& options, std::span<float> out, const problem_2d& p) {
        return CALL(worker, options, conv2d_fft, out, p.in.pixels, p.filter.taps, p.in.width, p.in.height,
                    p.filter.width, p.filter.height);
    },
    1, [](problem_2d& p) { p.transform_tile = 0; });

const method_2d overlap_save(
    "overlap_save",
    [](worker_process& worker, const call_options& options, std::span<float> out, const problem_2d& p) {
        return CALL(worker, options, conv2d_overlap_save, out, p.in.pixels, p.filter.taps, p.in.width,
                    p.in.height, p.filter.width, p.filter.height, p.transform_tile.value());
    },
    1, [](problem_2d& p) { p.transform_tile = tile_for(p.filter); });

/// A method, and a problem that it takes.
struct posed {
    const method_2d& method;
    problem_2d problem;
};

posed in_one(const problem_2d& p) {
    return {one_plane, one_plane.posed(p)};
}

posed in_tiles(int tile, problem_2d p) {
    p.transform_tile = tile;
    return {overlap_save, p};
}

/// Seeded noise under a filter without symmetry for a mistake to hide behind, whose size goes into its seed.
problem_2d noise(int width, int height, int filter_width, int filter_height) {
    const uint64_t taps_seed = seed() + 1'000'000 * uint64_t(filter_height) + uint64_t(filter_width);
    return {noise_image(width, height, 1, seed()), random_filter(filter_width, filter_height, taps_seed)};
}

void expect_values(const posed& one) {
    expect_right(one.method, one.problem);
}
void expect_clean(const posed& one) {
    expect_right_and_clean(one.method, one.problem);
}

/// Of the image and the filter there, of the image back, and of nothing else.
void expect_transforms(const posed& one) {
    const inspect::report seen = inspect_right(one.method, one.problem);
    const planes all = planes_of(one.problem);
    const std::vector<uint64_t> sizes = {uint64_t(all.height), uint64_t(all.width)};
    double there = 0, back = 0, others = 0;
    for (const inspect::transform& step : seen.transforms)
        (step.sizes != sizes ? others : step.is_inverse ? back : there) += double(step.batch);
    const std::string sides = std::to_string(all.width) + " x " + std::to_string(all.height);
    expect_count("planes transformed that are not " + sides, others, 0, 1);
    expect_count("planes transformed: " + sides, there, all.count + 1, 1);
    expect_count("planes transformed back: " + sides, back, all.count, 1);
}

/// What kernels move around the transforms. The margins admit whole spectra, of complex numbers throughout.
void expect_traffic(const posed& one) {
    const problem_2d& p = one.problem;
    const inspect::report seen = inspect_right(one.method, p);
    const inspect::memory_traffic total = seen.total().global;
    const planes all = planes_of(p);
    const double cells = double(all.count) * all.cells();
    const double waves = double(all.count) * (all.width / 2 + 1) * all.height;
    const double pixels = double(p.in.pixels.size()), taps = double(p.filter.taps.size());
    const double clipped = double(clipped_tiles(p.in.width, all.out_width, p.filter.width / 2) *
                                  clipped_tiles(p.in.height, all.out_height, p.filter.height / 2));
    expect_at_most("global loads of in", double(seen.of("in").loads.lanes), clipped, cells);
    expect_at_least("bytes loaded from in", double(seen.of("in").loads.bytes), 4 * pixels);
    expect_at_most("global loads of filter", double(seen.of("filter").loads.lanes), taps, all.cells());
    expect_count("global stores of out", times_stored(seen), pixels, 1);
    expect_at_most("bytes loaded by all kernels", double(total.loads.bytes),
                   4 * (clipped + taps + pixels) + 16 * waves,
                   4 * (cells + all.cells()) + 8 * pixels + 16 * cells);
    expect_at_most("bytes stored by all kernels", double(total.stores.bytes),
                   4 * (cells + all.cells() + pixels) + 8 * waves,
                   8 * (cells + all.cells()) + 4 * pixels + 8 * cells);
    expect_company("global loads of in", seen.of("in").loads);
}

/// A pixel in each corner, and no other: what reaches past an edge and comes in at the opposite one stands alone there.
problem_2d corners(int width, int height, int filter_width, int filter_height) {
    problem_2d p = noise(width, height, filter_width, filter_height);
    std::ranges::fill(p.in.pixels, 0.0f);
    const size_t last_row = size_t(height - 1) * width;
    p.in.pixels[0] = 1;
    p.in.pixels[width - 1] = 2;
    p.in.pixels[last_row] = 3;
    p.in.pixels[last_row + width - 1] = 4;
    return p;
}

}  // namespace

TEST_CASE("[10] the worked example of the handout") {
    const problem_2d example{{3, 1, 1, {1, 2, 3}}, {3, 1, {1, 2, 3}, "1 2 3"}};
    REQUIRE(convolve_cpu(example).value == std::vector<double>{8, 14, 8});
    expect_clean(in_one(example));
}

TEST_CASE("[15] the reference at many sizes") {
    expect_values(in_one(noise(64, 64, 3, 3)));
    expect_values(in_one(noise(96, 31, 9, 5)));
    expect_values(in_one(noise(47, 64, 5, 13)));
    expect_values(in_one(noise(80, 50, 43, 21)));
    expect_values(in_one({checkerboard_image(64, 64), gaussian_filter(7, 1.5)}));
    expect_values(in_one({ramp_image(64, 32), box_filter(3)}));
    expect_values(in_one({impulse_image(64, 40, 33, 7), random_filter(5, 3, seed())}));
    expect_values(in_one(noise(1000, 600, 3, 3)));  // more blocks than a block has threads
}

TEST_CASE("[10] images and filters of odd shapes") {
    for (const auto& [width, height] : {std::pair{1, 1}, {7, 5}, {67, 41}, {1, 50}, {101, 1}, {31, 33}})
        expect_clean(in_one(noise(width, height, 3, 5)));
    expect_clean(in_one(noise(53, 29, 1, 1)));
    expect_clean(in_one(noise(1, 1, 1, 1)));
    expect_clean(in_one(noise(37, 23, 9, 1)));
    expect_clean(in_one(noise(23, 37, 1, 11)));
    expect_clean(in_one(noise(3, 4, 11, 13)));  // the filter is larger than the image
    expect_clean(in_one(noise(5, 9, 7, 25)));
    expect_values(in_one(noise(drawn_odd(11, 99, 1), drawn_odd(11, 99, 2), drawn_odd(3, 33, 3), 5)));
}

TEST_CASE("[10] no edge sees the opposite one") {
    // Planes without a column or a row to spare: 29 + 3 = 32, 25 + 2 = 27.
    for (const auto& [width, height, filter_width, filter_height] :
         {std::array{29, 25, 7, 5}, {60, 14, 9, 3}, {27, 33, 1, 7}, {6, 4, 9, 9}}) {
        expect_values(in_one(corners(width, height, filter_width, filter_height)));
        expect_values(in_one(noise(width, height, filter_width, filter_height)));
    }
}

TEST_CASE("[10] planes are as small as they may be and transformed once each") {
    for (const problem_2d& p :
         {noise(100, 45, 7, 5), noise(64, 119, 3, 5), noise(40, 20, 23, 1), noise(9, 7, 19, 21)})
        expect_transforms(in_one(p));
}

TEST_CASE("[10] kernels load and store no more than they need") {
    for (const problem_2d& p : {noise(100, 45, 7, 5), noise(62, 119, 5, 3)})
        expect_traffic(in_one(p));
    expect_full_warps(inspect_right(one_plane, in_one(noise(128, 62, 1, 5)).problem));
}

TEST_CASE("[15] overlapping tiles at many sizes") {
    expect_clean(in_tiles(16, noise(50, 37, 5, 3)));
    expect_clean(in_tiles(12, noise(40, 41, 3, 7)));
    expect_values(in_tiles(64, noise(150, 90, 9, 9)));
    expect_values(in_tiles(15, noise(67, 41, 15, 3)));  // one output across
    expect_clean(in_tiles(8, noise(1, 1, 3, 3)));
    expect_clean(in_tiles(7, noise(30, 1, 3, 5)));
    expect_clean(in_tiles(20, noise(3, 4, 11, 13)));
    expect_values(in_tiles(1, noise(6, 5, 1, 1)));
    expect_values(in_tiles(16, corners(48, 36, 5, 9)));  // whole tiles
    expect_values(in_tiles(fast_side(drawn_odd(13, 33, 1)), noise(70, 50, drawn_odd(3, 11, 2), 7)));
}

TEST_CASE("[10] no more tiles than cover the image and one transform of the filter") {
    for (const auto& [tile, p] :
         {std::pair{16, noise(100, 45, 7, 5)}, {32, noise(64, 119, 3, 5)}, {15, noise(24, 22, 5, 3)}}) {
        expect_transforms(in_tiles(tile, p));
        expect_traffic(in_tiles(tile, p));
    }
    const posed small = in_tiles(6, noise(20, 20, 3, 7));
    expect_refused(small.method, small.problem, {6, 7});
    const posed narrow = in_tiles(8, noise(20, 20, 9, 1));
    expect_refused(narrow.method, narrow.problem, {8, 9});
    expect_values(in_tiles(9, noise(20, 20, 9, 1)));  // just large enough
}

TEST_CASE("[10] all is given back and no failure is hidden") {
    for (const posed& one : {in_one(noise(70, 30, 5, 3)), in_tiles(16, noise(70, 30, 5, 3))}) {
        expect_given_back(one.method, one.problem);
        expect_failures_told(one.method, one.problem);
    }
}
