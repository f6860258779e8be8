// Values as a display takes them: scaled, clamped, and bounds for both.
#include <doctest/doctest.h>

#include "problem/compare.h"
#include "problem/describe.h"
#include "problem/problem.h"

using namespace check;

namespace {

problem_2d displayed(image in, filter taps, float scale) {
    problem_2d p{std::move(in), std::move(taps)};
    p.display_scale = scale;
    return p;
}

}  // namespace

TEST_CASE("what a display takes is scaled first and clamped then") {
    const problem_2d p = displayed({4, 1, 1, {-3, 1, 100, 200}}, identity_filter(1), 2);
    const reference truth = convolve_cpu(p);
    CHECK(truth.value == std::vector<double>{0, 2, 200, 255});
    CHECK(serial_values(p) == std::vector<float>{0, 2, 200, 255});
    CHECK(describe(p).find("displayed at scale 2") != std::string::npos);
}

TEST_CASE("a serial loop's values lie within the bounds, and unclamped or unscaled ones do not") {
    const problem_2d p = displayed(noise_image(40, 30, 3), random_filter(5, 3), 90.1f);
    const reference truth = convolve_cpu(p);
    CHECK(compare(serial_values(p), truth).right());
    problem_2d other = p;
    other.display_scale = 90;
    CHECK(!compare(serial_values(other), truth).right());
    other.display_scale = 0;
    std::vector<float> values = convolve_serial(other);
    for (float& value : values)
        value *= 90.1f;
    CHECK(!compare(values, truth).right());
}
