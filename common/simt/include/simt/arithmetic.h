// Arithmetic of kernels beyond the C library: min and max,
// fast and rounded floating point, bits, conversions.
#pragma once
#include <math.h>

#include "simt/vector_types.h"

// ---- min and max, of mixed types as well
SIMT_INLINE int min(int a, int b) {
    return a < b ? a : b;
}
SIMT_INLINE unsigned int min(unsigned int a, unsigned int b) {
    return a < b ? a : b;
}
SIMT_INLINE unsigned int min(int a, unsigned int b) {
    return min(static_cast<unsigned int>(a), b);
}
SIMT_INLINE unsigned int min(unsigned int a, int b) {
    return min(a, static_cast<unsigned int>(b));
}
SIMT_INLINE long min(long a, long b) {
    return a < b ? a : b;
}
SIMT_INLINE unsigned long min(unsigned long a, unsigned long b) {
    return a < b ? a : b;
}
SIMT_INLINE long long min(long long a, long long b) {
    return a < b ? a : b;
}
SIMT_INLINE unsigned long long min(unsigned long long a, unsigned long long b) {
    return a < b ? a : b;
}
SIMT_INLINE float min(float a, float b) {
    return fminf(a, b);
}
SIMT_INLINE double min(double a, double b) {
    return fmin(a, b);
}
SIMT_INLINE double min(float a, double b) {
    return fmin(a, b);
}
SIMT_INLINE double min(double a, float b) {
    return fmin(a, b);
}
SIMT_INLINE int max(int a, int b) {
    return a > b ? a : b;
}
SIMT_INLINE unsigned int max(unsigned int a, unsigned int b) {
    return a > b ? a : b;
}
SIMT_INLINE unsigned int max(int a, unsigned int b) {
    return max(static_cast<unsigned int>(a), b);
}
SIMT_INLINE unsigned int max(unsigned int a, int b) {
    return max(a, static_cast<unsigned int>(b));
}
SIMT_INLINE long max(long a, long b) {
    return a > b ? a : b;
}
SIMT_INLINE unsigned long max(unsigned long a, unsigned long b) {
    return a > b ? a : b;
}
SIMT_INLINE long long max(long long a, long long b) {
    return a > b ? a : b;
}
SIMT_INLINE unsigned long long max(unsigned long long a, unsigned long long b) {
    return a > b ? a : b;
}
SIMT_INLINE float max(float a, float b) {
    return fmaxf(a, b);
}
SIMT_INLINE double max(double a, double b) {
    return fmax(a, b);
}
SIMT_INLINE double max(float a, double b) {
    return fmax(a, b);
}
SIMT_INLINE double max(double a, float b) {
    return fmax(a, b);
}
SIMT_INLINE unsigned int umin(unsigned int a, unsigned int b) {
    return min(a, b);
}
SIMT_INLINE unsigned int umax(unsigned int a, unsigned int b) {
    return max(a, b);
}

// ---- fast approximations, exact here. Macros: the C library declares functions of these names for its own
// use.
#define __expf expf
#define __exp10f exp10f
#define __logf logf
#define __log2f log2f
#define __log10f log10f
#define __sinf sinf
#define __cosf cosf
#define __tanf tanf
#define __powf powf
#define __sincosf sincosf
SIMT_INLINE float __fdividef(float a, float b) {
    return a / b;
}
SIMT_INLINE float fdividef(float a, float b) {
    return a / b;
}
SIMT_INLINE float __saturatef(float a) {
    return a > 0.0f ? (a < 1.0f ? a : 1.0f) : 0.0f;  // a NaN becomes 0
}
SIMT_INLINE float rsqrtf(float a) {
    return 1.0f / sqrtf(a);
}
SIMT_INLINE double rsqrt(double a) {
    return 1.0 / sqrt(a);
}
SIMT_INLINE float __frsqrt_rn(float a) {
    return static_cast<float>(1.0 / sqrt(static_cast<double>(a)));
}
SIMT_INLINE float rcbrtf(float a) {
    return 1.0f / cbrtf(a);
}
SIMT_INLINE float sinpif(float a) {
    return static_cast<float>(sin(M_PI * a));
}
SIMT_INLINE float cospif(float a) {
    return static_cast<float>(cos(M_PI * a));
}
SIMT_INLINE double sinpi(double a) {
    return sin(M_PI * a);
}
SIMT_INLINE double cospi(double a) {
    return cos(M_PI * a);
}

// ---- rounded to nearest, never contracted to a fused multiply-add
SIMT_INLINE float __fadd_rn(float a, float b) {
    return a + b;
}
SIMT_INLINE float __fsub_rn(float a, float b) {
    return a - b;
}
SIMT_INLINE float __fmul_rn(float a, float b) {
    return a * b;
}
SIMT_INLINE float __fdiv_rn(float a, float b) {
    return a / b;
}
SIMT_INLINE float __frcp_rn(float a) {
    return 1.0f / a;
}
SIMT_INLINE float __fsqrt_rn(float a) {
    return sqrtf(a);
}
SIMT_INLINE float __fmaf_rn(float a, float b, float c) {
    return fmaf(a, b, c);
}
SIMT_INLINE double __dadd_rn(double a, double b) {
    return a + b;
}
SIMT_INLINE double __dsub_rn(double a, double b) {
    return a - b;
}
SIMT_INLINE double __dmul_rn(double a, double b) {
    return a * b;
}
SIMT_INLINE double __ddiv_rn(double a, double b) {
    return a / b;
}
SIMT_INLINE double __fma_rn(double a, double b, double c) {
    return fma(a, b, c);
}

// ---- integers and bits
SIMT_INLINE int __mul24(int a, int b) {
    return ((a << 8) >> 8) * ((b << 8) >> 8);
}
SIMT_INLINE unsigned int __umul24(unsigned int a, unsigned int b) {
    return (a & 0xffffff) * (b & 0xffffff);
}
SIMT_INLINE int __mulhi(int a, int b) {
    return static_cast<int>((static_cast<long long>(a) * b) >> 32);
}
SIMT_INLINE unsigned int __umulhi(unsigned int a, unsigned int b) {
    return static_cast<unsigned int>((static_cast<unsigned long long>(a) * b) >> 32);
}
SIMT_INLINE unsigned int __sad(int a, int b, unsigned int c) {
    return (a > b ? static_cast<unsigned int>(a) - b : static_cast<unsigned int>(b) - a) + c;
}
SIMT_INLINE unsigned int __usad(unsigned int a, unsigned int b, unsigned int c) {
    return (a > b ? a - b : b - a) + c;
}
SIMT_INLINE int __popc(unsigned int a) {
    return __builtin_popcount(a);
}
SIMT_INLINE int __popcll(unsigned long long a) {
    return __builtin_popcountll(a);
}
SIMT_INLINE int __ffs(int a) {
    return __builtin_ffs(a);
}
SIMT_INLINE int __ffsll(long long a) {
    return __builtin_ffsll(a);
}
SIMT_INLINE int __clz(int a) {
    return a ? __builtin_clz(static_cast<unsigned int>(a)) : 32;
}
SIMT_INLINE int __clzll(long long a) {
    return a ? __builtin_clzll(static_cast<unsigned long long>(a)) : 64;
}
SIMT_INLINE unsigned int __brev(unsigned int a) {
    unsigned int reversed = 0;
    for (int i = 0; i < 32; i++) {
        reversed |= (a >> i & 1) << (31 - i);
    }
    return reversed;
}
/// The four bytes of (b, a) that the nibbles of the selector name.
SIMT_INLINE unsigned int __byte_perm(unsigned int a, unsigned int b, unsigned int selector) {
    const unsigned long long bytes = static_cast<unsigned long long>(b) << 32 | a;
    unsigned int result = 0;
    for (int i = 0; i < 4; i++) {
        const unsigned int chosen = selector >> (4 * i) & 7;
        result |= static_cast<unsigned int>(bytes >> (8 * chosen) & 0xff) << (8 * i);
    }
    return result;
}
SIMT_INLINE unsigned int __funnelshift_l(unsigned int low, unsigned int high, unsigned int shift) {
    const unsigned long long both = static_cast<unsigned long long>(high) << 32 | low;
    return static_cast<unsigned int>(both << (shift & 31) >> 32);
}
SIMT_INLINE unsigned int __funnelshift_r(unsigned int low, unsigned int high, unsigned int shift) {
    const unsigned long long both = static_cast<unsigned long long>(high) << 32 | low;
    return static_cast<unsigned int>(both >> (shift & 31));
}

// ---- conversions and bit patterns
SIMT_INLINE int __float2int_rn(float a) {
    return static_cast<int>(rintf(a));
}
SIMT_INLINE int __float2int_rz(float a) {
    return static_cast<int>(a);
}
SIMT_INLINE int __float2int_rd(float a) {
    return static_cast<int>(floorf(a));
}
SIMT_INLINE int __float2int_ru(float a) {
    return static_cast<int>(ceilf(a));
}
SIMT_INLINE unsigned int __float2uint_rn(float a) {
    return static_cast<unsigned int>(rintf(a));
}
SIMT_INLINE unsigned int __float2uint_rz(float a) {
    return static_cast<unsigned int>(a);
}
SIMT_INLINE float __int2float_rn(int a) {
    return static_cast<float>(a);
}
SIMT_INLINE float __uint2float_rn(unsigned int a) {
    return static_cast<float>(a);
}
SIMT_INLINE float __double2float_rn(double a) {
    return static_cast<float>(a);
}
SIMT_INLINE int __double2int_rn(double a) {
    return static_cast<int>(rint(a));
}
SIMT_INLINE int __double2int_rz(double a) {
    return static_cast<int>(a);
}

namespace simt {
template <class to_type, class from_type>
SIMT_INLINE to_type same_bits(from_type from) {
    static_assert(sizeof(to_type) == sizeof(from_type));
    to_type to;
    __builtin_memcpy(&to, &from, sizeof to);
    return to;
}
}  // namespace simt

SIMT_INLINE int __float_as_int(float a) {
    return simt::same_bits<int>(a);
}
SIMT_INLINE unsigned int __float_as_uint(float a) {
    return simt::same_bits<unsigned int>(a);
}
SIMT_INLINE float __int_as_float(int a) {
    return simt::same_bits<float>(a);
}
SIMT_INLINE float __uint_as_float(unsigned int a) {
    return simt::same_bits<float>(a);
}
SIMT_INLINE long long __double_as_longlong(double a) {
    return simt::same_bits<long long>(a);
}
SIMT_INLINE double __longlong_as_double(long long a) {
    return simt::same_bits<double>(a);
}
