// A word's lower bits, all but the first of a float's mantissa, are mixed with the key's.
#include "call/changed_words.h"

#include <algorithm>

namespace check {
namespace {

constexpr uint32_t EXPONENT = 0x7f800000, CHANGED = 0x003fffff;

/// Vigna's splitmix64.
uint64_t mix(uint64_t value) {
    value += 0x9e3779b97f4a7c15;
    value = (value ^ value >> 30) * 0xbf58476d1ce4e5b9;
    value = (value ^ value >> 27) * 0x94d049bb133111eb;
    return value ^ value >> 31;
}

}  // namespace

changed_words::changed_words(uint64_t key, std::vector<uint32_t> kept)
    : mixed_key_(mix(key)), kept_(std::move(kept)) {
    std::ranges::sort(kept_);
}

uint32_t changed_words::of(uint32_t word) const {
    const uint32_t exponent = word & EXPONENT;
    if (exponent == 0 || exponent == EXPONENT || std::ranges::binary_search(kept_, word)) return word;
    return word ^ (uint32_t(mix(mixed_key_ ^ word)) & CHANGED);
}

}  // namespace check
