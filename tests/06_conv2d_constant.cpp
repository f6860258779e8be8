// Checks of lab 06: the filter in constant memory, from one
// tap to all that fit, and what the kernel still loads.
#include "conv2d_constant.h"

#include "check/check.h"

using namespace check;

static const method_2d constant{"constant", [](auto& worker, auto& options, auto out, auto& p) {
                                    return CALL(worker, options, conv2d_constant, out, p.in.pixels,
                                                p.filter.taps, p.in.width, p.in.height, p.filter.radius());
                                }};

TEST_CASE("[10] the worked example of the handout") {
    const image pixels{4, 3, 1, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}};
    const filter first{3, 3, {1, 2, 3, 4, 5, 6, 7, 8, 9}, "1..9"};
    const filter second{3, 3, {0, 0, 0, 0, 0, 1, 0, -2, 0}, "right less twice below"};
    REQUIRE(convolve_cpu({pixels, second}).value ==
            std::vector<double>{-8, -9, -10, -16, -12, -13, -14, -24, 10, 11, 12, 0});
    expect_right(constant, {pixels, first});
    expect_right(constant, {pixels, second});
}

TEST_CASE("[10] the reference at many sizes") {
    expect_right(constant, random_problem_2d(64, 48, 1));
    expect_right(constant, random_problem_2d(96, 40, 2));
    expect_right(constant, random_problem_2d(128, 64, 4));
    expect_right(constant, {checkerboard_image(64, 64), gaussian_filter(5, 1.0)});
    expect_right(constant, {noise_image(96, 64, 1, seed()), gradient_filter()});
    expect_right(constant, {impulse_image(64, 40, 33, 7), random_filter(7, 7, seed())});
}

TEST_CASE("[15] images that do not fill their blocks") {
    for (const auto& [width, height] :
         {std::pair{1, 1}, {7, 5}, {33, 7}, {31, 9}, {67, 41}, {1, 50}, {101, 1}})
        expect_right(constant, random_problem_2d(width, height, 1));
    expect_right(constant, random_problem_2d(53, 29, 3));
    expect_right(constant, random_problem_2d(3, 4, 5));  // the filter is wider than the image
    expect_right(constant, random_problem_2d(37, 23, 0));
    const std::vector<int> widths = lengths_around(64, 2), heights = lengths_around(32, 2);
    for (size_t k = 0; k < widths.size(); k++)
        expect_right(constant, random_problem_2d(widths[k], heights[k], 2));
    expect_large_right(constant, random_problem_2d(70000, 3, 1));
    const int rows = tall_image(inspect_right(constant, random_problem_2d(40, 30, 1)));
    expect_large_right(constant, random_problem_2d(3, rows, 1));
}

TEST_CASE("[10] every call uses its own filter") {
    // What an earlier call left in constant memory must not
    // show: the same size again, then shorter, then longer.
    expect_right(constant, random_problem_2d(40, 20, 2, 1, 1));
    expect_right(constant, random_problem_2d(40, 20, 2, 1, 2));
    expect_right(constant, random_problem_2d(40, 20, 1, 1, 3));
    expect_right(constant, random_problem_2d(40, 20, 3, 1, 4));
}

TEST_CASE("[10] filters up to the largest that fits") {
    expect_right(constant, random_problem_2d(40, 30, 7));
    expect_right(constant, random_problem_2d(30, 24, drawn_odd(9, 13, 1)));
    expect_right(constant, random_problem_2d(60, 30, 15));
    expect_right(constant, random_problem_2d(45, 44, 21));
    expect_right(constant, random_problem_2d(45, 11, 32));
    // 127 x 127 taps of 16384; between them pixels meet each column and each row of taps.
    expect_right(constant, random_problem_2d(70, 3, 63));
    expect_right(constant, random_problem_2d(3, 66, 63));
}

TEST_CASE("[10] a filter that does not fit is refused") {
    expect_refused(constant, random_problem_2d(5, 4, 64), {16641, 16384});
    expect_refused(constant, random_problem_2d(70, 66, 70), {19881, 16384});
    expect_right(constant, random_problem_2d(20, 10, 1));  // and does no harm to the next call
}

TEST_CASE("[15] the taps come from constant memory in one broadcast per warp") {
    for (const problem_2d& p : {random_problem_2d(67, 41, 2), random_problem_2d(96, 17, 4)}) {
        const auto seen = inspect_right(constant, p);
        expect_count("global loads of filter", seen.of("filter").loads.lanes, 0);
        // A kernel may read a tap again and again, each time by one broadcast, or once for several outputs.
        expect_at_least("bytes loaded from constant memory", seen.total().constant.bytes,
                        4.0 * p.filter.taps.size());
        // The margin admits a kernel whose threads begin at their first tap inside the image: it breaks the
        // broadcast in the warps at the two edges.
        expect_at_most("addresses per request of constant memory",
                       seen.total().constant.wavefronts_per_request(), 1, 2.5);
    }
}

TEST_CASE("[10] half of the global loads of lab 05 and neighbours side by side") {
    for (const problem_2d& p : {random_problem_2d(72, 64, 2), random_problem_2d(96, 32, 3)}) {
        const auto seen = inspect_right(constant, p);
        const inspect::traffic loads = seen.total().global.loads;
        // Lab 05 makes twice inside_taps: these and as many of its filter. The margin admits ghost cells.
        expect_at_most("global loads of in and all else", loads.lanes, inside_taps(p), all_taps(p));
        expect_at_least("bytes loaded from global memory", loads.bytes, 4.0 * p.in.pixels.size());
        // Lab 05: 17 for a warp whose threads have four outputs side by side, 32 for one down a column.
        expect_at_most("sectors per request of in", loads.sectors_per_request(),
                       loads_by_rows(p).sectors_per_request(), 18);
        expect_company("global loads", loads);
        expect_at_most("global stores of out", times_stored(seen), p.in.pixels.size(), p.in.pixels.size());
    }
}

TEST_CASE("[5] whole warps store side by side and no block is left over") {
    const auto seen = inspect_right(constant, random_problem_2d(128, 64, 0));
    expect_full_warps(seen);
    expect_blocks(seen, blocks_needed(main_launch(seen), 128, 64));
    for (const auto& [width, height] : {std::pair{128, 64}, {129, 64}, {128, 89}}) {
        const auto haloed = inspect_right(constant, random_problem_2d(width, height, 3));
        expect_no_blocks_for_the_halo(haloed, width, height);
    }
}

TEST_CASE("[5] all device memory is given back and no failure is hidden") {
    expect_given_back(constant, random_problem_2d(70, 30, 2));
    expect_failures_told(constant, random_problem_2d(70, 30, 2));
}
