// Checks of lab 06: the filter in constant memory, from one tap to all that fit, and what the kernel still
// loads.
#include "conv2d_constant.h"

#include <algorithm>

#include "check/check.h"

using namespace check;

static const method_2d constant{"constant", [](auto& worker, auto& options, auto out, auto& p) {
                                    return CALL(worker, options, conv2d_constant, out, p.in.pixels,
                                                p.filter.taps, p.in.width, p.in.height, p.filter.radius());
                                }};

/// Seeded noise under a filter that has no symmetry to hide a mistake behind; another `variant`, other taps.
static problem_2d noise(int width, int height, int radius, int variant = 1) {
    const int taps = 2 * radius + 1;
    return {noise_image(width, height, 1, seed()), random_filter(taps, taps, seed() + variant)};
}

/// Taps inside the image, summed over its outputs: what a guarded kernel loads of the image.
static double inside_taps(const problem_2d& p) {
    return double(valid_taps(p.in.width, p.filter.radius()) * valid_taps(p.in.height, p.filter.radius()));
}

/// All taps of all outputs, ghost cells too.
static double all_taps(const problem_2d& p) {
    return double(p.in.pixels.size() * p.filter.taps.size());
}

/// Sectors per request of the image loads of warps that stand on 32 pixels of one row. Rows start on a
/// sector. Per warp and tap, the lanes inside the image touch a run of pixels.
static double sectors_per_row_request(const problem_2d& p) {
    const int width = p.in.width, r = p.filter.radius();
    double requests = 0, sectors = 0;
    for (int first = 0; first < width; first += 32) {
        for (int j = -r; j <= r; j++) {
            const int begin = std::max(first + j, 0);
            const int end = std::min(std::min(first + 32, width) + j, width);
            if (begin >= end) continue;
            requests += 1;
            sectors += (end - 1) / 8 - begin / 8 + 1;
        }
    }
    return sectors / requests;
}

TEST_CASE("[10] the worked example of the handout") {
    const image pixels{4, 3, 1, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}};
    const filter first{3, 3, {1, 2, 3, 4, 5, 6, 7, 8, 9}, "1..9"};
    const filter second{3, 3, {0, 0, 0, 0, 0, 1, 0, -2, 0}, "right less twice below"};
    REQUIRE(convolve_cpu({pixels, second}).value ==
            std::vector<double>{-8, -9, -10, -16, -12, -13, -14, -24, 10, 11, 12, 0});
    expect_right(constant, {pixels, first});
    expect_right(constant, {pixels, second});
}

TEST_CASE("[15] the reference at many sizes") {
    expect_right(constant, noise(64, 48, 1));
    expect_right(constant, noise(96, 40, 2));
    expect_right(constant, noise(128, 64, 4));
    expect_right(constant, {checkerboard_image(64, 64), gaussian_filter(5, 1.0)});
    expect_right(constant, {noise_image(96, 64, 1, seed()), gradient_filter()});
    expect_right(constant, {impulse_image(64, 40, 33, 7), random_filter(7, 7, seed())});
}

TEST_CASE("[15] images that do not fill their blocks") {
    for (const auto& [width, height] :
         {std::pair{1, 1}, {7, 5}, {33, 7}, {31, 9}, {67, 41}, {1, 50}, {101, 1}})
        expect_right(constant, noise(width, height, 1));
    expect_right(constant, noise(53, 29, 3));
    expect_right(constant, noise(3, 4, 5));  // the filter is wider than the image
    expect_right(constant, noise(37, 23, 0));
}

TEST_CASE("[10] every call uses its own filter") {
    // What an earlier call left in constant memory must not show: the same size again, then shorter, then
    // longer.
    expect_right(constant, noise(40, 20, 2, 1));
    expect_right(constant, noise(40, 20, 2, 2));
    expect_right(constant, noise(40, 20, 1, 3));
    expect_right(constant, noise(40, 20, 3, 4));
}

TEST_CASE("[15] filters up to the largest that fits") {
    expect_right(constant, noise(60, 30, 15));
    expect_right(constant, noise(50, 40, 22));
    expect_right(constant, noise(45, 39, 32));
    expect_right(constant, noise(70, 66, 63));  // 127 x 127 taps of 16384; some pixel meets each of them
}

TEST_CASE("[10] a filter that does not fit is refused") {
    expect_refused(constant, noise(5, 4, 64), {16641, 16384});
    expect_refused(constant, noise(70, 66, 70), {19881, 16384});
    expect_right(constant, noise(20, 10, 1));  // and does no harm to the next call
}

TEST_CASE("[15] the taps come from constant memory in one broadcast per warp") {
    for (const problem_2d& p : {noise(67, 41, 2), noise(96, 17, 4)}) {
        const auto seen = inspect_right(constant, p);
        expect_count("global loads of filter", seen.of("filter").loads.lanes, 0);
        // The margin admits kernels that multiply ghost cells by their taps. One that uses a tap for several
        // outputs makes fewer loads, but every tap has to be read once.
        expect_at_most("constant loads", seen.total().constant.lanes, inside_taps(p), all_taps(p));
        expect_at_least("bytes loaded from constant memory", seen.total().constant.bytes,
                        4.0 * p.filter.taps.size());
        // The margin admits a kernel whose threads begin at their first tap inside the image: it breaks the
        // broadcast in the warps at the two edges.
        expect_at_most("addresses per request of constant memory",
                       seen.total().constant.wavefronts_per_request(), 1, 2.5);
    }
}

TEST_CASE("[10] half of the global loads of lab 05 and neighbours side by side") {
    for (const problem_2d& p : {noise(72, 41, 2), noise(96, 21, 3)}) {
        const auto seen = inspect_right(constant, p);
        const inspect::traffic loads = seen.total().global.loads;
        // Lab 05 makes twice inside_taps: these and as many of its filter. The margin admits ghost cells.
        expect_at_most("global loads of in and all else", loads.lanes, inside_taps(p), all_taps(p));
        expect_at_least("bytes loaded from global memory", loads.bytes, 4.0 * p.in.pixels.size());
        expect_at_most("sectors per request of in", loads.sectors_per_request(), sectors_per_row_request(p),
                       8);
        expect_at_most("global stores of out", seen.of("out").stores.lanes, p.in.pixels.size(),
                       p.in.pixels.size());
    }
}
