// Filters: their values, their sums, and sizes that are none.
#include <doctest/doctest.h>

#include <cmath>
#include <numeric>
#include <stdexcept>

#include "problem/problem.h"

using namespace check;

namespace {

double sum_of(const filter& f) {
    return std::accumulate(f.taps.begin(), f.taps.end(), 0.0);
}

}  // namespace

TEST_CASE("sums: blurs keep brightness, edges of flat images are 0, sharpening keeps flat images") {
    for (int size : {1, 3, 9, 27, 75}) {
        CHECK(sum_of(box_filter(size)) == doctest::Approx(1.0).epsilon(1e-5));
        CHECK(sum_of(gaussian_filter(size, 0.3 * size)) == doctest::Approx(1.0).epsilon(1e-5));
        CHECK(sum_of(identity_filter(size)) == 1.0);
    }
    for (const filter& f :
         {sobel_x_filter(), sobel_y_filter(), laplacian_filter(), edge_filter(), gradient_filter()}) {
        CHECK_MESSAGE(sum_of(f) == 0.0, f.name);
    }
    CHECK(sum_of(sharpen_filter()) == 1.0);
    CHECK(sum_of(emboss_filter()) == 1.0);
}

TEST_CASE("taps of the sources") {
    CHECK(sobel_x_filter().taps ==
          std::vector<float>{-1, 0, 1, -2, 0, 2, -1, 0, 1});  // Camerino, formula 3.3
    CHECK(identity_filter(3).taps == std::vector<float>{0, 0, 0, 0, 1, 0, 0, 0, 0});
    CHECK(box_filter(5).taps == std::vector<float>(25, 0.04f));
    // Ichimura: sigma 3.2 needs 2 * ceil(4 sigma) + 1 = 27 taps; the outermost are then next to nothing.
    const filter wide = gaussian_filter(27, 3.2);
    CHECK(wide.taps[13 * 27 + 13] == doctest::Approx(1.0 / (2.0 * 3.14159265 * 3.2 * 3.2)).epsilon(1e-3));
    CHECK(wide.taps[13 * 27] < 1e-3 * wide.taps[13 * 27 + 13]);
}

TEST_CASE("a Gaussian is symmetric and falls off by exp(-d^2 / 2 sigma^2)") {
    const filter f = gaussian_filter(7, 1.5);
    for (int i = 0; i < 7; i++) {
        for (int j = 0; j < 7; j++) {
            CHECK(f.taps[i * 7 + j] == f.taps[j * 7 + i]);
            CHECK(f.taps[i * 7 + j] == f.taps[(6 - i) * 7 + 6 - j]);
        }
    }
    CHECK(f.taps[3 * 7 + 5] / f.taps[3 * 7 + 3] ==
          doctest::Approx(std::exp(-4.0 / (2 * 1.5 * 1.5))).epsilon(1e-6));
}

TEST_CASE("random filters lie in [-1, 1), repeat, and have no symmetry to hide a mistake behind") {
    const filter f = random_filter(5, 3, 11);
    CHECK(f.width == 5);
    CHECK(f.height == 3);
    CHECK(f.taps == random_filter(5, 3, 11).taps);
    CHECK(f.taps != random_filter(5, 3, 12).taps);
    for (float tap : f.taps)
        CHECK((tap >= -1.0f && tap < 1.0f));
    for (int k = 0; k < 7; k++)
        CHECK(f.taps[k] != f.taps[14 - k]);
    CHECK(random_filter(4 + 1, 1, 42).taps != random_values(5, 42));  // not the pixels of the same seed
}

TEST_CASE("sizes without a centre and sigmas that are none") {
    CHECK_THROWS_WITH_AS(box_filter(4),
                         "box_filter: size 4; a filter has a centre, so its size must be odd and at least 1",
                         std::invalid_argument);
    CHECK_THROWS_AS(box_filter(0), std::invalid_argument);
    CHECK_THROWS_AS(identity_filter(-3), std::invalid_argument);
    CHECK_THROWS_AS(random_filter(3, 2), std::invalid_argument);
    for (double sigma : {0.0, -1.0, double(NAN), double(INFINITY)})
        CHECK_THROWS_AS(gaussian_filter(3, sigma), std::invalid_argument);
}
