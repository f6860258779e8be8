// Diagnosis of what a display takes: scale and limits, and what goes wrong in the filter before.
#include <doctest/doctest.h>

#include <algorithm>
#include <functional>

#include "diagnose/diagnose.h"

using namespace check;

namespace {

problem_2d noise() {
    problem_2d p{noise_image(37, 23, 3, 3), random_filter(5, 3, 4)};
    p.display_scale = 160;
    return p;
}

std::string id_of(const problem_2d& p, std::vector<float> sums, const std::function<float(float)>& last) {
    std::ranges::transform(sums, sums.begin(), last);
    return diagnose(sums, p, {}).id;
}

float limited(float value) {
    return std::clamp(value, 0.0f, BRIGHTEST);
}

}  // namespace

TEST_CASE("scale and limits, each left out or in the wrong order") {
    const problem_2d p = noise();
    const std::vector<float> sums = convolve_serial(p);
    const float scale = p.display_scale;
    CHECK(id_of(p, sums, [=](float sum) { return limited(scale * sum); }) == "");
    CHECK(id_of(p, sums, [=](float sum) { return scale * sum; }) == "display-wrong");
    CHECK(id_of(p, sums, [=](float sum) { return scale * limited(sum); }) == "display-wrong");
    CHECK(id_of(p, sums, limited) == "display-wrong");
    CHECK(id_of(p, sums, [](float sum) { return sum; }) == "display-wrong");
}

TEST_CASE("a flipped filter shows through both") {
    const problem_2d p = noise();
    problem_2d flipped = p;
    std::ranges::reverse(flipped.filter.taps);
    CHECK(id_of(p, convolve_serial(flipped), [&](float sum) { return limited(p.display_scale * sum); }) ==
          "filter-flipped");
}
