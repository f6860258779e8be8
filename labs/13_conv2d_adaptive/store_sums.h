// Lab 13: from a thread's registers to the image. Given.
#pragma once
#include "schedule.h"

/// Stores a thread's sums, the first at column x and row y, a multiple of CHUNK; those outside the image are
/// left out.
template <int ROWS>
__device__ __forceinline__ void store_sums(picture image, int x, int y, const float (&sum)[ROWS][CHUNK]) {
    float* to = &image.out[size_t(y) * image.out_pitch + x];
    if (x + CHUNK <= image.width && y + ROWS <= image.height) {
#pragma unroll
        for (int row = 0; row < ROWS; row++, to += image.out_pitch) {
            const float4 chunk = make_float4(sum[row][0], sum[row][1], sum[row][2], sum[row][3]);
            __stcs(reinterpret_cast<float4*>(to), chunk);  // nobody reads it again: past the cache
        }
    } else {
#pragma unroll
        for (int row = 0; row < ROWS; row++, to += image.out_pitch) {
#pragma unroll
            for (int column = 0; column < CHUNK; column++)
                if (y + row < image.height && x + column < image.width) to[column] = sum[row][column];
        }
    }
}
