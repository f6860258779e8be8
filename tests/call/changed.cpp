// Calls in which the device gets another input than the host, whatever way it comes.
#include <doctest/doctest.h>

#include <bit>
#include <cmath>

#include "student_workers.h"

namespace {

constexpr uint64_t KEY = 20261124;
constexpr size_t N = 64;  // more than what a copy and a launch are counted

std::vector<float> input() {
    std::vector<float> in(N);
    for (size_t k = 0; k < in.size(); k++)
        in[k] = float(k) + 0.5f;
    return in;
}

std::vector<float> changed_input(std::vector<float> in = input()) {
    const check::changed_words changed(KEY, {});
    for (float& value : in)
        value = std::bit_cast<float>(changed.of(std::bit_cast<uint32_t>(value)));
    return in;
}

struct seen {
    std::vector<float> out;
    check::changes_seen changes;
};

seen by_way(float way, uint64_t key, const std::vector<float>& in = input()) {
    static check::worker_process worker(student_worker("ways_to_the_device", "inspect"));
    std::vector<float> out(in.size());
    check::call_options options;
    options.change_key = key;
    const check::call_result result = CALL(worker, options, scale, out, in, way, rounding::none);
    CHECK(result.trouble == "");
    return {out, result.changes};
}

}  // namespace

TEST_CASE("the device gets other values: memory, rows, symbols, arrays, arguments, doubles") {
    for (const float way : {0.0f, 1.0f, 2.0f, 3.0f, 4.0f, 5.0f}) {
        CAPTURE(way);
        const seen blind = by_way(way, KEY);
        CHECK(blind.out == changed_input());
        CHECK(blind.changes.words == N);
        CHECK(blind.changes.news < N);  // what it frees
    }
}

TEST_CASE("a ghost cell and its neighbour are no double, though they look like one that is another element") {
    std::vector<float> in = input();
    in[0] = 0.0f, in[1] = 0.5f, in[2] = std::ldexp(1.0f, -15);
    REQUIRE(std::bit_cast<double>(uint64_t(std::bit_cast<uint32_t>(in[1])) << 32) == in[2]);
    CHECK(by_way(0, KEY, in).out == changed_input(in));
}

TEST_CASE("what the host has made of its input is the host's") {
    const seen blind = by_way(8, KEY);
    for (size_t k = 0; k < N; k++)
        CHECK(blind.out[k] == 1000 + input()[k]);
    CHECK(blind.changes.words == 0);
}

TEST_CASE("what the host tells the device after it has read is counted, but for what it was told") {
    for (const float way : {6.0f, 10.0f}) {  // its input, and what it has read
        CAPTURE(way);
        const seen again = by_way(way, KEY);
        CHECK(again.out == changed_input());
        CHECK(again.changes.news < 4 * N);  // a copy and a launch
    }
    for (const float way : {7.0f, 9.0f, 11.0f}) {  // as floats, as arguments of launches, as addresses
        CAPTURE(way);
        CHECK(by_way(way, KEY).changes.news > 4 * N);
        CHECK(by_way(way, 0).changes.news == 0);
    }
}

TEST_CASE("that the host asks at all is counted, for the clock may have told it something; fetching is not") {
    CHECK(by_way(12, KEY).changes.news > 4 * N);
    CHECK(by_way(13, KEY).changes.news < N);
}

TEST_CASE("input among the arguments is told from other input") {
    CHECK(by_way(4, KEY).changes.arguments == N);
    CHECK(by_way(0, KEY).changes.arguments == 0);
}

TEST_CASE("without a key, and in the next call, nothing is changed") {
    for (const float way : {0.0f, 4.0f}) {
        by_way(way, KEY);
        const seen plain = by_way(way, 0);
        CHECK(plain.out == input());
        CHECK(plain.changes.words == 0);
    }
}

TEST_CASE("a changed word has its sign and its exponent; zeros, infinities and kept words stay") {
    const auto bits = [](float value) { return std::bit_cast<uint32_t>(value); };
    const check::changed_words changed(1, {bits(2.5f), bits(0.75f)});
    for (const float value : {0.0f, -0.0f, INFINITY, 1e-40f, 2.5f, 0.75f})
        CHECK(changed.of(bits(value)) == bits(value));
    for (const float value : {1.0f, -3.0f, 1e-20f, 255.0f}) {
        const auto other = std::bit_cast<float>(changed.of(bits(value)));
        CHECK(other != value);
        CHECK(std::signbit(other) == std::signbit(value));
        CHECK(std::ilogb(other) == std::ilogb(value));
    }
    CHECK(changed.of(bits(1)) != check::changed_words(2, {}).of(bits(1)));
}
