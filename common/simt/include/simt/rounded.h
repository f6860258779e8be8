// Arithmetic and conversions with a rounding of their own: _rd down, _ru up, _rz towards zero. (_rn, to the nearest, is
// in arithmetic.h and conversions.h.)
#pragma once
#include <fenv.h>
#include <math.h>

#include "simt/vector_types.h"

namespace simt {

/// While it exists the processor rounds in this way.
class rounding_mode {
public:
#ifdef __SSE2__
    // fesetround() sets the old unit of x86 as well, which takes most of its time.
    SIMT_ALWAYS_INLINE explicit rounding_mode(int mode) : before_(__builtin_ia32_stmxcsr()) {
        constexpr unsigned BITS = 0x6000, LEFT_OF_OLD_UNIT = 3;
        __builtin_ia32_ldmxcsr((before_ & ~BITS) | unsigned(mode) << LEFT_OF_OLD_UNIT);
    }
    SIMT_ALWAYS_INLINE ~rounding_mode() {
        __builtin_ia32_ldmxcsr(before_);
    }

private:
    unsigned before_;
#else
    SIMT_ALWAYS_INLINE explicit rounding_mode(int mode) : before_(fegetround()) {
        fesetround(mode);
    }
    SIMT_ALWAYS_INLINE ~rounding_mode() {
        fesetround(before_);
    }

private:
    int before_;
#endif
};

/// The compiler, which takes arithmetic for the same wherever it stands, has to believe that the number changes here.
template <class type>
SIMT_ALWAYS_INLINE void seem_to_change(type& number) {
    asm volatile("" : "+m"(number) : : "memory");
}

/// What `compute` makes of the numbers while the processor rounds in this way.
template <class result, class operation, class... types>
SIMT_INLINE result rounded(int mode, operation compute, types... numbers) {
    const rounding_mode rounds(mode);
    (seem_to_change(numbers), ...);
    result got = compute(numbers...);
    seem_to_change(got);
    return got;
}

}  // namespace simt

// Functions of one, two and three numbers, x, y and z.
#define SIMT_WAY1(result, from, name, mode, value)                       \
    SIMT_DEVICE_INLINE result name(from a) {                             \
        return simt::rounded<result>(                                    \
            mode, [](from x) { return static_cast<result>(value); }, a); \
    }
#define SIMT_WAY2(result, from, name, mode, value)                       \
    SIMT_DEVICE_INLINE result name(from a, from b) {                     \
        return simt::rounded<result>(                                    \
            mode, [](from x, from y) -> result { return value; }, a, b); \
    }
#define SIMT_WAY3(result, from, name, mode, value)                                  \
    SIMT_DEVICE_INLINE result name(from a, from b, from c) {                        \
        return simt::rounded<result>(                                               \
            mode, [](from x, from y, from z) -> result { return value; }, a, b, c); \
    }
#define SIMT_WAYS(way, result, from, name, value)                                                   \
    way(result, from, name##_rd, FE_DOWNWARD, value) way(result, from, name##_ru, FE_UPWARD, value) \
        way(result, from, name##_rz, FE_TOWARDZERO, value)

// type, first letter of the names, square root, fused multiply-add and its name
#define SIMT_ROUNDED_OPERATIONS(type, letter, root, fused, fused_name) \
    SIMT_WAYS(SIMT_WAY2, type, type, __##letter##add, x + y)           \
    SIMT_WAYS(SIMT_WAY2, type, type, __##letter##sub, x - y)           \
    SIMT_WAYS(SIMT_WAY2, type, type, __##letter##mul, x* y)            \
    SIMT_WAYS(SIMT_WAY2, type, type, __##letter##div, x / y)           \
    SIMT_WAYS(SIMT_WAY1, type, type, __##letter##rcp, 1 / x)           \
    SIMT_WAYS(SIMT_WAY1, type, type, __##letter##sqrt, root(x))        \
    SIMT_WAYS(SIMT_WAY3, type, type, fused_name, fused(x, y, z))
SIMT_ROUNDED_OPERATIONS(float, f, sqrtf, fmaf, __fmaf)
SIMT_ROUNDED_OPERATIONS(double, d, sqrt, fma, __fma)
SIMT_DEVICE_INLINE double __drcp_rn(double a) {
    return 1 / a;
}
SIMT_DEVICE_INLINE double __dsqrt_rn(double a) {
    return sqrt(a);
}

SIMT_WAYS(SIMT_WAY1, float, double, __double2float, x)
SIMT_WAYS(SIMT_WAY1, float, int, __int2float, x)
SIMT_WAYS(SIMT_WAY1, float, unsigned int, __uint2float, x)
SIMT_WAYS(SIMT_WAY1, float, long long, __ll2float, x)
SIMT_WAYS(SIMT_WAY1, float, unsigned long long, __ull2float, x)
SIMT_WAYS(SIMT_WAY1, double, long long, __ll2double, x)
SIMT_WAYS(SIMT_WAY1, double, unsigned long long, __ull2double, x)
#undef SIMT_ROUNDED_OPERATIONS
#undef SIMT_WAYS
#undef SIMT_WAY1
#undef SIMT_WAY2
#undef SIMT_WAY3
