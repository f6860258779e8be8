// Tests of the call in which the device gets another input, and of what its output then says.
#include "check/blind_call.h"

#include <doctest/doctest.h>

#include <bit>

#include "problem/compare.h"

using namespace check;

namespace {

template <class problem_type>
std::vector<float> right_output(const problem_type& problem) {
    const reference truth = convolve_cpu(problem);
    return {truth.value.begin(), truth.value.end()};
}

/// In which all of `problem` arrived as other words.
changes_seen all_changed(const problem_1d& problem) {
    return {uint64_t(problem.n()), 0, 0};
}

}  // namespace

TEST_CASE("every value of the input changes but zeros, and the output shows it") {
    const problem_1d problem{{1, 2, 0, 4, 5, 6, 7}, {3, 4, 5, 4, 3}};
    for (uint64_t seed = 0; seed < 50; seed++) {
        const auto blind = make_blind(problem, seed);
        REQUIRE(blind);
        CHECK(blind->of_device.taps == problem.taps);
        for (size_t k = 0; k < problem.in.size(); k++) {
            const bool stays = k == 2;
            CHECK((blind->of_host.in[k] == problem.in[k]) == stays);
            CHECK((blind->of_device.in[k] == blind->of_host.in[k]) == stays);
        }
        CHECK_FALSE(compare(right_output(problem), convolve_cpu(blind->of_device)).right());
    }
}

TEST_CASE("a value that is a tap, too, changes whether the call passes the tap or not") {
    const problem_1d problem{{1, 2, 3, 4, 5}, {1, 1, 1}};
    const auto blind = make_blind(problem, 42);
    REQUIRE(blind);
    const changed_words without_taps(blind->key, {});
    for (size_t k = 0; k < problem.in.size(); k++)
        CHECK(std::bit_cast<uint32_t>(blind->of_device.in[k]) ==
              without_taps.of(std::bit_cast<uint32_t>(blind->of_host.in[k])));
}

TEST_CASE("what the device has of an input keeps the factors of a filter, and not its taps") {
    const problem_2d problem{{5, 1, 1, {2, 3, 5, 6, 15}}, separable_filter({3}, {2, 5, 1})};
    REQUIRE(problem.filter.taps == std::vector<float>{6, 15, 3});
    const problem_2d there = as_on_device(problem, 42);
    for (size_t k = 0; k < 5; k++)
        CHECK((there.in.pixels[k] == problem.in.pixels[k]) == (k < 3));
}

TEST_CASE("there is none where nothing changes") {
    CHECK_FALSE(make_blind(problem_1d{{0, 0, 0}, {2}}, 1));
    CHECK(make_blind(problem_1d{{2}, {2}}, 1));
    CHECK_FALSE(make_blind(problem_1d{{}, {1}}, 1));
    CHECK(make_blind(problem_1d{{1, 1, 1, 1}, {2}}, 1));
}

TEST_CASE("the device's output is right; the host's, a part of it and any other are told") {
    const problem_1d problem{random_values(40, 3), random_values(5, 4)};
    const auto blind = make_blind(problem, 42);
    REQUIRE(blind);
    const std::vector<float> of_host = right_output(blind->of_host),
                             of_device = right_output(blind->of_device);
    CHECK(computed_by_host(*blind, of_device, all_changed(problem)) == "");
    CHECK(computed_by_host(*blind, of_host, all_changed(problem)) ==
          "no kernel computed these values: the input was changed on its way to the device, and they do not "
          "show it");
    CHECK(computed_by_host(*blind, of_host, {}) ==
          "no kernel computed these values: the device was never given the input");
    std::vector<float> mixed = of_device;
    mixed[7] = of_host[7];
    CHECK(computed_by_host(*blind, mixed, all_changed(problem))
              .starts_with(
                  "no kernel computed these values: the input was changed on its way to the device, and not "
                  "all of them show it: element 7: expected "));
}

TEST_CASE("what the host has told the device after it had read is told") {
    CHECK(told_by_host(400, {400, 0, 1168}) == "");
    CHECK(told_by_host(400, {400, 0, 1169}) ==
          "no kernel computed these values: after it had read from the device the host told it 1169 bytes of "
          "its own");
    CHECK(told_by_host(400, {400, 64, 0}) == "");
    CHECK(told_by_host(400, {400, 65, 0}) ==
          "the input came to the kernel among its arguments, 65 values, where no loads are counted");
}

TEST_CASE("of an image, too") {
    const problem_2d problem{noise_image(9, 7, 3, 5), random_filter(3, 5, 6)};
    const auto blind = make_blind(problem, 7);
    REQUIRE(blind);
    CHECK(computed_by_host(*blind, right_output(blind->of_device), {189, 0, 0}) == "");
    CHECK(computed_by_host(*blind, right_output(blind->of_host), {189, 0, 0})
              .starts_with("no kernel computed these values: "));
}
