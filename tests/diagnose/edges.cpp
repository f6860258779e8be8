// Diagnosis of lengths of gradients: a mistake in any of the steps is named, and one in the filter as such.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "diagnose/diagnose.h"

using namespace check;

namespace {

using pixels = std::vector<float>;

problem_2d noise(lab::border mode = lab::border::zero) {
    problem_2d p{noise_image(37, 23, 1, 3), random_filter(5, 3, 4), mode};
    find_edges(p);
    return p;
}

pixels filtered(const problem_2d& p, const image& in, const filter& by) {
    return convolve_serial(problem_2d{in, by, p.border});
}

/// The steps after the filter, the last of which is `last`.
pixels edges(const problem_2d& p, const pixels& blurred, const std::function<float(float, float)>& last) {
    image between = p.in;
    between.pixels = blurred;
    const pixels gx = filtered(p, between, p.gradient[0]), gy = filtered(p, between, p.gradient[1]);
    pixels out(gx.size());
    for (size_t k = 0; k < out.size(); k++)
        out[k] = last(gx[k], gy[k]);
    return out;
}

/// With the right steps before it.
std::string id_of(const problem_2d& p, const std::function<float(float, float)>& last) {
    return diagnose(edges(p, filtered(p, p.in, p.filter), last), p, {}).id;
}

/// With the right steps after it.
diagnosis cause_of(const problem_2d& p, const pixels& blurred) {
    const auto last = [&](float gx, float gy) {
        return std::hypot(gx, gy) >= p.threshold ? std::hypot(gx, gy) : 0.0f;
    };
    return diagnose(edges(p, blurred, last), p, {});
}

}  // namespace

TEST_CASE("right edges have no cause") {
    for (const auto mode : {lab::border::zero, lab::border::clamp})
        CHECK(cause_of(noise(mode), filtered(noise(mode), noise(mode).in, noise(mode).filter)).id == "");
}

TEST_CASE("lengths and thresholds") {
    const problem_2d p = noise();
    const float t = p.threshold;
    const auto length = [](float gx, float gy) { return std::sqrt(gx * gx + gy * gy); };
    const auto longer = [](float gx, float gy) { return std::max(std::abs(gx), std::abs(gy)); };
    CHECK(id_of(p, length) == "threshold-wrong");
    CHECK(id_of(p, [&](float gx, float gy) { return length(gx, gy) < t ? length(gx, gy) : 0; }) ==
          "threshold-wrong");
    CHECK(id_of(p, [&](float gx, float gy) { return longer(gx, gy) >= t ? length(gx, gy) : 0; }) ==
          "threshold-wrong");
    CHECK(id_of(p, [&](float gx, float gy) {
              const float sum = std::abs(gx) + std::abs(gy);
              return sum >= t ? sum : 0;
          }) == "length-wrong");
    CHECK(id_of(p, [&](float gx, float gy) { return gx * gx + gy * gy >= t ? gx * gx + gy * gy : 0; }) ==
          "length-wrong");
    CHECK(id_of(p, [&](float gx, float) { return std::abs(gx) >= t ? std::abs(gx) : 0; }) == "step-left-out");
    CHECK(id_of(p, [&](float gx, float gy) { return gx + gy >= t ? gx + gy : 0; }) == "");  // not known
}

TEST_CASE("what comes before the gradients") {
    const problem_2d p = noise();
    CHECK(cause_of(p, p.in.pixels).text == "in the filtered image: the input came back unchanged");
    filter flipped = p.filter;
    std::ranges::reverse(flipped.taps);
    const diagnosis found = cause_of(p, filtered(p, p.in, flipped));
    CHECK(found.id == "filter-flipped");
    CHECK(found.text == "in the filtered image: the filter is flipped: its last tap is used first");
}

TEST_CASE("a filtered image that goes on where the image ends") {
    const problem_2d p = noise();
    constexpr int RING = 1;  // how far Sobel's filters reach
    problem_2d larger = p;
    larger.in = {p.in.width + 2 * RING, p.in.height + 2 * RING, 1, {}};
    larger.in.pixels.assign(size_t(larger.in.width) * larger.in.height, 0.0f);
    for (int y = 0; y < p.in.height; y++)
        std::copy_n(&p.in.pixels[size_t(y) * p.in.width], p.in.width,
                    &larger.in.pixels[size_t(y + RING) * larger.in.width + RING]);
    const pixels all = serial_values(larger);
    pixels out;
    for (int y = 0; y < p.in.height; y++)
        for (int x = 0; x < p.in.width; x++)
            out.push_back(all[size_t(y + RING) * larger.in.width + x + RING]);
    CHECK(diagnose(out, p, {}).id == "ghost-not-zero");
}

TEST_CASE("one tap of a gradient that is another") {
    const problem_2d p = noise();
    const auto with = [&](int row, int column, float tap, int to_row, int to_column) {
        problem_2d typed = p;
        std::vector<float>& taps = typed.gradient[0].taps;
        taps[size_t(row * 3 + column)] = 0;
        taps[size_t(to_row * 3 + to_column)] += tap;
        const auto last = [&](float gx, float gy) {
            return std::hypot(gx, gy) >= p.threshold ? std::hypot(gx, gy) : 0.0f;
        };
        return diagnose(edges(typed, filtered(p, p.in, p.filter), last), p, {}).id;
    };
    CHECK(with(1, 0, -2, 1, 0) == "");  // as it is
    CHECK(with(1, 0, 2, 1, 0) == "sign-wrong");
    CHECK(with(1, 0, -1, 1, 0) == "product-wrong");
    CHECK(with(1, 0, 0, 1, 0) == "taps-left-out");
    CHECK(with(1, 0, -2, 2, 0) == "neighbour-index-wrong");
    CHECK(with(0, 0, -1, 0, 1) == "neighbour-index-wrong");
}

TEST_CASE("edges that are stored beside their place") {
    const problem_2d p = noise();
    const auto last = [&](float gx, float gy) {
        return std::hypot(gx, gy) >= p.threshold ? std::hypot(gx, gy) : 0.0f;
    };
    pixels out = edges(p, filtered(p, p.in, p.filter), last);
    std::rotate(out.begin(), out.end() - 1, out.end());
    out.front() = NAN;
    CHECK(diagnose(out, p, {}).id == "thread-index-wrong");
}

TEST_CASE("a gradient that is 0 is not left out where it is loaded") {
    const problem_2d p = noise();
    const pixels out = edges(p, filtered(p, p.in, p.filter), [&](float, float gy) {
        return std::abs(gy) >= p.threshold ? std::abs(gy) : 0.0f;
    });
    CHECK(diagnose(out, p, {}).id == "step-left-out");
    inspect::report seen;
    seen.inspected = true;
    seen.launches.resize(4);
    for (inspect::launch& one : seen.launches) {
        one.grid[0] = 2, one.grid[1] = 1, one.grid[2] = 1;
        one.block[0] = 32, one.block[1] = 32, one.block[2] = 1;
    }
    seen.launches.back().total.global.loads.lanes = 2 * out.size();
    seen.launches.back().total.global.stores.lanes = out.size();
    CHECK(diagnose(out, p, seen).id != "step-left-out");
}
