// Arithmetic of kernels beyond the C library: fast and rounded floating point, bits.
#pragma once
#include <math.h>

#include "simt/conversions.h"
#include "simt/min_max.h"
#include "simt/vector_types.h"

// ---- fast approximations, exact here. Macros: the C library declares functions of these names for its own
// use.
#define SIMT_FAST(function)                             \
    SIMT_DEVICE_INLINE float simt_##function(float a) { \
        return function(a);                             \
    }
SIMT_FAST(expf)
SIMT_FAST(exp10f)
SIMT_FAST(logf)
SIMT_FAST(log2f)
SIMT_FAST(log10f)
SIMT_FAST(sinf)
SIMT_FAST(cosf)
SIMT_FAST(tanf)
#undef SIMT_FAST
SIMT_DEVICE_INLINE float simt_powf(float a, float b) {
    return powf(a, b);
}
SIMT_DEVICE_INLINE void simt_sincosf(float a, float* sine, float* cosine) {
    *sine = sinf(a);
    *cosine = cosf(a);
}
#define __expf simt_expf
#define __exp10f simt_exp10f
#define __logf simt_logf
#define __log2f simt_log2f
#define __log10f simt_log10f
#define __sinf simt_sinf
#define __cosf simt_cosf
#define __tanf simt_tanf
#define __powf simt_powf
#define __sincosf simt_sincosf
SIMT_DEVICE_INLINE float __fdividef(float a, float b) {
    return a / b;
}
SIMT_DEVICE_INLINE float fdividef(float a, float b) {
    return a / b;
}
SIMT_DEVICE_INLINE float __saturatef(float a) {
    return a > 0.0f ? (a < 1.0f ? a : 1.0f) : 0.0f;  // a NaN becomes 0
}
SIMT_INLINE float rsqrtf(float a) {
    return 1.0f / sqrtf(a);
}
SIMT_INLINE double rsqrt(double a) {
    return 1.0 / sqrt(a);
}
SIMT_DEVICE_INLINE float __frsqrt_rn(float a) {
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

SIMT_INLINE double rcbrt(double a) {
    return 1.0 / cbrt(a);
}
SIMT_INLINE void sincospif(float a, float* sine, float* cosine) {
    *sine = sinpif(a);
    *cosine = cospif(a);
}
SIMT_INLINE void sincospi(double a, double* sine, double* cosine) {
    *sine = sinpi(a);
    *cosine = cospi(a);
}

// ---- lengths of vectors, and one over them
SIMT_INLINE double norm3d(double a, double b, double c) {
    return hypot(hypot(a, b), c);
}
SIMT_INLINE double norm4d(double a, double b, double c, double d) {
    return hypot(hypot(a, b), hypot(c, d));
}
SIMT_INLINE float norm3df(float a, float b, float c) {
    return static_cast<float>(norm3d(a, b, c));
}
SIMT_INLINE float norm4df(float a, float b, float c, float d) {
    return static_cast<float>(norm4d(a, b, c, d));
}
SIMT_INLINE double rhypot(double a, double b) {
    return 1.0 / hypot(a, b);
}
SIMT_INLINE float rhypotf(float a, float b) {
    return static_cast<float>(rhypot(a, b));
}
SIMT_INLINE float rnorm3df(float a, float b, float c) {
    return static_cast<float>(1.0 / norm3d(a, b, c));
}
SIMT_INLINE float rnorm4df(float a, float b, float c, float d) {
    return static_cast<float>(1.0 / norm4d(a, b, c, d));
}

// ---- rounded to nearest, never contracted to a fused multiply-add
SIMT_DEVICE_INLINE float __fadd_rn(float a, float b) {
    return a + b;
}
SIMT_DEVICE_INLINE float __fsub_rn(float a, float b) {
    return a - b;
}
SIMT_DEVICE_INLINE float __fmul_rn(float a, float b) {
    return a * b;
}
SIMT_DEVICE_INLINE float __fdiv_rn(float a, float b) {
    return a / b;
}
SIMT_DEVICE_INLINE float __frcp_rn(float a) {
    return 1.0f / a;
}
SIMT_DEVICE_INLINE float __fsqrt_rn(float a) {
    return sqrtf(a);
}
SIMT_DEVICE_INLINE float __fmaf_rn(float a, float b, float c) {
    return fmaf(a, b, c);
}
SIMT_DEVICE_INLINE double __dadd_rn(double a, double b) {
    return a + b;
}
SIMT_DEVICE_INLINE double __dsub_rn(double a, double b) {
    return a - b;
}
SIMT_DEVICE_INLINE double __dmul_rn(double a, double b) {
    return a * b;
}
SIMT_DEVICE_INLINE double __ddiv_rn(double a, double b) {
    return a / b;
}
SIMT_DEVICE_INLINE double __fma_rn(double a, double b, double c) {
    return fma(a, b, c);
}

// ---- integers and bits
SIMT_DEVICE_INLINE int __mul24(int a, int b) {
    return ((a << 8) >> 8) * ((b << 8) >> 8);
}
SIMT_DEVICE_INLINE unsigned int __umul24(unsigned int a, unsigned int b) {
    return (a & 0xffffff) * (b & 0xffffff);
}
SIMT_DEVICE_INLINE int __mulhi(int a, int b) {
    return static_cast<int>((static_cast<long long>(a) * b) >> 32);
}
SIMT_DEVICE_INLINE unsigned int __umulhi(unsigned int a, unsigned int b) {
    return static_cast<unsigned int>((static_cast<unsigned long long>(a) * b) >> 32);
}
SIMT_DEVICE_INLINE unsigned int __sad(int a, int b, unsigned int c) {
    return (a > b ? static_cast<unsigned int>(a) - b : static_cast<unsigned int>(b) - a) + c;
}
SIMT_DEVICE_INLINE unsigned int __usad(unsigned int a, unsigned int b, unsigned int c) {
    return (a > b ? a - b : b - a) + c;
}
SIMT_DEVICE_INLINE int __popc(unsigned int a) {
    return __builtin_popcount(a);
}
SIMT_DEVICE_INLINE int __popcll(unsigned long long a) {
    return __builtin_popcountll(a);
}
SIMT_DEVICE_INLINE int __ffs(int a) {
    return __builtin_ffs(a);
}
SIMT_DEVICE_INLINE int __ffsll(long long a) {
    return __builtin_ffsll(a);
}
SIMT_DEVICE_INLINE int __clz(int a) {
    return a ? __builtin_clz(static_cast<unsigned int>(a)) : 32;
}
SIMT_DEVICE_INLINE int __clzll(long long a) {
    return a ? __builtin_clzll(static_cast<unsigned long long>(a)) : 64;
}
SIMT_DEVICE_INLINE unsigned int __brev(unsigned int a) {
    unsigned int reversed = 0;
    for (int i = 0; i < 32; i++) {
        reversed |= (a >> i & 1) << (31 - i);
    }
    return reversed;
}
SIMT_DEVICE_INLINE unsigned long long __brevll(unsigned long long a) {
    return static_cast<unsigned long long>(__brev(static_cast<unsigned int>(a))) << 32 |
           __brev(static_cast<unsigned int>(a >> 32));
}
SIMT_DEVICE_INLINE int __hadd(int a, int b) {
    return static_cast<int>((static_cast<long long>(a) + b) >> 1);
}
SIMT_DEVICE_INLINE int __rhadd(int a, int b) {
    return static_cast<int>((static_cast<long long>(a) + b + 1) >> 1);
}
SIMT_DEVICE_INLINE unsigned int __uhadd(unsigned int a, unsigned int b) {
    return static_cast<unsigned int>((static_cast<unsigned long long>(a) + b) >> 1);
}
SIMT_DEVICE_INLINE unsigned int __urhadd(unsigned int a, unsigned int b) {
    return static_cast<unsigned int>((static_cast<unsigned long long>(a) + b + 1) >> 1);
}
/// The four bytes of (b, a) that the nibbles of the selector name.
SIMT_DEVICE_INLINE unsigned int __byte_perm(unsigned int a, unsigned int b, unsigned int selector) {
    const unsigned long long bytes = static_cast<unsigned long long>(b) << 32 | a;
    unsigned int result = 0;
    for (int i = 0; i < 4; i++) {
        const unsigned int chosen = selector >> (4 * i) & 7;
        result |= static_cast<unsigned int>(bytes >> (8 * chosen) & 0xff) << (8 * i);
    }
    return result;
}
SIMT_DEVICE_INLINE unsigned int __funnelshift_l(unsigned int low, unsigned int high, unsigned int shift) {
    const unsigned long long both = static_cast<unsigned long long>(high) << 32 | low;
    return static_cast<unsigned int>(both << (shift & 31) >> 32);
}
SIMT_DEVICE_INLINE unsigned int __funnelshift_lc(unsigned int low, unsigned int high, unsigned int shift) {
    return shift >= 32 ? low : __funnelshift_l(low, high, shift);
}
SIMT_DEVICE_INLINE unsigned int __funnelshift_r(unsigned int low, unsigned int high, unsigned int shift) {
    const unsigned long long both = static_cast<unsigned long long>(high) << 32 | low;
    return static_cast<unsigned int>(both >> (shift & 31));
}
SIMT_DEVICE_INLINE unsigned int __funnelshift_rc(unsigned int low, unsigned int high, unsigned int shift) {
    return shift >= 32 ? high : __funnelshift_r(low, high, shift);
}
