// Jumps of the XORWOW generator: its step is linear over bits, so that 2^k steps are a matrix of 160 x 160 of them.
#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "simt/include/curand_kernel.h"

namespace simt {
namespace {

constexpr int BITS = 160, POWERS = 67 + 64;

/// What becomes of every bit alone.
using matrix = std::array<xorwow_words, BITS>;

xorwow_words step(const xorwow_words& words) {
    const unsigned int first = words.v[0] ^ words.v[0] >> 2, last = words.v[4];
    return {{words.v[1], words.v[2], words.v[3], last, last ^ last << 4 ^ first ^ first << 1}};
}

xorwow_words image_of(const matrix& powers, const xorwow_words& words) {
    xorwow_words sum{};
    for (int word = 0; word < 5; word++) {
        for (unsigned int rest = words.v[word]; rest != 0; rest &= rest - 1) {
            const xorwow_words& of_bit = powers[32 * size_t(word) + size_t(std::countr_zero(rest))];
            for (int i = 0; i < 5; i++)
                sum.v[i] ^= of_bit.v[i];
        }
    }
    return sum;
}

/// 2^k steps, for every k that a jump can need.
const std::vector<matrix>& powers_of_step() {
    static const auto& powers = *[] {
        auto* made = new std::vector<matrix>(POWERS);
        for (int bit = 0; bit < BITS; bit++) {
            xorwow_words alone{};
            alone.v[bit / 32] = 1u << bit % 32;
            (*made)[0][size_t(bit)] = step(alone);
        }
        for (size_t k = 1; k < POWERS; k++)
            for (size_t bit = 0; bit < BITS; bit++)
                (*made)[k][bit] = image_of((*made)[k - 1], (*made)[k - 1][bit]);
        return made;
    }();
    return powers;
}

}  // namespace

xorwow_words xorwow_after(const xorwow_words& words, unsigned long long count, int log2_unit) {
    xorwow_words now = words;
    for (; count != 0; count &= count - 1)
        now = image_of(powers_of_step()[size_t(log2_unit) + size_t(std::countr_zero(count))], now);
    return now;
}

}  // namespace simt
