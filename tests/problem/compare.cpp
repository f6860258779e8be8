// Comparison: NaN, infinities, signed zeros, the bound itself; and how far damage extends, in words.
#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <stdexcept>

#include "diagnose/wrong_region.h"
#include "problem/compare.h"
#include "problem/describe.h"

using namespace check;

namespace {

comparison against(const std::vector<float>& out, const reference& truth) {
    return compare(out, truth);
}

std::string first(const std::vector<float>& out, const reference& truth, const shape& where) {
    return first_wrong(out, truth, compare(out, truth), where);
}

/// wrong_region() of an output whose wrong values are chosen by a function of x, y, channel.
std::string damage(const shape& where, const std::function<bool(int, int, int)>& wrong) {
    comparison found;
    found.wrong.resize(where.values());
    for (size_t k = 0; k < where.values(); k++) {
        const int pixel = int(k) / where.channels;
        found.wrong[k] = wrong(pixel % where.width, pixel / where.width, int(k) % where.channels);
        found.wrong_count += found.wrong[k];
    }
    return wrong_region(found, where);
}

}  // namespace

TEST_CASE("only what lies within the bound is right") {
    const reference truth{{1.0, 1.0, 1.0, 1.0, 0.0, 0.0}, {0.25, 0.25, 0.25, 0.25, 0.0, 0.0}};
    CHECK(against({1.25f, 0.75f, 1.0f, 1.0f, -0.0f, 0.0f}, truth).right());
    CHECK(against({1.26f, 1.0f, 1.0f, 1.0f, 0.0f, 0.0f}, truth).wrong_count == 1);
    const float infinity = INFINITY;
    const comparison found = against({NAN, -NAN, infinity, -infinity, 1e-45f, 0.0f}, truth);
    CHECK(found.wrong_count == 5);
    CHECK(found.first == 0);
    CHECK(found.wrong == std::vector<char>{1, 1, 1, 1, 1, 0});
}

TEST_CASE("an infinite or NaN truth is met by nothing") {
    const double infinity = INFINITY;
    CHECK(!against({INFINITY}, {{infinity}, {1.0}}).right());
    CHECK(!against({1.0f}, {{double(NAN)}, {infinity}}).right());
}

TEST_CASE("sizes that differ are a mistake of the caller") {
    CHECK_THROWS_AS(against({1, 2}, {{1.0}, {0.0}}), std::invalid_argument);
}

TEST_CASE("the first wrong pixel in words") {
    const reference truth{{0.71, 2.0, 3.0, 4.0, 5.0, 6.0}, std::vector<double>(6, 0.01)};
    CHECK(first({0.71f, 2, 3, 4, 5, 6}, truth, {3, 2}) == "");
    CHECK(first({0.71f, 2, 3, 4, NAN, 6}, truth, {3, 2}) ==
          "pixel (x=1, y=1): expected 5, got nan (never written?)");
    CHECK(first({NAN, 2, 3, 4, 5, 6}, truth, {6, 1, 1, true}) ==
          "element 0: expected 0.71, got nan (never written?)");
    CHECK(first({0.71f, 2, 3, 4, 5, 7}, truth, {1, 2, 3}) == "pixel (x=0, y=1) channel 2: expected 6, got 7");
    CHECK(first({0.71f, 2, 3, 4, 5, INFINITY}, truth, {6, 1, 1, true}) == "element 5: expected 6, got inf");
}

TEST_CASE("numbers that differ look different") {
    const reference truth{{100000.0}, {0.001}};
    CHECK(first({100000.5f}, truth, {1, 1, 1, true}) == "element 0: expected 100000, got 100000.5");
}

TEST_CASE("the largest error") {
    const reference truth{{1.0, 2.0}, {0.0, 0.0}};
    CHECK(max_error(std::vector<float>{1.5f, 2.0f}, truth) == 0.5);
    CHECK(std::isnan(max_error(std::vector<float>{NAN, 2.0f}, truth)));
    CHECK(std::isnan(max_error(std::vector<float>{5.0f, NAN}, truth)));
}

TEST_CASE("how far damage extends in one dimension") {
    const shape row{1000, 1, 1, true};
    CHECK(damage(row, [](int, int, int) { return false; }) == "");
    CHECK(damage(row, [](int, int, int) { return true; }) == "all 1000 are wrong");
    CHECK(damage(row, [](int x, int, int) { return x >= 976; }) == "24 of 1000 are wrong: the last 24");
    CHECK(damage(row, [](int x, int, int) { return x == 0; }) == "1 of 1000 is wrong: this element alone");
    CHECK(damage(row, [](int x, int, int) { return x < 3 || x >= 997; }) ==
          "6 of 1000 are wrong: the first 3 and the last 3");
    CHECK(damage(row, [](int x, int, int) { return x >= 5 && x < 9; }) ==
          "4 of 1000 are wrong: elements 5-8");
    CHECK(damage(row, [](int x, int, int) { return x % 128 == 127 || x % 128 == 0; }) ==
          "15 of 1000 are wrong: all of them within 1 element of a multiple of 128");
}

TEST_CASE("how far damage extends in two dimensions") {
    const shape image{37, 23};
    CHECK(damage(image, [](int x, int, int) { return x >= 32; }) ==
          "115 of 851 are wrong: the last 5 columns");
    CHECK(damage(image, [](int, int y, int) { return y < 3; }) == "111 of 851 are wrong: the first 3 rows");
    CHECK(damage(image, [](int, int y, int) { return y == 4; }) == "37 of 851 are wrong: row 4");
    CHECK(damage(image, [](int x, int y, int) { return x >= 16 || y >= 16; }) ==
          "595 of 851 are wrong: everything but x 0-15 y 0-15");
    CHECK(damage(image, [](int x, int y, int) { return x == 0 || y == 0 || x == 36 || y == 22; }) ==
          "116 of 851 are wrong: the outermost pixels");
    CHECK(damage(image, [](int x, int y, int) { return x >= 4 && x < 8 && y >= 4 && y < 6; }) ==
          "8 of 851 are wrong: x 4-7 y 4-5");
    CHECK(damage(image, [](int x, int y, int) { return x == 0 && y % 2 == 0; }) ==
          "12 of 851 are wrong: all of them within 1 of the border");
    CHECK(damage(image, [](int x, int y, int) { return (x + y) % 2 == 0; }) == "426 of 851 are wrong");
    CHECK(damage({1, 1}, [](int, int, int) { return true; }) == "the only value is wrong");
}

TEST_CASE("how far damage extends over channels") {
    const shape colour{8, 4, 3};
    CHECK(damage(colour, [](int, int, int c) { return c == 2; }) ==
          "32 of 96 are wrong: channel 2 everywhere");
    CHECK(damage(colour, [](int, int, int c) { return c > 0; }) ==
          "64 of 96 are wrong: channels 1 and 2 everywhere");
    CHECK(damage(colour, [](int x, int, int c) { return c == 0 && x == 7; }) ==
          "4 of 96 are wrong: channel 0 of the last column");
    CHECK(damage(colour, [](int x, int, int) { return x == 7; }) == "12 of 96 are wrong: the last column");
    CHECK(damage(colour, [](int x, int, int c) { return x == 7 && (c == 0 || c == 1); }) ==
          "8 of 96 are wrong: channels 0 and 1 of the last column");
}

TEST_CASE("problems in words") {
    problem_2d in_parts{{1, 1, 1, {2}}, identity_filter(1)};
    in_parts.fp16_parts = 1;
    CHECK(describe(in_parts) == "1x1 pixels, filter identity 1x1 (1), border zero, in fp16, in = 2");
    in_parts.fp16_parts = 2;
    CHECK(describe(in_parts) ==
          "1x1 pixels, filter identity 1x1 (1), border zero, in two parts of fp16, in = 2");
    problem_2d by_transforms{{1, 1, 1, {2}}, identity_filter(1)};
    by_transforms.transform_tile = 0;
    CHECK(describe(by_transforms) ==
          "1x1 pixels, filter identity 1x1 (1), border zero, by Fourier transforms, in = 2");
    by_transforms.transform_tile = 4;
    CHECK(describe(by_transforms) ==
          "1x1 pixels, filter identity 1x1 (1), border zero, by Fourier transforms of 4x4 cells, in = 2");
    CHECK(describe(problem_1d{{1, 2, 3}, {1, 0, -1}}) == "n = 3, filter 1 0 -1, in = 1 2 3");
    CHECK(describe(problem_1d{random_values(100, 1), random_values(63, 2)}) ==
          "n = 100, filter of 63 taps, random values");
    CHECK(describe(problem_1d{std::vector<float>(20, 3), {1}}) == "n = 20, filter 1, every pixel 3");
    CHECK(describe(problem_2d{impulse_image(64, 40, 33, 7), box_filter(5), lab::border::clamp}) ==
          "64x40 pixels, filter box 5x5, border clamp, zeros but for pixel (x=33, y=7) = 1");
    CHECK(describe(problem_2d{ramp_image(64, 32), sobel_x_filter(), lab::border::zero}) ==
          "64x32 pixels, filter sobel x 3x3 (-1 0 1 -2 0 2 -1 0 1), border zero, in[y][x] = x + 1000 y");
}
