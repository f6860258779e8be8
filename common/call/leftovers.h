// What a call made on the device and did not give back: in the words of worker, judge and tests.
#pragma once
#include <cstdint>
#include <string>

namespace check {

/// Numbers of things. On the CPU backend alone: a GPU does not tell.
struct leftovers {
    uint64_t device_bytes = 0;  // of memory and arrays
    uint64_t textures = 0, streams = 0, events = 0, host_pieces = 0;
    uint64_t plans = 0;  // of transforms

    bool operator==(const leftovers&) const = default;
};

/// What there is more of than before.
leftovers left_over(const leftovers& before, const leftovers& after);

/// "4096 bytes of device memory, 1 texture object"; "" if nothing is left.
std::string to_text(const leftovers& what);

}  // namespace check
