// Lengths of gradients: values, bounds, and outputs that a threshold leaves undecided.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "problem/compare.h"
#include "problem/describe.h"
#include "problem/problem.h"

using namespace check;
using lab::border;

namespace {

problem_2d edges_of(image in, filter first, float threshold, border mode = border::zero) {
    problem_2d p{std::move(in), std::move(first), mode};
    p.gradient = {sobel_x_filter(), sobel_y_filter()};
    p.threshold = threshold;
    return p;
}

size_t undecided(const reference& truth) {
    return size_t(std::ranges::count(truth.or_zero, char(true)));
}

}  // namespace

TEST_CASE("a step three high has edges of twelve, and the image's ends are steps") {
    const problem_2d p = edges_of({4, 3, 1, {0, 0, 3, 3, 0, 0, 3, 3, 0, 0, 3, 3}}, identity_filter(1), 10);
    const double corner = std::sqrt(9.0 * 9 + 9 * 9);  // beside it 9 and 3: less than 10
    const reference truth = convolve_cpu(p);
    CHECK(truth.value == std::vector<double>{0, 0, corner, corner, 0, 12, 12, 12, 0, 0, corner, corner});
    CHECK(undecided(truth) == 0);
}

TEST_CASE("the ghost cells of the filtered image are cells of their own") {
    // The blur of a pixel at the end reaches past it: what lies there is no part of the filtered image.
    const problem_2d p = edges_of({1, 1, 1, {6}}, box_filter(3), 0);
    CHECK(convolve_cpu(p).value == std::vector<double>{0});
    problem_2d clamped = edges_of({2, 1, 1, {3, 6}}, {3, 1, {0, 0, 1}, ""}, 0, border::clamp);  // 6 6
    CHECK(convolve_cpu(clamped).value == std::vector<double>{0, 0});
}

TEST_CASE("the serial loop lies within the bounds") {
    for (const border mode : {border::zero, border::clamp, border::mirror}) {
        for (const auto& [width, height] : {std::pair{1, 1}, {7, 5}, {13, 1}, {33, 20}}) {
            for (const auto& [taps_x, taps_y] : {std::pair{1, 1}, {5, 3}, {9, 9}}) {
                for (const int channels : {1, 3}) {
                    problem_2d p{noise_image(width, height, channels, 7), random_filter(taps_x, taps_y, 8),
                                 mode};
                    find_edges(p);
                    CHECK(compare(serial_values(p), convolve_cpu(p)).right());
                }
            }
        }
    }
}

TEST_CASE("bounds are some roundings wide") {
    const problem_2d p = edges_of(noise_image(40, 30), random_filter(9, 9), 0);
    const reference truth = convolve_cpu(p);
    const double longest = *std::ranges::max_element(truth.value);
    CHECK(*std::ranges::max_element(truth.bound) < 2e-4 * longest);
    CHECK(*std::ranges::min_element(truth.bound) > 0);
}

TEST_CASE("at the threshold 0 is as right as the length and nothing else is") {
    const problem_2d p = edges_of({3, 3, 1, {0, 0, 3, 0, 0, 3, 0, 0, 3}}, identity_filter(1), 12);
    const reference truth = convolve_cpu(p);
    CHECK(truth.or_zero == std::vector<char>{0, 0, 0, 0, 1, 0, 0, 0, 0});
    CHECK(truth.allows(4, 12.0f));
    CHECK(truth.allows(4, 0.0f));
    CHECK_FALSE(truth.allows(4, 6.0f));
    CHECK_FALSE(truth.allows(4, NAN));
    CHECK_FALSE(truth.allows(4, 255.0f));
    std::vector<float> out(truth.value.begin(), truth.value.end());
    CHECK(max_error(out, truth) < 1e-6);
    out[4] = 0;
    CHECK(compare(out, truth).right());
    CHECK(max_error(out, truth) < 1e-6);
    out[3] = 1e-30f;  // decided: 0 and nothing but 0
    CHECK(compare(out, truth).wrong_count == 1);
}

TEST_CASE("hardly an output is undecided") {
    problem_2d p{noise_image(300, 200), random_filter(5, 5)};
    find_edges(p);
    const reference truth = convolve_cpu(p);
    CHECK(undecided(truth) <= truth.value.size() / 10000);
    const auto kept = double(std::ranges::count_if(truth.value, [](double value) { return value > 0; }));
    CHECK(kept == doctest::Approx(double(truth.value.size()) / 3).epsilon(0.15));
}

TEST_CASE("chosen outputs are those of the whole") {
    problem_2d p{noise_image(19, 8, 3), random_filter(3, 5), border::mirror};
    find_edges(p);
    const reference whole = convolve_cpu(p);
    const std::vector<size_t> chosen = {401, 0, 77};
    const reference some = convolve_cpu(p, chosen);
    for (size_t k = 0; k < chosen.size(); k++) {
        CHECK(some.value[k] == whole.value[chosen[k]]);
        CHECK(some.bound[k] == whole.bound[chosen[k]]);
        CHECK(some.or_zero[k] == whole.or_zero[chosen[k]]);
    }
}

TEST_CASE("edges in words, and those that are none") {
    CHECK(describe(edges_of({1, 1, 1, {6}}, identity_filter(1), 2.5)) ==
          "1x1 pixels, filter identity 1x1 (1), border zero, edges of at least 2.5, in = 6");
    CHECK_THROWS_WITH_AS(convolve_cpu(edges_of({1, 1, 1, {6}}, identity_filter(1), -1)),
                         "threshold -1.000000: it must be 0 or more", std::invalid_argument);
    CHECK_THROWS_AS(convolve_cpu(edges_of({1, 1, 1, {6}}, identity_filter(1), NAN)), std::invalid_argument);
    problem_2d even = edges_of({1, 1, 1, {6}}, identity_filter(1), 0);
    even.gradient[1] = {2, 1, {1, 1}, ""};
    CHECK_THROWS_AS(convolve_cpu(even), std::invalid_argument);
}
