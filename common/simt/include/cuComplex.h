// cuComplex.h: complex numbers as pairs, with the arithmetic that CUDA gives them.
#pragma once
#include "cuda_runtime.h"

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

/// The functions of one precision: names end in `f` or in nothing.
#define SIMT_COMPLEX(type, part, f, make)                                                  \
    SIMT_INLINE part cuCreal##f(type x) {                                                  \
        return x.x;                                                                        \
    }                                                                                      \
    SIMT_INLINE part cuCimag##f(type x) {                                                  \
        return x.y;                                                                        \
    }                                                                                      \
    SIMT_INLINE type make(part real, part imaginary) {                                     \
        type made;                                                                         \
        made.x = real;                                                                     \
        made.y = imaginary;                                                                \
        return made;                                                                       \
    }                                                                                      \
    SIMT_INLINE type cuConj##f(type x) {                                                   \
        return make(x.x, -x.y);                                                            \
    }                                                                                      \
    SIMT_INLINE type cuCadd##f(type x, type y) {                                           \
        return make(x.x + y.x, x.y + y.y);                                                 \
    }                                                                                      \
    SIMT_INLINE type cuCsub##f(type x, type y) {                                           \
        return make(x.x - y.x, x.y - y.y);                                                 \
    }                                                                                      \
    SIMT_INLINE type cuCmul##f(type x, type y) {                                           \
        return make(x.x * y.x - x.y * y.y, x.x * y.y + x.y * y.x);                         \
    }                                                                                      \
    /* Both are made smaller before, so that nothing overflows on the way. */              \
    SIMT_INLINE type cuCdiv##f(type x, type y) {                                           \
        const part scale = 1 / (fabs##f(y.x) + fabs##f(y.y));                              \
        const type a = make(x.x * scale, x.y * scale), b = make(y.x * scale, y.y * scale); \
        const part square = 1 / (b.x * b.x + b.y * b.y);                                   \
        return make((a.x * b.x + a.y * b.y) * square, (a.y * b.x - a.x * b.y) * square);   \
    }                                                                                      \
    SIMT_INLINE part cuCabs##f(type x) {                                                   \
        return hypot##f(x.x, x.y);                                                         \
    }                                                                                      \
    SIMT_INLINE type cuCfma##f(type x, type y, type d) {                                   \
        return make(x.x * y.x + d.x - x.y * y.y, x.x * y.y + (x.y * y.x + d.y));           \
    }
SIMT_COMPLEX(cuFloatComplex, float, f, make_cuFloatComplex)
SIMT_COMPLEX(cuDoubleComplex, double, , make_cuDoubleComplex)
#undef SIMT_COMPLEX

SIMT_INLINE cuComplex make_cuComplex(float real, float imaginary) {
    return make_cuFloatComplex(real, imaginary);
}
SIMT_INLINE cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex x) {
    return make_cuDoubleComplex(x.x, x.y);
}
SIMT_INLINE cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex x) {
    return make_cuFloatComplex(static_cast<float>(x.x), static_cast<float>(x.y));
}
