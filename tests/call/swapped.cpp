// Calls in which the device gets one value of the input as another, whatever way it comes.
#include <doctest/doctest.h>

#include <bit>

#include "student_workers.h"

namespace {

constexpr size_t PLACE = 5;
const check::word_swap SWAP = {std::bit_cast<uint32_t>(0.375f), std::bit_cast<uint32_t>(-0.8125f)};

std::vector<float> input() {
    std::vector<float> in(32);
    for (size_t k = 0; k < in.size(); k++)
        in[k] = float(k) + 0.5f;
    in[PLACE] = std::bit_cast<float>(SWAP.host);
    return in;
}

struct seen {
    std::vector<float> out;
    uint64_t swapped = 0, answered = 0;
};

seen by_way(float way, const check::word_swap& swap) {
    static check::worker_process worker(student_worker("ways_to_the_device", "inspect"));
    const std::vector<float> in = input();
    std::vector<float> out(in.size());
    check::call_options options;
    options.swap = swap;
    const check::call_result result = CALL(worker, options, scale, out, in, way, rounding::none);
    CHECK(result.trouble == "");
    return {out, result.swapped, result.answered};
}

}  // namespace

TEST_CASE("the device gets the other value: memory, rows, symbols, arrays, arguments, doubles") {
    std::vector<float> of_device = input();
    of_device[PLACE] = std::bit_cast<float>(SWAP.device);
    for (const float way : {0.0f, 1.0f, 2.0f, 3.0f, 4.0f, 5.0f}) {
        CAPTURE(way);
        const seen blind = by_way(way, SWAP);
        CHECK(blind.out == of_device);
        CHECK(blind.swapped == 1);
    }
}

TEST_CASE("what the host has made of its input is the host's") {
    const seen blind = by_way(8, SWAP);
    CHECK(blind.out[PLACE] == 1 + std::bit_cast<float>(SWAP.host));
    CHECK(blind.swapped == 0);
}

TEST_CASE("after the host has read, only what it was given arrives as it is") {
    std::vector<float> of_device = input();
    of_device[PLACE] = std::bit_cast<float>(SWAP.device);
    const seen again = by_way(6, SWAP);
    CHECK(again.out == of_device);
    CHECK(again.answered == 0);
    const seen made = by_way(7, SWAP);
    CHECK(made.answered == made.out.size());
    for (size_t k = 0; k < made.out.size(); k++)
        CHECK(made.out[k] != -of_device[k]);
    CHECK(by_way(7, {}).answered == 0);
}

TEST_CASE("without a swap, and in the next call, nothing is changed") {
    for (const float way : {0.0f, 4.0f}) {
        by_way(way, SWAP);
        const seen plain = by_way(way, {});
        CHECK(plain.out == input());
        CHECK(plain.swapped == 0);
    }
}
