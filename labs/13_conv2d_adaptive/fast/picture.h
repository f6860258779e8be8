// Lab 13: the images of the fast version, and the way from a thread's registers to them. Given.
#pragma once
#include "lab/lab.h"

constexpr int WARP = 32;  // threads
constexpr int CHUNK = 4;  // floats of one 16-byte access, the widest there is

/// Both images on the device. A pitch is in floats and a multiple of CHUNK, so that every row starts with a
/// whole chunk; what lies between `width` and the pitch belongs to nobody.
struct picture {
    const float* in;
    float* out;
    int width, height, in_pitch, out_pitch;
};

/// Stores a thread's sums, the first at column x, a multiple
/// of CHUNK, and row y; those outside the image are left out.
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
