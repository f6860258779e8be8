// __nv_bfloat16 and __nv_bfloat162: the upper half of a float, 7 bits behind the point.
#pragma once
#include "cuda_runtime.h"

#define SIMT_TYPE __nv_bfloat16
#define SIMT_PAIR __nv_bfloat162
#define SIMT_RAW __nv_bfloat16_raw
#define SIMT_RAW_PAIR __nv_bfloat162_raw
#define SIMT_NAME(before, after) before##bfloat16##after
#define SIMT_NAMES(before, between, after) before##bfloat16##between##bfloat16##after
#define SIMT_MANTISSA_BITS 7
#include "simt/float16.h"

typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;
SIMT_INLINE nv_bfloat162 make_bfloat162(nv_bfloat16 x, nv_bfloat16 y) {
    return {x, y};
}
