// Tests of the choice of a value that the device gets as another, and of what the output then says.
#include "check/blind_call.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <bit>

#include "problem/compare.h"

using namespace check;

namespace {

std::vector<float> right_output(const problem_1d& problem) {
    const reference truth = convolve_cpu(problem);
    return {truth.value.begin(), truth.value.end()};
}

/// A call in which so many words arrived as others.
call_result after(uint64_t swapped, uint64_t answered = 0) {
    call_result result;
    result.swapped = swapped;
    result.answered = answered;
    return result;
}

}  // namespace

TEST_CASE("one value changes, which stands nowhere else, and the output shows it") {
    const problem_1d problem{{1, 2, 3, 4, 5, 6, 7}, {3, 4, 5, 4, 3}};
    for (uint64_t seed = 0; seed < 50; seed++) {
        const auto blind = make_blind(problem, seed);
        REQUIRE(blind);
        const float before = problem.in[blind->place], after = blind->of_device.in[blind->place];
        CHECK(blind->swap.host == std::bit_cast<uint32_t>(before));
        CHECK(blind->swap.device == std::bit_cast<uint32_t>(after));
        CHECK(std::count(problem.taps.begin(), problem.taps.end(), before) ==
              0);  // the filter stays as it is
        CHECK(std::count(problem.in.begin(), problem.in.end(), after) == 0);
        std::vector<float> others = blind->of_device.in;
        others[blind->place] = before;
        CHECK(others == problem.in);
        CHECK_FALSE(compare(right_output(problem), convolve_cpu(blind->of_device)).right());
    }
}

TEST_CASE("there is none where no value is alone, or none shows") {
    CHECK_FALSE(make_blind(problem_1d{{1, 1, 1, 1}, {2}}, 1));
    CHECK_FALSE(make_blind(problem_1d{{0, 0, 0}, {2}}, 1));
    CHECK_FALSE(make_blind(problem_1d{{2}, {2}}, 1));
    CHECK_FALSE(make_blind(problem_1d{{1, 2, 3}, {0, 0, 0}}, 1));
    CHECK_FALSE(make_blind(problem_1d{{}, {1}}, 1));
    CHECK(make_blind(problem_1d{{1, 1, 2}, {3}}, 1)->place == 2);
}

TEST_CASE("the host's output is told, the device's is right, and of any other nothing is said") {
    const problem_1d problem{random_values(40, 3), random_values(5, 4)};
    const auto blind = make_blind(problem, 42);
    REQUIRE(blind);
    const std::vector<float> of_host = right_output(problem), of_device = right_output(blind->of_device);
    CHECK(computed_by_host(*blind, of_device, after(1)) == "");
    const std::string where = "element " + std::to_string(blind->place);
    CHECK(computed_by_host(*blind, of_host, after(1)) ==
          "no kernel computed these values: the input's " + where +
              " was changed on its way to the device, and they do not show it");
    CHECK(computed_by_host(*blind, of_host, after(0)) ==
          "no kernel computed these values: the device was never given the input's " + where);
    CHECK(computed_by_host(*blind, std::vector<float>(40, 1.0f), after(1)) == "");
    CHECK(computed_by_host(*blind, of_device, after(1, 40)) == "");
    CHECK(computed_by_host(*blind, std::vector<float>(40, 1.0f), after(1, 40)) ==
          "no kernel computed these values: after it had read from the device the host sent 40 values there "
          "that are "
          "not the input's; they were changed on their way, and the output shows it");
}

TEST_CASE("of an image, too") {
    const problem_2d problem{noise_image(9, 7, 3, 5), random_filter(3, 5, 6)};
    const auto blind = make_blind(problem, 7);
    REQUIRE(blind);
    const reference truth = convolve_cpu(problem);
    const std::vector<float> of_host(truth.value.begin(), truth.value.end());
    CHECK(computed_by_host(*blind, of_host, after(3)).starts_with("no kernel computed these values: "));
}
