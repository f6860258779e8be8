// The truth against values worked out by hand and against an independent formulation; borders; closed forms.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "problem/compare.h"
#include "problem/problem.h"

using namespace check;
using lab::border;
using lab::border_index;

namespace {

/// Convolution as the product with a matrix made of impulse responses: every
/// input value is scattered to the outputs it reaches, ghost cells are copies
/// that lie outside. Shares nothing with the reference but the definition.
std::vector<double> scattered(const problem_2d& p) {
    const int width = p.in.width, height = p.in.height, channels = p.in.channels;
    const int rx = p.filter.width / 2, ry = p.filter.height / 2;
    std::vector<double> out(p.in.pixels.size(), 0.0);
    for (int ghost_y = -ry; ghost_y < height + ry; ghost_y++) {
        for (int ghost_x = -rx; ghost_x < width + rx; ghost_x++) {
            int x = ghost_x, y = ghost_y;
            if (p.border == border::zero && (x < 0 || y < 0 || x >= width || y >= height)) continue;
            if (p.border == border::clamp) {
                x = std::min(std::max(x, 0), width - 1);
                y = std::min(std::max(y, 0), height - 1);
            }
            if (p.border == border::mirror) {
                while (x < 0 || x >= width)
                    x = x < 0 ? -1 - x : 2 * width - 1 - x;
                while (y < 0 || y >= height)
                    y = y < 0 ? -1 - y : 2 * height - 1 - y;
            }
            for (int to_y = 0; to_y < height; to_y++) {
                for (int to_x = 0; to_x < width; to_x++) {
                    const int i = ghost_y - to_y, j = ghost_x - to_x;
                    if (std::abs(i) > ry || std::abs(j) > rx) continue;
                    for (int c = 0; c < channels; c++) {
                        out[(size_t(to_y) * width + to_x) * channels + c] +=
                            double(p.in.pixels[(size_t(y) * width + x) * channels + c]) *
                            double(p.filter.taps[size_t(i + ry) * p.filter.width + j + rx]);
                    }
                }
            }
        }
    }
    return out;
}

}  // namespace

TEST_CASE("PMPP figures 7.2 to 7.4: N = 1..7 and M = 3 4 5 4 3") {
    const problem_1d p{{1, 2, 3, 4, 5, 6, 7}, {3, 4, 5, 4, 3}};
    const reference truth = convolve_cpu(p);
    CHECK(truth.value == std::vector<double>{22, 38, 57, 76, 95, 90, 74});
    CHECK(convolve_serial(p) == std::vector<float>{22, 38, 57, 76, 95, 90, 74});
}

TEST_CASE("the sum is not flipped") {
    // An impulse brings out the filter back to front: out[x] = sum in[x + j] f[j + r].
    const problem_1d p{{0, 0, 1, 0, 0}, {1, 2, 3}};
    CHECK(convolve_cpu(p).value == std::vector<double>{0, 3, 2, 1, 0});
    const problem_2d q{impulse_image(3, 3, 1, 1), {3, 3, {1, 2, 3, 4, 5, 6, 7, 8, 9}, ""}, border::zero};
    CHECK(convolve_cpu(q).value == std::vector<double>{9, 8, 7, 6, 5, 4, 3, 2, 1});
}

TEST_CASE("every border, shape and channel count agrees with the scattered sum") {
    for (border mode : {border::zero, border::clamp, border::mirror}) {
        for (auto [width, height] : {std::pair{1, 1}, {5, 4}, {13, 1}, {1, 7}, {17, 11}}) {
            for (auto [taps_x, taps_y] : {std::pair{1, 1}, {3, 3}, {5, 3}, {1, 7}, {9, 9}, {15, 1}}) {
                for (int channels : {1, 3}) {
                    const problem_2d p{noise_image(width, height, channels, 7),
                                       random_filter(taps_x, taps_y, 8), mode};
                    const reference truth = convolve_cpu(p);
                    const std::vector<double> other = scattered(p);
                    const std::vector<float> serial = convolve_serial(p);
                    REQUIRE(truth.value.size() == other.size());
                    for (size_t k = 0; k < other.size(); k++) {
                        CHECK(std::abs(truth.value[k] - other[k]) <= 1e-12);
                        CHECK(std::abs(double(serial[k]) - truth.value[k]) <= truth.bound[k]);
                    }
                }
            }
        }
    }
}

TEST_CASE("the bound is gamma times the sum of magnitudes") {
    const problem_1d p{{3, -4, 5}, {2, 1, -1}};
    const reference truth = convolve_cpu(p);
    const double u = std::ldexp(1.0, -24), gamma_3 = 3 * u / (1 - 3 * u);
    const double smallest = std::numeric_limits<float>::min();
    CHECK(truth.value == std::vector<double>{7, -3, -3});
    CHECK(truth.bound[0] == doctest::Approx(gamma_3 * 7 + smallest).epsilon(1e-12));   // 3*1 + 4*1
    CHECK(truth.bound[1] == doctest::Approx(gamma_3 * 15 + smallest).epsilon(1e-12));  // 3*2 + 4*1 + 5*1
    CHECK(convolve_cpu(problem_1d{{0, 0}, {1}}).bound == std::vector<double>{smallest, smallest});
}

TEST_CASE("given as factors a filter has a bound of its two sums") {
    const double u = std::ldexp(1.0, -24), gamma_8 = 8 * u / (1 - 8 * u);
    const double smallest = std::numeric_limits<float>::min();
    const problem_2d p{impulse_image(9, 9, 4, 4), separable_filter({1, 2, 3}, {4, 5, 6})};
    CHECK(p.filter.taps == std::vector<float>{4, 5, 6, 8, 10, 12, 12, 15, 18});
    CHECK(convolve_cpu(p).bound[3 * 9 + 3] == doctest::Approx(gamma_8 * 18 + smallest).epsilon(1e-12));
    for (const auto& [width, height] : {std::pair{1, 1}, {1, 9}, {9, 1}, {3, 3}, {17, 5}, {43, 43}}) {
        const problem_2d noise{noise_image(31, 23), separable_filter(width, height)};
        const reference truth = convolve_cpu(noise);
        const std::vector<float> serial = convolve_serial(noise);
        for (size_t k = 0; k < serial.size(); k++)
            CHECK(std::abs(double(serial[k]) - truth.value[k]) <= truth.bound[k]);
    }
}

TEST_CASE("what may be left out widens the bound by the length of the pixels") {
    const double u = std::ldexp(1.0, -24), smallest = std::numeric_limits<float>::min();
    problem_2d p{{3, 1, 1, {3, 0, 4}}, {3, 1, {0, 6, 8}, ""}};  // lengths: 5 of the pixels, 10 of the taps
    p.left_out = 0.25;
    const double gamma_7 = 7 * u / (1 - 7 * u);  // 3 taps, 1 term, 3 roundings of factors
    CHECK(convolve_cpu(p).bound[1] == doctest::Approx((gamma_7 * 10 + 0.25) * 5 + smallest).epsilon(1e-12));
    CHECK(convolve_cpu(p).bound[0] == doctest::Approx((gamma_7 * 10 + 0.25) * 3 + smallest).epsilon(1e-12));
}

/// The nearest number of 11 bits.
static float rounded_to_11_bits(float value) {
    int exponent = 0;
    const double mantissa = std::frexp(value, &exponent);
    return float(std::ldexp(std::nearbyint(mantissa * 2048) / 2048, exponent));
}

TEST_CASE("in fp16 a sum has a bound of its own and in two parts one that is about that of floats") {
    const double u = std::ldexp(1.0, -24), smallest = std::numeric_limits<float>::min();
    problem_2d p{impulse_image(9, 9, 4, 4), {3, 3, {1, 2, 3, 4, 5, 6, 7, 8, 9}, ""}};
    const auto bound = [&](int parts) {
        p.fp16_parts = parts;
        return convolve_cpu(p).bound[3 * 9 + 3];  // of the tap 9
    };
    const double unscaled = smallest + 9 * std::ldexp(9.0, -36);  // 9 taps, the largest is 9
    CHECK(bound(0) == doctest::Approx(9 * 9 * u).epsilon(1e-5));
    CHECK(bound(1) == doctest::Approx(9 * (std::ldexp(1.0, -10) + 36 * u) + unscaled).epsilon(1e-3));
    CHECK(bound(2) == doctest::Approx(9 * 12 * 8 * u + unscaled).epsilon(1e-5));
    // Rounded once, noise lies within the first bound, and not within the second.
    p = {noise_image(31, 23), random_filter(5, 3)};
    problem_2d rounded = p;
    for (std::vector<float>* const values : {&rounded.in.pixels, &rounded.filter.taps})
        std::ranges::transform(*values, values->begin(), rounded_to_11_bits);
    const std::vector<float> out = convolve_serial(rounded);
    p.fp16_parts = 1;
    CHECK(compare(out, convolve_cpu(p)).right());
    p.fp16_parts = 2;
    CHECK(compare(out, convolve_cpu(p)).wrong_count > out.size() / 2);
    CHECK(compare(convolve_serial(p), convolve_cpu(p)).right());
}

TEST_CASE("by Fourier transforms all outputs have one bound") {
    const double u = std::ldexp(1.0, -24), smallest = std::numeric_limits<float>::min();
    problem_2d p{{2, 2, 1, {3, 0, 0, 4}},
                 {3, 1, {0, 6, 8}, ""}};               // lengths: 5 of the image, 10 of the filter
    p.transform_tile = 8;                              // 64 cells
    const double gamma_296 = 296 * u / (1 - 296 * u);  // 3 transforms, 16 for each of 6 binary digits, 8
    for (const double bound : convolve_cpu(p).bound)
        CHECK(bound == doctest::Approx(gamma_296 * 50 + smallest).epsilon(1e-12));
    p.transform_tile = 0;  // 3 x 2 cells
    CHECK(convolve_cpu(p).bound[0] == doctest::Approx(133 * u * 50).epsilon(1e-5));
}

TEST_CASE("planes that are transformed") {
    const auto sides = [](int width, int height, int filter_width, int filter_height, int tile) {
        problem_2d p{noise_image(width, height), random_filter(filter_width, filter_height)};
        p.transform_tile = tile;
        const planes all = planes_of(p);
        return std::vector<int>{all.width, all.height, all.out_width, all.out_height, all.count};
    };
    CHECK(sides(3, 1, 3, 1, 0) == std::vector<int>{4, 1, 3, 1, 1});
    CHECK(sides(100, 45, 7, 5, 0) == std::vector<int>{105, 48, 100, 45, 1});
    CHECK(sides(2, 2, 21, 23, 0) == std::vector<int>{12, 14, 2, 2, 1});
    CHECK(sides(100, 45, 7, 5, 16) == std::vector<int>{16, 16, 10, 12, 40});
    std::vector<int> fast;
    for (int side = fast_side(1); side <= 50; side = fast_side(side + 1))
        fast.push_back(side);
    CHECK(fast == std::vector<int>{1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 12, 14, 15, 16, 18, 20,
                                   21, 24, 25, 27, 28, 30, 32, 35, 36, 40, 42, 45, 48, 49, 50});
}

TEST_CASE("a column times a row given as factors is the same filter within roundings") {
    problem_2d p{noise_image(5, 5), gaussian_filter(9, 2.0)};
    const filter before = p.filter;
    give_as_factors(p);
    CHECK(p.filter.column.size() == 9);
    for (size_t k = 0; k < before.taps.size(); k++)
        CHECK(p.filter.taps[k] == doctest::Approx(before.taps[k]).epsilon(1e-6));
    give_to_factor(p);
    CHECK(p.filter.column.empty());
    CHECK(p.left_out > 0);
    CHECK(p.left_out < 1e-6);
    problem_2d zero{noise_image(5, 5), {3, 1, {0, 0, 0}, ""}};
    give_to_factor(zero);
    CHECK(zero.filter.taps == std::vector<float>{0, 0, 0});
    CHECK(zero.left_out > 0);
}

TEST_CASE("chosen outputs are those of the whole truth") {
    problem_2d p{noise_image(9, 6, 3), random_filter(3, 5)};
    for (const border mode : {border::zero, border::clamp, border::mirror}) {
        for (const double left_out : {0.0, 0.01}) {
            p.border = mode;
            p.left_out = left_out;
            const reference whole = convolve_cpu(p);
            const std::vector<size_t> chosen = {161, 0, 77};
            const reference some = convolve_cpu(p, chosen);
            for (size_t k = 0; k < chosen.size(); k++) {
                CHECK(some.value[k] == whole.value[chosen[k]]);
                CHECK(some.bound[k] == whole.bound[chosen[k]]);
            }
        }
    }
    const std::vector<size_t> outside = {162};
    CHECK_THROWS_AS(convolve_cpu(p, outside), std::invalid_argument);
}

TEST_CASE("problems that are none") {
    CHECK_THROWS_WITH_AS(convolve_cpu(problem_1d{{1, 2}, {1, 2}}),
                         "a filter of 2x1 with 2 taps: both sides must be odd and fit the taps",
                         std::invalid_argument);
    CHECK_THROWS_AS(convolve_cpu(problem_1d{{1, 2}, {1, NAN, 1}}), std::invalid_argument);
    CHECK_THROWS_AS(convolve_cpu(problem_1d{{1, INFINITY}, {1}}), std::invalid_argument);
    CHECK_THROWS_AS(convolve_cpu(problem_1d{{}, {1}}), std::invalid_argument);
    CHECK_THROWS_AS(convolve_cpu(problem_2d{{4, 4, 1, std::vector<float>(15)}, box_filter(3), border::zero}),
                    std::invalid_argument);
}

TEST_CASE("border_index") {
    const auto row = [](border mode) {
        std::vector<int> indices;
        for (int position = -4; position < 7; position++)
            indices.push_back(border_index(position, 3, mode));
        return indices;
    };
    CHECK(row(border::zero) == std::vector<int>{-1, -1, -1, -1, 0, 1, 2, -1, -1, -1, -1});
    CHECK(row(border::clamp) == std::vector<int>{0, 0, 0, 0, 0, 1, 2, 2, 2, 2, 2});
    CHECK(row(border::mirror) == std::vector<int>{2, 2, 1, 0, 0, 1, 2, 2, 1, 0, 0});
    for (border mode : {border::clamp, border::mirror}) {
        for (int position = -9; position < 9; position++)
            CHECK(border_index(position, 1, mode) == 0);
    }
}

TEST_CASE("closed forms count what loops count") {
    for (int n : {1, 2, 7, 31, 100}) {
        for (int radius : {0, 1, 3, 8, 40}) {
            uint64_t taps = 0;
            for (int x = 0; x < n; x++) {
                for (int j = -radius; j <= radius; j++)
                    taps += x + j >= 0 && x + j < n;
            }
            CHECK(valid_taps(n, radius) == taps);
            if (n >= radius)
                CHECK(valid_taps(n, radius) == uint64_t(n * (2 * radius + 1) - radius * (radius + 1)));
            for (int tile : {1, 4, 16, 128}) {
                uint64_t loads = 0;
                for (int begin = 0; begin < n; begin += tile) {
                    for (int x = begin - radius; x < begin + tile + radius; x++)
                        loads += x >= 0 && x < n;
                }
                CHECK(clipped_tiles(n, tile, radius) == loads);
            }
        }
    }
    // LABS.md: k full tiles load n + 2r(k-1); PMPP exercise 5c with N = 8 and M = 3: 484 multiplications.
    CHECK(clipped_tiles(64, 16, 3) == 64 + 2 * 3 * (4 - 1));
    CHECK(valid_taps(8, 1) * valid_taps(8, 1) == 484);
}

TEST_CASE("loads by a sweep are those of rows where a tile is a row, and more where warps lie badly") {
    const auto problem = [](int width, int height, int filter_width, int filter_height, int channels = 1) {
        return problem_2d{noise_image(width, height, channels), random_filter(filter_width, filter_height)};
    };
    // Full warps, without a halo: four sectors each. Of 3
    // channels each loads every third float of 12 sectors.
    const row_loads whole = loads_by_sweep(problem(64, 8, 1, 1), {32, 8, 32, 8});
    CHECK(whole.requests == 16);
    CHECK(whole.sectors == 64);
    const row_loads colour = loads_by_sweep(problem(64, 8, 1, 1, 3), {32, 8, 32, 8});
    CHECK(colour.requests == 3 * 16);
    CHECK(colour.sectors == 3 * 16 * 12);
    // A halo of one column: of every row, the first block loads columns 0 to 30, then 31 and 32; the second
    // 31 to 62, then 63.
    const row_loads halo = loads_by_sweep(problem(64, 2, 3, 1), {32, 2, 32, 2});
    CHECK(halo.requests == 2 * 4);
    CHECK(halo.sectors == 2 * (4 + 2 + 5 + 1));
    // Two rows of the image in a warp: 24 floats without a gap, or 12 and 12 that start on sectors.
    CHECK(loads_by_sweep(problem(12, 2, 1, 1), {16, 16, 16, 16}).sectors == 3);
    CHECK(loads_by_sweep(problem(12, 2, 1, 1), {16, 16, 16, 16}, true).sectors == 4);
    // All lanes of all requests are those of clipped tiles: a sector at least for every 8 of them.
    const problem_2d odd = problem(83, 41, 7, 5);
    const double lanes = double(clipped_tiles(83, 20, 3) * clipped_tiles(41, 12, 2));
    const row_loads seen = loads_by_sweep(odd, {20, 12, 26, 16});
    CHECK(seen.sectors >= lanes / 8);
    CHECK(seen.requests >= lanes / 32);
}
