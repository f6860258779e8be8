// A type of 16 bits and pairs of it, under the names of one of CUDA's two: cuda_fp16.h and cuda_bf16.h include this, and
// say which. Operations are those of float or double, exact, and then rounded once.
// (No #pragma once: it is read twice.)
#include "simt/float16_bits.h"

/// Its bits alone, and those of a pair.
struct SIMT_RAW {
    unsigned short x;
};
struct alignas(4) SIMT_RAW_PAIR {
    unsigned short x, y;
};

struct SIMT_TYPE {
    unsigned short simt_bits;

    using format = simt::float16_format<SIMT_MANTISSA_BITS>;
    SIMT_TYPE() = default;
    constexpr SIMT_ALWAYS_INLINE SIMT_TYPE(float a) : simt_bits(format::from(a)) {}
    constexpr SIMT_ALWAYS_INLINE SIMT_TYPE(double a) : simt_bits(format::from(a)) {}
#define SIMT_INTEGER(type)                                                                 \
    constexpr SIMT_ALWAYS_INLINE SIMT_TYPE(type a) : simt_bits(format::from(double(a))) {} \
    constexpr SIMT_ALWAYS_INLINE operator type() const {                                   \
        return simt::convert<type>(float(*this));                                          \
    }
    SIMT_INTEGER(short)
    SIMT_INTEGER(unsigned short)
    SIMT_INTEGER(int)
    SIMT_INTEGER(unsigned int)
    SIMT_INTEGER(long)
    SIMT_INTEGER(unsigned long)
    SIMT_INTEGER(long long)
    SIMT_INTEGER(unsigned long long)
#undef SIMT_INTEGER
#define SIMT_CHARACTER(type)                             \
    constexpr SIMT_ALWAYS_INLINE operator type() const { \
        return simt::convert<type>(float(*this));        \
    }
    SIMT_CHARACTER(char)
    SIMT_CHARACTER(signed char)
    SIMT_CHARACTER(unsigned char)
#undef SIMT_CHARACTER
    constexpr SIMT_ALWAYS_INLINE operator float() const {
        return format::to_float(simt_bits);
    }
    constexpr SIMT_ALWAYS_INLINE SIMT_TYPE(const SIMT_RAW& a) : simt_bits(a.x) {}
    constexpr SIMT_ALWAYS_INLINE operator SIMT_RAW() const {
        return {simt_bits};
    }
    /// Of the other one of the two.
    template <class other, class = typename other::format>
    explicit constexpr SIMT_ALWAYS_INLINE SIMT_TYPE(other a) : simt_bits(format::from(float(a))) {}
    constexpr SIMT_ALWAYS_INLINE operator bool() const {
        return (simt_bits & 0x7fff) != 0;
    }

    static constexpr SIMT_ALWAYS_INLINE SIMT_TYPE of_bits(unsigned short bits) {
        SIMT_TYPE made{};
        made.simt_bits = bits;
        return made;
    }
    static constexpr SIMT_ALWAYS_INLINE SIMT_TYPE rounded(double a, simt::rounding how) {
        return of_bits(format::from(a, how));
    }
    constexpr SIMT_ALWAYS_INLINE SIMT_TYPE& operator+=(SIMT_TYPE b) {
        return *this = float(*this) + float(b);
    }
    constexpr SIMT_ALWAYS_INLINE SIMT_TYPE& operator-=(SIMT_TYPE b) {
        return *this = float(*this) - float(b);
    }
    constexpr SIMT_ALWAYS_INLINE SIMT_TYPE& operator*=(SIMT_TYPE b) {
        return *this = float(*this) * float(b);
    }
    constexpr SIMT_ALWAYS_INLINE SIMT_TYPE& operator/=(SIMT_TYPE b) {
        return *this = float(*this) / float(b);
    }
    constexpr SIMT_ALWAYS_INLINE SIMT_TYPE& operator++() {
        return *this += SIMT_TYPE(1);
    }
    constexpr SIMT_ALWAYS_INLINE SIMT_TYPE& operator--() {
        return *this -= SIMT_TYPE(1);
    }
};
struct alignas(4) SIMT_PAIR {
    SIMT_TYPE x, y;

    SIMT_PAIR() = default;
    constexpr SIMT_ALWAYS_INLINE SIMT_PAIR(SIMT_TYPE a, SIMT_TYPE b) : x(a), y(b) {}
    constexpr SIMT_ALWAYS_INLINE SIMT_PAIR(const SIMT_RAW_PAIR& a)
        : x(SIMT_TYPE::of_bits(a.x)), y(SIMT_TYPE::of_bits(a.y)) {}
    constexpr SIMT_ALWAYS_INLINE operator SIMT_RAW_PAIR() const { return {x.simt_bits, y.simt_bits}; }
};

// ---- one after the other and in pairs: name(a) and name2(pair)
#define SIMT_ONE(name, value)                 \
    SIMT_INLINE SIMT_TYPE name(SIMT_TYPE a) { \
        return value;                         \
    }
#define SIMT_UNARY(name, pair_name, value)         \
    SIMT_ONE(name, value)                          \
    SIMT_INLINE SIMT_PAIR pair_name(SIMT_PAIR a) { \
        return {name(a.x), name(a.y)};             \
    }
#define SIMT_BINARY(name, pair_name, value)                     \
    SIMT_INLINE SIMT_TYPE name(SIMT_TYPE a, SIMT_TYPE b) {      \
        return value;                                           \
    }                                                           \
    SIMT_INLINE SIMT_PAIR pair_name(SIMT_PAIR a, SIMT_PAIR b) { \
        return {name(a.x, b.x), name(a.y, b.y)};                \
    }
#define SIMT_TERNARY(name, pair_name, value)                                 \
    SIMT_INLINE SIMT_TYPE name(SIMT_TYPE a, SIMT_TYPE b, SIMT_TYPE c) {      \
        return value;                                                        \
    }                                                                        \
    SIMT_INLINE SIMT_PAIR pair_name(SIMT_PAIR a, SIMT_PAIR b, SIMT_PAIR c) { \
        return {name(a.x, b.x, c.x), name(a.y, b.y, c.y)};                   \
    }
#define SIMT_CLAMPED(value) SIMT_TYPE(__saturatef(float(value)))

SIMT_BINARY(operator+, operator+, float(a) + float(b))
SIMT_BINARY(operator-, operator-, float(a) - float(b))
SIMT_BINARY(operator*, operator*, float(a) * float(b))
SIMT_BINARY(operator/, operator/, float(a) / float(b))
SIMT_UNARY(operator-, operator-, SIMT_TYPE::of_bits(a.simt_bits ^ 0x8000))
SIMT_BINARY(__hadd, __hadd2, a + b)
SIMT_BINARY(__hsub, __hsub2, a - b)
SIMT_BINARY(__hmul, __hmul2, a* b)
SIMT_BINARY(__hadd_rn, __hadd2_rn, a + b)
SIMT_BINARY(__hsub_rn, __hsub2_rn, a - b)
SIMT_BINARY(__hmul_rn, __hmul2_rn, a* b)
SIMT_BINARY(__hdiv, __h2div, a / b)
SIMT_BINARY(__hadd_sat, __hadd2_sat, SIMT_CLAMPED(a + b))
SIMT_BINARY(__hsub_sat, __hsub2_sat, SIMT_CLAMPED(a - b))
SIMT_BINARY(__hmul_sat, __hmul2_sat, SIMT_CLAMPED(a* b))
SIMT_UNARY(__hneg, __hneg2, -a)
SIMT_UNARY(__habs, __habs2, SIMT_TYPE::of_bits(a.simt_bits & 0x7fff))
// In double all digits of the product and of the sum are there, before the one rounding.
SIMT_TERNARY(__hfma, __hfma2, double(float(a)) * double(float(b)) + double(float(c)))
SIMT_TERNARY(__hfma_sat, __hfma2_sat, SIMT_CLAMPED(__hfma(a, b, c)))
SIMT_TERNARY(__hfma_relu, __hfma2_relu, fmaxf(__hfma(a, b, c), 0.0f))

SIMT_INLINE bool __hisnan(SIMT_TYPE a) {
    return (a.simt_bits & 0x7fff) > SIMT_TYPE::format::INFINITY_BITS;
}
SIMT_INLINE int __hisinf(SIMT_TYPE a) {
    return (a.simt_bits & 0x7fff) != SIMT_TYPE::format::INFINITY_BITS ? 0 : a.simt_bits & 0x8000 ? -1 : 1;
}
SIMT_BINARY(__hmax, __hmax2,
            __hisnan(a)            ? (__hisnan(b) ? SIMT_TYPE::of_bits(0x7fff) : b)
            : __hisnan(b)          ? a
            : float(a) == float(b) ? SIMT_TYPE::of_bits(a.simt_bits & b.simt_bits)
                                   : (float(a) > float(b) ? a : b))
SIMT_BINARY(__hmin, __hmin2,
            __hisnan(a)            ? (__hisnan(b) ? SIMT_TYPE::of_bits(0x7fff) : b)
            : __hisnan(b)          ? a
            : float(a) == float(b) ? SIMT_TYPE::of_bits(a.simt_bits | b.simt_bits)
                                   : (float(a) < float(b) ? a : b))
SIMT_BINARY(__hmax_nan, __hmax2_nan, __hisnan(a) || __hisnan(b) ? SIMT_TYPE::of_bits(0x7fff) : __hmax(a, b))
SIMT_BINARY(__hmin_nan, __hmin2_nan, __hisnan(a) || __hisnan(b) ? SIMT_TYPE::of_bits(0x7fff) : __hmin(a, b))

// ---- comparisons: of one; of pairs as 1.0 and 0.0; of both at once (b before the name)
#define SIMT_COMPARE(name, sign)                                                                 \
    SIMT_INLINE bool __h##name(SIMT_TYPE a, SIMT_TYPE b) {                                       \
        return float(a) sign float(b);                                                           \
    }                                                                                            \
    SIMT_INLINE bool __h##name##u(SIMT_TYPE a, SIMT_TYPE b) {                                    \
        return __hisnan(a) || __hisnan(b) || float(a) sign float(b);                             \
    }                                                                                            \
    SIMT_INLINE SIMT_PAIR __h##name##2(SIMT_PAIR a, SIMT_PAIR b) {                               \
        return {SIMT_TYPE(int(__h##name(a.x, b.x))), SIMT_TYPE(int(__h##name(a.y, b.y)))};       \
    }                                                                                            \
    SIMT_INLINE SIMT_PAIR __h##name##u2(SIMT_PAIR a, SIMT_PAIR b) {                              \
        return {SIMT_TYPE(int(__h##name##u(a.x, b.x))), SIMT_TYPE(int(__h##name##u(a.y, b.y)))}; \
    }                                                                                            \
    SIMT_INLINE bool __hb##name##2(SIMT_PAIR a, SIMT_PAIR b) {                                   \
        return __h##name(a.x, b.x) && __h##name(a.y, b.y);                                       \
    }                                                                                            \
    SIMT_INLINE bool __hb##name##u2(SIMT_PAIR a, SIMT_PAIR b) {                                  \
        return __h##name##u(a.x, b.x) && __h##name##u(a.y, b.y);                                 \
    }                                                                                            \
    SIMT_INLINE bool operator sign(SIMT_TYPE a, SIMT_TYPE b) {                                   \
        return float(a) sign float(b);                                                           \
    }                                                                                            \
    SIMT_INLINE bool operator sign(SIMT_PAIR a, SIMT_PAIR b) {                                   \
        return __hb##name##2(a, b);                                                              \
    }
SIMT_COMPARE(eq, ==)
SIMT_COMPARE(lt, <)
SIMT_COMPARE(le, <=)
SIMT_COMPARE(gt, >)
SIMT_COMPARE(ge, >=)
#undef SIMT_COMPARE
// Ordered: a NaN is not unequal to anything, but to the operator.
SIMT_INLINE bool __hne(SIMT_TYPE a, SIMT_TYPE b) {
    return !__hisnan(a) && !__hisnan(b) && float(a) != float(b);
}
SIMT_INLINE bool __hneu(SIMT_TYPE a, SIMT_TYPE b) {
    return float(a) != float(b);
}
SIMT_INLINE bool operator!=(SIMT_TYPE a, SIMT_TYPE b) {
    return __hneu(a, b);
}
SIMT_INLINE bool __hbne2(SIMT_PAIR a, SIMT_PAIR b) {
    return __hne(a.x, b.x) && __hne(a.y, b.y);
}
SIMT_INLINE SIMT_PAIR __hne2(SIMT_PAIR a, SIMT_PAIR b) {
    return {SIMT_TYPE(int(__hne(a.x, b.x))), SIMT_TYPE(int(__hne(a.y, b.y)))};
}

// ---- functions
SIMT_UNARY(hsqrt, h2sqrt, sqrt(double(float(a))))
SIMT_UNARY(hrsqrt, h2rsqrt, 1.0 / sqrt(double(float(a))))
SIMT_UNARY(hrcp, h2rcp, 1.0 / double(float(a)))
SIMT_UNARY(hexp, h2exp, exp(double(float(a))))
SIMT_UNARY(hexp2, h2exp2, exp2(double(float(a))))
SIMT_UNARY(hexp10, h2exp10, pow(10.0, double(float(a))))
SIMT_UNARY(hlog, h2log, log(double(float(a))))
SIMT_UNARY(hlog2, h2log2, log2(double(float(a))))
SIMT_UNARY(hlog10, h2log10, log10(double(float(a))))
SIMT_UNARY(hsin, h2sin, sin(double(float(a))))
SIMT_UNARY(hcos, h2cos, cos(double(float(a))))
SIMT_UNARY(htanh, h2tanh, tanh(double(float(a))))
SIMT_UNARY(hceil, h2ceil, ceilf(a))
SIMT_UNARY(hfloor, h2floor, floorf(a))
SIMT_UNARY(htrunc, h2trunc, truncf(a))
SIMT_UNARY(hrint, h2rint, rintf(a))

// ---- conversions: __float2half, __half2int_rz, ...
SIMT_INLINE SIMT_TYPE SIMT_NAME(__float2, )(float a) {
    return a;
}
SIMT_INLINE SIMT_TYPE SIMT_NAME(__double2, )(double a) {
    return a;
}
SIMT_INLINE float SIMT_NAME(__, 2float)(SIMT_TYPE a) {
    return a;
}
#define SIMT_TO_TYPE(from, type)                                       \
    SIMT_INLINE SIMT_TYPE SIMT_NAME(__##from##2, _rn)(type a) {        \
        return SIMT_TYPE::rounded(double(a), simt::rounding::nearest); \
    }                                                                  \
    SIMT_INLINE SIMT_TYPE SIMT_NAME(__##from##2, _rz)(type a) {        \
        return SIMT_TYPE::rounded(double(a), simt::rounding::to_zero); \
    }                                                                  \
    SIMT_INLINE SIMT_TYPE SIMT_NAME(__##from##2, _rd)(type a) {        \
        return SIMT_TYPE::rounded(double(a), simt::rounding::down);    \
    }                                                                  \
    SIMT_INLINE SIMT_TYPE SIMT_NAME(__##from##2, _ru)(type a) {        \
        return SIMT_TYPE::rounded(double(a), simt::rounding::up);      \
    }
#define SIMT_FROM_TYPE(to, type)                              \
    SIMT_INLINE type SIMT_NAME(__, 2##to##_rn)(SIMT_TYPE a) { \
        return simt::convert<type>(rintf(a));                 \
    }                                                         \
    SIMT_INLINE type SIMT_NAME(__, 2##to##_rz)(SIMT_TYPE a) { \
        return simt::convert<type>(truncf(a));                \
    }                                                         \
    SIMT_INLINE type SIMT_NAME(__, 2##to##_rd)(SIMT_TYPE a) { \
        return simt::convert<type>(floorf(a));                \
    }                                                         \
    SIMT_INLINE type SIMT_NAME(__, 2##to##_ru)(SIMT_TYPE a) { \
        return simt::convert<type>(ceilf(a));                 \
    }
SIMT_TO_TYPE(float, float)
#define SIMT_INTEGERS(name, type) SIMT_TO_TYPE(name, type) SIMT_FROM_TYPE(name, type)
SIMT_INTEGERS(short, short)
SIMT_INTEGERS(ushort, unsigned short)
SIMT_INTEGERS(int, int)
SIMT_INTEGERS(uint, unsigned int)
SIMT_INTEGERS(ll, long long)
SIMT_INTEGERS(ull, unsigned long long)
#undef SIMT_INTEGERS
#undef SIMT_TO_TYPE
#undef SIMT_FROM_TYPE
SIMT_INLINE short SIMT_NAME(__, _as_short)(SIMT_TYPE a) {
    return static_cast<short>(a.simt_bits);
}
SIMT_INLINE unsigned short SIMT_NAME(__, _as_ushort)(SIMT_TYPE a) {
    return a.simt_bits;
}
SIMT_INLINE SIMT_TYPE SIMT_NAME(__short_as_, )(short a) {
    return SIMT_TYPE::of_bits(static_cast<unsigned short>(a));
}
SIMT_INLINE SIMT_TYPE SIMT_NAME(__ushort_as_, )(unsigned short a) {
    return SIMT_TYPE::of_bits(a);
}

// ---- pairs: __halves2half2, __low2half, ...
SIMT_INLINE SIMT_PAIR SIMT_NAME(__float2, 2_rn)(float a) {
    return {a, a};
}
SIMT_INLINE SIMT_PAIR SIMT_NAME(__floats2, 2_rn)(float x, float y) {
    return {x, y};
}
SIMT_INLINE SIMT_PAIR SIMT_NAME(__float22, 2_rn)(float2 a) {
    return {a.x, a.y};
}
SIMT_INLINE float2 SIMT_NAME(__, 22float2)(SIMT_PAIR a) {
    return {a.x, a.y};
}
SIMT_INLINE float __low2float(SIMT_PAIR a) {
    return a.x;
}
SIMT_INLINE float __high2float(SIMT_PAIR a) {
    return a.y;
}
SIMT_INLINE SIMT_TYPE SIMT_NAME(__low2, )(SIMT_PAIR a) {
    return a.x;
}
SIMT_INLINE SIMT_TYPE SIMT_NAME(__high2, )(SIMT_PAIR a) {
    return a.y;
}
SIMT_INLINE SIMT_PAIR SIMT_NAMES(__, 2, 2)(SIMT_TYPE a) {
    return {a, a};
}
SIMT_INLINE SIMT_PAIR SIMT_NAME(__halves2, 2)(SIMT_TYPE x, SIMT_TYPE y) {
    return {x, y};
}
SIMT_INLINE SIMT_PAIR SIMT_NAME(__low2, 2)(SIMT_PAIR a) {
    return {a.x, a.x};
}
SIMT_INLINE SIMT_PAIR SIMT_NAME(__high2, 2)(SIMT_PAIR a) {
    return {a.y, a.y};
}
SIMT_INLINE SIMT_PAIR __lowhigh2highlow(SIMT_PAIR a) {
    return {a.y, a.x};
}
SIMT_INLINE SIMT_PAIR SIMT_NAME(__lows2, 2)(SIMT_PAIR a, SIMT_PAIR b) {
    return {a.x, b.x};
}
SIMT_INLINE SIMT_PAIR SIMT_NAME(__highs2, 2)(SIMT_PAIR a, SIMT_PAIR b) {
    return {a.y, b.y};
}
SIMT_INLINE SIMT_PAIR& operator+=(SIMT_PAIR& a, SIMT_PAIR b) {
    return a = a + b;
}
SIMT_INLINE SIMT_PAIR& operator-=(SIMT_PAIR& a, SIMT_PAIR b) {
    return a = a - b;
}
SIMT_INLINE SIMT_PAIR& operator*=(SIMT_PAIR& a, SIMT_PAIR b) {
    return a = a * b;
}

/// The old value; two threads' additions are both there.
SIMT_DEVICE SIMT_TYPE atomicAdd(SIMT_TYPE* address, SIMT_TYPE value);
SIMT_DEVICE SIMT_PAIR atomicAdd(SIMT_PAIR* address, SIMT_PAIR value);

#undef SIMT_ONE
#undef SIMT_UNARY
#undef SIMT_BINARY
#undef SIMT_TERNARY
#undef SIMT_CLAMPED
#undef SIMT_TYPE
#undef SIMT_PAIR
#undef SIMT_RAW
#undef SIMT_RAW_PAIR
#undef SIMT_NAME
#undef SIMT_NAMES
#undef SIMT_MANTISSA_BITS
