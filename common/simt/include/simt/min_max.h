// min and max: of two values of one type, and of a signed and an unsigned integer of one size.
#pragma once
#include <math.h>

#include "simt/vector_types.h"

#define SIMT_MIN_MAX(result, first, second, smaller, larger)            \
    SIMT_INLINE result min(first a, second b) {                         \
        return smaller(static_cast<result>(a), static_cast<result>(b)); \
    }                                                                   \
    SIMT_INLINE result max(first a, second b) {                         \
        return larger(static_cast<result>(a), static_cast<result>(b));  \
    }
#define SIMT_SMALLER(a, b) (a < b ? a : b)
#define SIMT_LARGER(a, b) (a > b ? a : b)
#define SIMT_MIN_MAX_INTEGERS(type)                                                      \
    SIMT_MIN_MAX(type, type, type, SIMT_SMALLER, SIMT_LARGER)                            \
    SIMT_MIN_MAX(unsigned type, unsigned type, unsigned type, SIMT_SMALLER, SIMT_LARGER) \
    SIMT_MIN_MAX(unsigned type, type, unsigned type, SIMT_SMALLER, SIMT_LARGER)          \
    SIMT_MIN_MAX(unsigned type, unsigned type, type, SIMT_SMALLER, SIMT_LARGER)
SIMT_MIN_MAX_INTEGERS(int)
SIMT_MIN_MAX_INTEGERS(long)
SIMT_MIN_MAX_INTEGERS(long long)
SIMT_MIN_MAX(float, float, float, fminf, fmaxf)
SIMT_MIN_MAX(double, double, double, fmin, fmax)
SIMT_MIN_MAX(double, float, double, fmin, fmax)
SIMT_MIN_MAX(double, double, float, fmin, fmax)
#undef SIMT_MIN_MAX_INTEGERS
#undef SIMT_LARGER
#undef SIMT_SMALLER
#undef SIMT_MIN_MAX

// The same under the names that say the type.
SIMT_INLINE unsigned int umin(unsigned int a, unsigned int b) {
    return min(a, b);
}
SIMT_INLINE unsigned int umax(unsigned int a, unsigned int b) {
    return max(a, b);
}
SIMT_INLINE long long llmin(long long a, long long b) {
    return min(a, b);
}
SIMT_INLINE long long llmax(long long a, long long b) {
    return max(a, b);
}
SIMT_INLINE unsigned long long ullmin(unsigned long long a, unsigned long long b) {
    return min(a, b);
}
SIMT_INLINE unsigned long long ullmax(unsigned long long a, unsigned long long b) {
    return max(a, b);
}
