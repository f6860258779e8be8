// Numbers of 16 bits as bit patterns: a sign, an exponent, and MANTISSA bits behind the point.
#pragma once
#include <cstdint>

#include "simt/conversions.h"

namespace simt {

enum class rounding { nearest, to_zero, down, up };

template <int MANTISSA>
struct float16_format {
    static constexpr int EXPONENT_BITS = 15 - MANTISSA;
    static constexpr int BIAS = (1 << (EXPONENT_BITS - 1)) - 1;
    static constexpr unsigned INFINITY_BITS = ((1u << EXPONENT_BITS) - 1) << MANTISSA;
    static constexpr unsigned NAN_BITS = 0x7fff;  // the one that a GPU makes

    /// Rounded once.
    static constexpr SIMT_ALWAYS_INLINE uint16_t from(double value, rounding how = rounding::nearest) {
        constexpr int WIDE_MANTISSA = 52, WIDE_BIAS = 1023;
        const uint64_t bits = __builtin_bit_cast(uint64_t, value);
        const bool is_negative = bits >> 63;
        const unsigned sign = is_negative ? 0x8000 : 0;
        const uint64_t magnitude = bits & ~(uint64_t{1} << 63);
        if (magnitude > uint64_t{0x7ff} << WIDE_MANTISSA) return NAN_BITS;
        if (magnitude == uint64_t{0x7ff} << WIDE_MANTISSA) return uint16_t(sign | INFINITY_BITS);
        if (magnitude == 0) return uint16_t(sign);
        // Numbers of 64 bits that are too small for a leading 1 are too small for anything but a rounding up.
        const int exponent = int(magnitude >> WIDE_MANTISSA) - WIDE_BIAS;
        const uint64_t digits = (magnitude & ((uint64_t{1} << WIDE_MANTISSA) - 1)) | uint64_t{1}
                                                                                         << WIDE_MANTISSA;
        const bool is_small = exponent < 1 - BIAS;
        int cut = WIDE_MANTISSA - MANTISSA + (is_small ? 1 - BIAS - exponent : 0);
        if (cut > WIDE_MANTISSA + 2) cut = WIDE_MANTISSA + 2;
        const uint64_t rest = digits & ((uint64_t{1} << cut) - 1), half = uint64_t{1} << (cut - 1);
        unsigned kept = unsigned(digits >> cut);
        const bool grows = how == rounding::nearest ? rest > half || (rest == half && (kept & 1))
                           : how == rounding::down  ? is_negative && rest != 0
                           : how == rounding::up    ? !is_negative && rest != 0
                                                    : false;
        kept += grows;
        // A carry runs into the exponent, as it should.
        const int begin = is_small ? 0 : (exponent + BIAS - 1) << MANTISSA;
        const bool is_too_large = exponent > BIAS || begin + kept >= INFINITY_BITS;
        if (!is_too_large) return uint16_t(sign | (begin + kept));
        const bool stays_finite = how == rounding::to_zero || (how == rounding::down && !is_negative) ||
                                  (how == rounding::up && is_negative);
        return uint16_t(sign | (stays_finite ? INFINITY_BITS - 1 : INFINITY_BITS));
    }

    /// Exact. Without branches, so that loops of it become vector instructions.
    static constexpr SIMT_ALWAYS_INLINE float to_float(uint16_t bits) {
        constexpr int SHIFT = 23 - MANTISSA;
        const unsigned sign = (bits & 0x8000u) << 16, magnitude = bits & 0x7fffu;
        if (BIAS == 127) return __builtin_bit_cast(float, sign | magnitude << SHIFT);
        // As a float's bits the number is too small by a power of two, be it denormal.
        constexpr float SCALE = __builtin_bit_cast(float, unsigned(127 + 127 - BIAS) << 23);
        const float scaled = __builtin_bit_cast(float, magnitude << SHIFT) * SCALE;
        const unsigned no_number = magnitude >= INFINITY_BITS ? 0x7f800000u : 0u;
        return __builtin_bit_cast(float, __builtin_bit_cast(unsigned, scaled) | sign | no_number);
    }
};

}  // namespace simt
