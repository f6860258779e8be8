// Which words of its input the device gets as others, in calls that ask who computes (check/blind_call.h).
#pragma once
#include <cstdint>
#include <vector>

namespace check {

/// By a key: a float becomes another one of its sign and exponent. What is 0 or no number stays, and so do words that are
/// to be kept, those of the call's other arguments.
class changed_words {
public:
    changed_words(uint64_t key, std::vector<uint32_t> kept);
    uint32_t of(uint32_t word) const;

private:
    uint64_t mixed_key_;
    std::vector<uint32_t> kept_;  // sorted
};

/// What such a call has seen on the way to the device.
struct changes_seen {
    uint64_t words = 0;      // of the input that arrived as others
    uint64_t arguments = 0;  // of these, among the arguments of kernels
    uint64_t news = 0;       // bytes of its own that the host told after it had read from the device
};

}  // namespace check
