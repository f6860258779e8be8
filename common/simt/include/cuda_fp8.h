// Floating point of 8 bits: __nv_fp8_e4m3 (4 bits of exponent, 3 behind the point, up to 448, no infinity) and __nv_fp8_e5m2
// (5 and 2, up to 57344), pairs and fours of them. They only hold numbers: operations are those of wider types.
#pragma once
#include "cuda_bf16.h"
#include "cuda_fp16.h"

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short int __nv_fp8x2_storage_t;
typedef unsigned int __nv_fp8x4_storage_t;
/// What becomes of a number that is too large: infinity, or NaN where there is none; or the largest one.
typedef enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE } __nv_saturation_t;
typedef enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 } __nv_fp8_interpretation_t;

namespace simt {

template <__nv_fp8_interpretation_t kind>
struct float8_format {
    static constexpr int MANTISSA = kind == __NV_E4M3 ? 3 : 2;
    static constexpr int BIAS = kind == __NV_E4M3 ? 7 : 15;
    static constexpr unsigned LARGEST = kind == __NV_E4M3 ? 0x7e : 0x7b, NAN_BITS = 0x7f;
    static constexpr unsigned TOO_LARGE = kind == __NV_E4M3 ? NAN_BITS : 0x7c;

    /// Rounded once, to the nearest, of two to the even one.
    static SIMT_ALWAYS_INLINE __nv_fp8_storage_t from(double value,
                                                      __nv_saturation_t saturation = __NV_SATFINITE) {
        if (value != value) return NAN_BITS;
        const unsigned sign = __builtin_signbit(value) ? 0x80 : 0;
        const double size = __builtin_fabs(value);
        if (size > to_double(LARGEST) * 2) return sign | (saturation == __NV_SATFINITE ? LARGEST : TOO_LARGE);
        if (size == 0) return sign;
        // Numbers below the smallest with a leading 1 lie as far apart as those above it.
        const int exponent = __builtin_ilogb(size) < 1 - BIAS ? 1 - BIAS : __builtin_ilogb(size);
        const unsigned digits = unsigned(__builtin_rint(__builtin_ldexp(size, MANTISSA - exponent)));
        // A carry runs into the exponent, as it should.
        const unsigned bits = (unsigned(exponent + BIAS - 1) << MANTISSA) + digits;
        if (bits <= LARGEST) return sign | bits;
        return sign | (saturation == __NV_SATFINITE ? LARGEST : TOO_LARGE);
    }

    /// Exact.
    static SIMT_ALWAYS_INLINE double to_double(unsigned bits) {
        const unsigned magnitude = bits & 0x7f, digits = magnitude & ((1u << MANTISSA) - 1);
        const int exponent = int(magnitude >> MANTISSA);
        const double sign = bits & 0x80 ? -1 : 1;
        if (magnitude > LARGEST) return magnitude == 0x7c ? sign * __builtin_inf() : __builtin_nan("");
        if (exponent == 0) return sign * __builtin_ldexp(digits, 1 - BIAS - MANTISSA);
        return sign * __builtin_ldexp(digits | 1u << MANTISSA, exponent - BIAS - MANTISSA);
    }
};

SIMT_INLINE __nv_fp8_storage_t to_float8(double a, __nv_saturation_t saturation,
                                         __nv_fp8_interpretation_t kind) {
    return kind == __NV_E4M3 ? float8_format<__NV_E4M3>::from(a, saturation)
                             : float8_format<__NV_E5M2>::from(a, saturation);
}
/// The first one in the lower byte.
SIMT_INLINE __nv_fp8x2_storage_t to_float8(double x, double y, __nv_saturation_t saturation,
                                           __nv_fp8_interpretation_t kind) {
    return static_cast<__nv_fp8x2_storage_t>(to_float8(x, saturation, kind) | to_float8(y, saturation, kind)
                                                                                  << 8);
}

/// One number.
template <__nv_fp8_interpretation_t kind>
struct float8 {
    using simt_format = float8_format<kind>;
    __nv_fp8_storage_t __x;

    float8() = default;
#define SIMT_FP8_FROM(type) \
    explicit SIMT_ALWAYS_INLINE float8(type a) : __x(simt_format::from(static_cast<double>(a))) {}
#define SIMT_FP8(type)                                  \
    SIMT_FP8_FROM(type)                                 \
    explicit SIMT_ALWAYS_INLINE operator type() const { \
        return simt::convert<type>(float(*this));       \
    }
    SIMT_FP8_FROM(float)
    SIMT_FP8_FROM(double)
    SIMT_FP8(short)
    SIMT_FP8(unsigned short)
    SIMT_FP8(int)
    SIMT_FP8(unsigned int)
    SIMT_FP8(long)
    SIMT_FP8(unsigned long)
    SIMT_FP8(long long)
    SIMT_FP8(unsigned long long)
#undef SIMT_FP8
#undef SIMT_FP8_FROM
    explicit SIMT_ALWAYS_INLINE float8(__half a) : __x(simt_format::from(float(a))) {}
    explicit SIMT_ALWAYS_INLINE float8(__nv_bfloat16 a) : __x(simt_format::from(float(a))) {}
    explicit SIMT_ALWAYS_INLINE operator float() const {
        return float(simt_format::to_double(__x));
    }
    explicit SIMT_ALWAYS_INLINE operator double() const {
        return simt_format::to_double(__x);
    }
    explicit SIMT_ALWAYS_INLINE operator __half() const {
        return float(*this);
    }
    explicit SIMT_ALWAYS_INLINE operator __nv_bfloat16() const {
        return float(*this);
    }
    explicit SIMT_ALWAYS_INLINE operator bool() const {
        return (__x & 0x7f) != 0;
    }
    explicit SIMT_ALWAYS_INLINE operator char() const {
        return simt::convert<char>(float(*this));
    }
    explicit SIMT_ALWAYS_INLINE operator signed char() const {
        return simt::convert<signed char>(float(*this));
    }
    explicit SIMT_ALWAYS_INLINE operator unsigned char() const {
        return simt::convert<unsigned char>(float(*this));
    }
};

/// Two, the first in the lower byte.
template <__nv_fp8_interpretation_t kind>
struct float8x2 {
    __nv_fp8x2_storage_t __x;

    float8x2() = default;
    explicit SIMT_ALWAYS_INLINE float8x2(double2 a) : __x(to_float8(a.x, a.y, __NV_SATFINITE, kind)) {}
    explicit SIMT_ALWAYS_INLINE float8x2(float2 a) : float8x2(double2{a.x, a.y}) {}
    explicit SIMT_ALWAYS_INLINE float8x2(__half2 a) : float8x2(__half22float2(a)) {}
    explicit SIMT_ALWAYS_INLINE float8x2(__nv_bfloat162 a) : float8x2(__bfloat1622float2(a)) {}
    explicit SIMT_ALWAYS_INLINE operator float2() const {
        using format = float8_format<kind>;
        return {float(format::to_double(__x & 0xff)), float(format::to_double(__x >> 8))};
    }
    explicit SIMT_ALWAYS_INLINE operator __half2() const { return __float22half2_rn(float2(*this)); }
    explicit SIMT_ALWAYS_INLINE operator __nv_bfloat162() const {
        return __float22bfloat162_rn(float2(*this));
    }
};

/// Four, the first in the lowest byte.
template <__nv_fp8_interpretation_t kind>
struct float8x4 {
    __nv_fp8x4_storage_t __x;

    float8x4() = default;
    explicit SIMT_ALWAYS_INLINE float8x4(double4 a)
        : float8x4(pair{double2{a.x, a.y}}, pair{double2{a.z, a.w}}) {}
    explicit SIMT_ALWAYS_INLINE float8x4(float4 a)
        : float8x4(pair{float2{a.x, a.y}}, pair{float2{a.z, a.w}}) {}
    SIMT_ALWAYS_INLINE float8x4(__half2 low, __half2 high) : float8x4(pair{low}, pair{high}) {}
    SIMT_ALWAYS_INLINE float8x4(__nv_bfloat162 low, __nv_bfloat162 high) : float8x4(pair{low}, pair{high}) {}
    explicit SIMT_ALWAYS_INLINE operator float4() const {
        pair low, high;
        low.__x = static_cast<__nv_fp8x2_storage_t>(__x);
        high.__x = static_cast<__nv_fp8x2_storage_t>(__x >> 16);
        const float2 a = float2(low), b = float2(high);
        return {a.x, a.y, b.x, b.y};
    }

private:
    using pair = float8x2<kind>;
    SIMT_ALWAYS_INLINE float8x4(pair low, pair high) : __x(low.__x | __nv_fp8x4_storage_t(high.__x) << 16) {}
};

}  // namespace simt

struct __nv_fp8_e4m3 : simt::float8<__NV_E4M3> {
    using float8::float8;
};
struct __nv_fp8_e5m2 : simt::float8<__NV_E5M2> {
    using float8::float8;
};
struct __nv_fp8x2_e4m3 : simt::float8x2<__NV_E4M3> {
    using float8x2::float8x2;
};
struct __nv_fp8x2_e5m2 : simt::float8x2<__NV_E5M2> {
    using float8x2::float8x2;
};
struct __nv_fp8x4_e4m3 : simt::float8x4<__NV_E4M3> {
    using float8x4::float8x4;
};
struct __nv_fp8x4_e5m2 : simt::float8x4<__NV_E5M2> {
    using float8x4::float8x4;
};

#define SIMT_FP8_OF_ONE(name, type, value)                                                \
    SIMT_INLINE __nv_fp8_storage_t name(const type a, const __nv_saturation_t saturation, \
                                        const __nv_fp8_interpretation_t kind) {           \
        return simt::to_float8(value, saturation, kind);                                  \
    }
#define SIMT_FP8_OF_TWO(name, type, first, second)                                          \
    SIMT_INLINE __nv_fp8x2_storage_t name(const type a, const __nv_saturation_t saturation, \
                                          const __nv_fp8_interpretation_t kind) {           \
        return simt::to_float8(first, second, saturation, kind);                            \
    }
SIMT_FP8_OF_ONE(__nv_cvt_double_to_fp8, double, a)
SIMT_FP8_OF_ONE(__nv_cvt_float_to_fp8, float, a)
SIMT_FP8_OF_ONE(__nv_cvt_halfraw_to_fp8, __half_raw, float(__half(a)))
SIMT_FP8_OF_ONE(__nv_cvt_bfloat16raw_to_fp8, __nv_bfloat16_raw, float(__nv_bfloat16(a)))
SIMT_FP8_OF_TWO(__nv_cvt_double2_to_fp8x2, double2, a.x, a.y)
SIMT_FP8_OF_TWO(__nv_cvt_float2_to_fp8x2, float2, a.x, a.y)
SIMT_FP8_OF_TWO(__nv_cvt_halfraw2_to_fp8x2, __half2_raw, __low2float(__half2(a)), __high2float(__half2(a)))
SIMT_FP8_OF_TWO(__nv_cvt_bfloat16raw2_to_fp8x2, __nv_bfloat162_raw, __low2float(__nv_bfloat162(a)),
                __high2float(__nv_bfloat162(a)))
#undef SIMT_FP8_OF_ONE
#undef SIMT_FP8_OF_TWO
SIMT_INLINE __half_raw __nv_cvt_fp8_to_halfraw(const __nv_fp8_storage_t a,
                                               const __nv_fp8_interpretation_t kind) {
    const double value = kind == __NV_E4M3 ? simt::float8_format<__NV_E4M3>::to_double(a)
                                           : simt::float8_format<__NV_E5M2>::to_double(a);
    return __half(value);
}
SIMT_INLINE __half2_raw __nv_cvt_fp8x2_to_halfraw2(const __nv_fp8x2_storage_t a,
                                                   const __nv_fp8_interpretation_t kind) {
    const auto byte = [](int bits) { return static_cast<__nv_fp8_storage_t>(bits); };
    return {__nv_cvt_fp8_to_halfraw(byte(a), kind).x, __nv_cvt_fp8_to_halfraw(byte(a >> 8), kind).x};
}
