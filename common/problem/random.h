// Random numbers that are the same on every machine: the standard's distributions are not.
#pragma once
#include <cstdint>

namespace check {

/// SplitMix64 (Steele, Lea, Flood 2014).
class random_source {
public:
    explicit random_source(uint64_t seed) : state_(seed) {}

    uint64_t bits() {
        state_ += 0x9e3779b97f4a7c15;
        uint64_t mixed = state_;
        mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9;
        mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111eb;
        return mixed ^ (mixed >> 31);
    }

    /// Uniform in [-1, 1), a multiple of 2^-23, so that the float is exact.
    float symmetric() {
        const float fraction = float(bits() >> 40) / float(1 << 23);  // [0, 2)
        return fraction - 1.0f;
    }

private:
    uint64_t state_;
};

}  // namespace check
