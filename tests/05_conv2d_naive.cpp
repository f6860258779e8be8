// Checks of lab 05: 2D convolution with one thread per pixel, in three ways.
#include "conv2d_naive.h"

#include <tuple>

#include "check/check.h"

using namespace check;

static const method_2d naive{"naive", [](auto& worker, auto& options, auto out, auto& p) {
                                 return CALL(worker, options, conv2d_naive, out, p.in.pixels, p.filter.taps,
                                             p.in.width, p.in.height, p.filter.radius());
                             }};
static const method_2d padded{"padded", [](auto& worker, auto& options, auto out, auto& p) {
                                  return CALL(worker, options, conv2d_padded, out, p.in.pixels, p.filter.taps,
                                              p.in.width, p.in.height, p.filter.radius(), p.border);
                              }};
static const method_2d pitched{"pitched",
                               [](auto& worker, auto& options, auto out, auto& p) {
                                   return CALL(worker, options, conv2d_pitched, out, p.in.pixels,
                                               p.filter.taps, p.in.width, p.in.height, p.in.channels,
                                               p.filter.radius());
                               },
                               3};

static const method_2d* const ALL[] = {&naive, &padded, &pitched};

TEST_CASE("[10] the worked example of the handout") {
    const std::vector<float> pixels = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
    const std::vector<float> taps = {1, 2, 3, 4, 5, 6, 7, 8, 9};
    expect_right(naive, {{4, 3, 1, pixels}, {3, 3, taps, "1..9"}});
}

TEST_CASE("[15] the reference at many sizes") {
    expect_right(naive, random_problem_2d(64, 48, 1));
    expect_right(naive, random_problem_2d(96, 40, 2));
    expect_right(naive, random_problem_2d(128, 64, 4));
    expect_right(naive, {checkerboard_image(64, 64), gaussian_filter(5, 1.0)});
    expect_right(naive, {ramp_image(64, 32), sobel_x_filter()});
    expect_right(naive, {impulse_image(64, 40, 33, 7), random_filter(7, 7, seed())});
    for (const auto& [width, height, radius] : {std::tuple{40, 30, 7},
                                                {25, 20, 20},
                                                {70, 3, 33},
                                                {3, 70, 33},
                                                {45, 44, 21},
                                                {30, 24, drawn_odd(9, 15, 1)}}) {
        for (const method_2d* method : ALL)
            expect_right(*method, random_problem_2d(width, height, radius, method->channels));
    }
}

TEST_CASE("[20] images that do not fill their blocks") {
    for (const auto& [width, height] :
         {std::pair{1, 1}, {7, 5}, {33, 7}, {31, 9}, {67, 41}, {1, 50}, {101, 1}})
        expect_right(naive, random_problem_2d(width, height, 1));
    expect_right(naive, random_problem_2d(53, 29, 3));
    expect_right(naive, random_problem_2d(3, 4, 5));  // the filter is wider than the image
    expect_right(naive, random_problem_2d(37, 23, 0));
    const std::vector<int> widths = lengths_around(64, 2), heights = lengths_around(32, 2);
    for (size_t k = 0; k < widths.size(); k++) {
        for (const method_2d* method : ALL)
            expect_right(*method, random_problem_2d(widths[k], heights[k], 2, method->channels));
    }
    for (const method_2d* method : ALL)
        expect_large_right(*method, random_problem_2d(70000, 3, 1, method->channels));
    for (const method_2d* method : {&naive, &padded}) {
        const int rows = tall_image(inspect_right(*method, random_problem_2d(40, 30, 1)));
        expect_large_right(*method, random_problem_2d(3, rows, 1));
    }
    expect_large_right(pitched, random_problem_2d(3, 40000, 1));
}

TEST_CASE("[15] zero and clamp and mirror borders on the padded image") {
    for (lab::border mode : {lab::border::zero, lab::border::clamp, lab::border::mirror}) {
        for (auto [width, height, radius] :
             {std::tuple{64, 48, 2}, {35, 21, 3}, {5, 3, 4}, {1, 1, 1}, {2, 3, 9}}) {
            problem_2d p = random_problem_2d(width, height, radius);
            p.border = mode;
            expect_right(padded, p);
        }
    }
}

TEST_CASE("[10] colour images with a pitch") {
    expect_right(pitched, random_problem_2d(64, 32, 1, 3));
    expect_right(pitched, random_problem_2d(45, 31, 2, 3));
    expect_right(pitched, random_problem_2d(131, 10, 2, 1));
    expect_right(pitched, random_problem_2d(40, 11, 1, 2));
    expect_right(pitched, random_problem_2d(9, 17, 3, 4));
    expect_right(pitched, random_problem_2d(23, 9, 2, 5));
    expect_right(pitched, random_problem_2d(1, 1, 1, 3));
}

TEST_CASE("[10] no more loads and stores than taps and pixels") {
    const problem_2d p = random_problem_2d(67, 41, 2);
    const auto seen = inspect_right(naive, p);
    const double pixels = 67 * 41, taps = 25;
    const double in = seen.of("in").loads.lanes, filter = seen.of("filter").loads.lanes;
    // The margin admits a kernel that loads a pixel for every ghost cell and multiplies it by 0.
    expect_at_most("global loads of in", in, inside_taps(p), all_taps(p));
    expect_at_least("global loads of in", in, pixels);
    expect_at_most("global loads of filter", filter, inside_taps(p), broadcast_taps(seen, p));
    expect_at_least("global loads of filter", filter, taps);
    expect_at_most("global stores of out", times_stored(seen), pixels, pixels);
    // Ghost cells may have been put around a copy of the image, which has no name.
    expect_at_most("global loads of the naive version", seen.total().global.loads.lanes, 2 * inside_taps(p),
                   2 * (all_taps(p) + pixels));

    problem_2d padded_case = random_problem_2d(67, 41, 2);
    padded_case.border = lab::border::mirror;
    const auto padded_seen = inspect_right(padded, padded_case);
    expect_at_most("global loads of the padded version", padded_seen.total().global.loads.lanes,
                   2 * all_taps(p), 1.1 * all_taps(p) + broadcast_taps(padded_seen, p));
    expect_at_most("global stores of out by the padded version", times_stored(padded_seen), pixels, pixels);

    const problem_2d colour = random_problem_2d(21, 13, 1, 3);
    const auto colour_seen = inspect_right(pitched, colour);
    expect_at_most("global loads of in by the pitched version", colour_seen.of("in").loads.lanes,
                   inside_taps(colour), all_taps(colour));
    expect_at_least("global loads of in by the pitched version", colour_seen.of("in").loads.lanes,
                    3 * 21 * 13);
    expect_at_most("global loads of filter by the pitched version", colour_seen.of("filter").loads.lanes,
                   inside_taps(colour), broadcast_taps(colour_seen, colour));
    expect_at_most("global stores of out by the pitched version", times_stored(colour_seen), 3 * 21 * 13,
                   3 * 21 * 13);
}

TEST_CASE("[10] the threads of a warp load side by side") {
    const problem_2d grey = random_problem_2d(96, 32, 2), colour = random_problem_2d(64, 32, 1, 3);
    // A warp that walks down a column touches 32 sectors. Four outputs a thread, which a float4 stores at once,
    // make a warp 512 bytes wide: 16 sectors and an odd one.
    expect_at_most("sectors per request of in",
                   inspect_right(naive, grey).of("in").loads.sectors_per_request(),
                   loads_by_rows(grey).sectors_per_request(), 18);
    expect_at_most("sectors per request of in by the pitched version",
                   inspect_right(pitched, colour).of("in").loads.sectors_per_request(),
                   loads_by_rows(colour).sectors_per_request(), 18);
    expect_company("loads of in", inspect_right(naive, grey).of("in").loads);
    expect_company("loads of in by the pitched version", inspect_right(pitched, colour).of("in").loads);
    expect_company("global loads of the padded version", inspect_right(padded, grey).total().global.loads);
}

TEST_CASE("[5] whole warps store side by side and no block is left over") {
    for (const method_2d* method : ALL) {
        const auto seen = inspect_right(*method, random_problem_2d(128, 64, 0, method->channels));
        expect_full_warps(seen);
        expect_blocks(seen, blocks_needed(main_launch(seen), 128 * method->channels, 64));
        for (const auto& [width, height] : {std::pair{128, 64}, {129, 64}, {128, 89}}) {
            const auto haloed = inspect_right(*method, random_problem_2d(width, height, 3, method->channels));
            expect_no_blocks_for_the_halo(haloed, width * method->channels, height);
        }
    }
}

TEST_CASE("[5] all device memory is given back and no failure is hidden") {
    for (const method_2d* method : ALL) {
        expect_given_back(*method, random_problem_2d(70, 30, 2, method->channels));
        expect_failures_told(*method, random_problem_2d(70, 30, 2, method->channels));
    }
}
