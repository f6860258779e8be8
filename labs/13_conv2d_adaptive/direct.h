// Lab 13: convolution with small filters, straight from global memory through the L1 cache to registers.
// Given.
#pragma once
#include "copy_engine.h"
#include "row_sums.h"
#include "store_sums.h"

constexpr int DIRECT_HALO = 2;  // columns on either side: filters of up to 5 x 5 taps
constexpr int DIRECT_WINDOW = CHUNK + 2 * DIRECT_HALO;

/// The pixels x - DIRECT_HALO .. x + CHUNK + DIRECT_HALO - 1 of row y, ghost cells as 0. `whole`: all columns
/// lie in the image. The loads are guarded, not branched around: those of all rows are then under way
/// together.
__device__ inline void read_window(float (&pixel)[DIRECT_WINDOW], picture image, int x, int y, bool whole) {
    const bool row_inside = y >= 0 && y < image.height;
    const float* row = &image.in[ptrdiff_t(y) * image.in_pitch + x];
    if (whole) {
        float2 left = make_float2(0.0f, 0.0f), right = left;
        float4 own = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
        if (row_inside) left = __ldg(reinterpret_cast<const float2*>(row - DIRECT_HALO));
        if (row_inside) own = __ldg(reinterpret_cast<const float4*>(row));
        if (row_inside) right = __ldg(reinterpret_cast<const float2*>(row + CHUNK));
        pixel[0] = left.x;
        pixel[1] = left.y;
        pixel[2] = own.x;
        pixel[3] = own.y;
        pixel[4] = own.z;
        pixel[5] = own.w;
        pixel[6] = right.x;
        pixel[7] = right.y;
    } else {
#pragma unroll
        for (int k = 0; k < DIRECT_WINDOW; k++) {
            const int column = x - DIRECT_HALO + k;
            pixel[k] = row_inside && column >= 0 && column < image.width ? row[k - DIRECT_HALO] : 0.0f;
        }
    }
}

/// Adds the whole filter to a thread's sums, the first of which is output x, y.
template <schedule S>
__device__ inline void convolve_directly(float (&sum)[S.rows][CHUNK], picture image, int x, int y,
                                         bool whole) {
#pragma unroll
    for (int r = 0; r < S.rows + S.filter_height - 1; r++) {
        float pixel[DIRECT_WINDOW];
        read_window(pixel, image, x, y + r - S.filter_height / 2, whole);
        add_row<S.filter_width, S.filter_height, DIRECT_HALO - S.filter_width / 2>(sum, pixel, r,
                                                                                   filter_pairs());
    }
}

/// Blocks of WARP x S.warps threads.
template <schedule S>
__global__ void __launch_bounds__(WARP* S.warps, 1)
    conv2d_direct_kernel(picture image, const __grid_constant__ image_map, int) {
    static_assert(S.filter_width / 2 <= DIRECT_HALO && S.filter_height > 0);
    const int x = (blockIdx.x * WARP + threadIdx.x) * CHUNK;
    const int y = (blockIdx.y * S.warps + threadIdx.y) * S.rows;
    if (x >= image.width || y >= image.height) return;
    float sum[S.rows][CHUNK] = {};
    if (x >= DIRECT_HALO && x + CHUNK + DIRECT_HALO <= image.width)
        convolve_directly<S>(sum, image, x, y, true);
    else
        convolve_directly<S>(sum, image, x, y, false);
    store_sums(image, x, y, sum);
}
