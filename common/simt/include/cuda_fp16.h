// __half and __half2: floating point of 16 bits, 10 of them behind the point.
#pragma once
#include "cuda_runtime.h"

#define SIMT_TYPE __half
#define SIMT_PAIR __half2
#define SIMT_RAW __half_raw
#define SIMT_RAW_PAIR __half2_raw
#define SIMT_NAME(before, after) before##half##after
#define SIMT_NAMES(before, between, after) before##half##between##half##after
#define SIMT_MANTISSA_BITS 10
#include "simt/float16.h"

typedef __half half;
typedef __half2 half2;
typedef __half nv_half;
typedef __half2 nv_half2;
SIMT_INLINE half2 make_half2(half x, half y) {
    return {x, y};
}
