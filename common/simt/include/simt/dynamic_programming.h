// Intrinsics of dynamic programming (DPX): the largest or smallest of three, or of a sum and a third. Sums are modulo 2^32 or,
// of two halfwords, 2^16; what ends in relu is not below 0.
#pragma once
#include "simt/min_max.h"
#include "simt/packed_integers.h"

#define SIMT_DPX_OF_TWO(name, type, value)              \
    SIMT_INLINE type name(const type a, const type b) { \
        return value;                                   \
    }
#define SIMT_DPX_OF_THREE(name, type, value)                          \
    SIMT_INLINE type name(const type a, const type b, const type c) { \
        return value;                                                 \
    }
#define SIMT_DPX(extremum, kind, type, sum, function)                              \
    SIMT_DPX_OF_THREE(__vi##extremum##3_##kind, type, function(function(a, b), c)) \
    SIMT_DPX_OF_THREE(__viadd##extremum##_##kind, type, function(static_cast<type>(sum), c))
#define SIMT_DPX_RELU(extremum, kind, type, larger, function)                                           \
    SIMT_DPX_OF_TWO(__vi##extremum##_##kind##_relu, type, larger(function(a, b), static_cast<type>(0))) \
    SIMT_DPX_OF_THREE(__vi##extremum##3_##kind##_relu, type,                                            \
                      larger(__vi##extremum##3_##kind(a, b, c), static_cast<type>(0)))                  \
    SIMT_DPX_OF_THREE(__viadd##extremum##_##kind##_relu, type,                                          \
                      larger(__viadd##extremum##_##kind(a, b, c), static_cast<type>(0)))
#define SIMT_DPX_BOTH(kind, type, sum, smaller, larger) \
    SIMT_DPX(min, kind, type, sum, smaller)             \
    SIMT_DPX(max, kind, type, sum, larger)
SIMT_DPX_BOTH(s32, int, unsigned(a) + unsigned(b), min, max)
SIMT_DPX_BOTH(u32, unsigned int, a + b, min, max)
SIMT_DPX_BOTH(s16x2, unsigned int, __vadd2(a, b), __vmins2, __vmaxs2)
SIMT_DPX_BOTH(u16x2, unsigned int, __vadd2(a, b), __vminu2, __vmaxu2)
SIMT_DPX_RELU(min, s32, int, max, min)
SIMT_DPX_RELU(max, s32, int, max, max)
SIMT_DPX_RELU(min, s16x2, unsigned int, __vmaxs2, __vmins2)
SIMT_DPX_RELU(max, s16x2, unsigned int, __vmaxs2, __vmaxs2)
#undef SIMT_DPX_BOTH
#undef SIMT_DPX_RELU
#undef SIMT_DPX
#undef SIMT_DPX_OF_THREE
#undef SIMT_DPX_OF_TWO

// Of two values, and whether it is the first one, or equal to it.
#define SIMT_DPX_TOLD(name, type, function)                             \
    SIMT_INLINE type name(const type a, const type b, bool* is_first) { \
        const type chosen = function(a, b);                             \
        *is_first = chosen == a;                                        \
        return chosen;                                                  \
    }
#define SIMT_DPX_TOLD_OF_BOTH(name, function)                                                          \
    SIMT_INLINE unsigned int name(const unsigned int a, const unsigned int b, bool* high, bool* low) { \
        const unsigned int chosen = function(a, b);                                                    \
        *high = chosen >> 16 == a >> 16;                                                               \
        *low = (chosen & 0xffff) == (a & 0xffff);                                                      \
        return chosen;                                                                                 \
    }
SIMT_DPX_TOLD(__vibmin_s32, int, min)
SIMT_DPX_TOLD(__vibmax_s32, int, max)
SIMT_DPX_TOLD(__vibmin_u32, unsigned int, min)
SIMT_DPX_TOLD(__vibmax_u32, unsigned int, max)
SIMT_DPX_TOLD_OF_BOTH(__vibmin_s16x2, __vmins2)
SIMT_DPX_TOLD_OF_BOTH(__vibmax_s16x2, __vmaxs2)
SIMT_DPX_TOLD_OF_BOTH(__vibmin_u16x2, __vminu2)
SIMT_DPX_TOLD_OF_BOTH(__vibmax_u16x2, __vmaxu2)
#undef SIMT_DPX_TOLD_OF_BOTH
#undef SIMT_DPX_TOLD
