// Lab 13: convolution with small filters, straight from
// global memory through the L1 cache to registers. Given.
#pragma once
#include "copy_engine.h"
#include "schedule.h"

constexpr int DIRECT_HALO = 2;  // columns on either side: filters of up to 5 x 5 taps
constexpr int DIRECT_WINDOW = CHUNK + 2 * DIRECT_HALO;

/// The pixels x - DIRECT_HALO .. x + CHUNK + DIRECT_HALO - 1 of row y, ghost cells as 0. `whole`: all of them
/// lie in the image.
__device__ __forceinline__ void read_window(float (&pixel)[DIRECT_WINDOW], picture image, int x, int y,
                                            bool whole) {
    const float* row = &image.in[ptrdiff_t(y) * image.in_pitch + x];
    if (whole) {
        const float2 left = __ldg(reinterpret_cast<const float2*>(row - DIRECT_HALO));
        const float4 own = __ldg(reinterpret_cast<const float4*>(row));
        const float2 right = __ldg(reinterpret_cast<const float2*>(row + CHUNK));
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
            const bool inside = column >= 0 && column < image.width && y >= 0 && y < image.height;
            pixel[k] = inside ? row[k - DIRECT_HALO] : 0.0f;
        }
    }
}

/// Computes a thread's outputs, the first of which is that at column x and row y.
template <direct_schedule S, class adder>
__device__ __forceinline__ void convolve_directly(picture image, int x, int y, bool whole) {
    float sum[S.rows][CHUNK] = {};
#pragma unroll
    for (int r = 0; r < S.rows + S.filter_height - 1; r++) {
        float pixel[DIRECT_WINDOW];
        read_window(pixel, image, x, y + r - S.filter_height / 2, whole);
        adder::template add_row<S.filter_width, S.filter_height, DIRECT_HALO - S.filter_width / 2>(
            sum, pixel, r, adder::filter_pairs());
    }
    store_sums(image, x, y, sum);
}

/// Asks for the pixels of a later block to be brought to the L2 cache. That block then starts about when they
/// arrive, and waits for the L2 cache only; no thread waits here.
template <direct_schedule S>
__device__ __forceinline__ void prefetch_for_later_block(picture image) {
#ifdef __CUDA_ARCH__
    constexpr int LINE = 32, LINES = S.block_columns() / LINE;  // floats in 128 bytes; lines in a block's row
    const int block = blockIdx.y * gridDim.x + blockIdx.x + S.ahead;
    const int first_x = block % gridDim.x * S.block_columns(), first_y = block / gridDim.x * S.block_rows();
    for (int k = threadIdx.y * WARP + threadIdx.x; k < S.block_rows() * LINES; k += S.warps * WARP) {
        const int x = first_x + k % LINES * LINE, y = first_y + k / LINES;
        if (x < image.width && y < image.height)
            asm volatile("prefetch.global.L2 [%0];" ::"l"(&image.in[size_t(y) * image.in_pitch + x]));
    }
#else
    (void)image;  // the CPU backend has no L2 cache
#endif
}

/// Blocks of WARP x S.warps threads.
template <direct_schedule S, class adder>
__global__ void __launch_bounds__(WARP* S.warps, 1)
    conv2d_direct_kernel(picture image, const __grid_constant__ image_map, int) {
    static_assert(S.filter_width / 2 <= DIRECT_HALO && S.filter_height > 0);
    if constexpr (S.ahead > 0) prefetch_for_later_block<S>(image);
    const int x = (blockIdx.x * WARP + threadIdx.x) * CHUNK;
    const int y = (blockIdx.y * S.warps + threadIdx.y) * S.rows;
    if (x >= image.width || y >= image.height) return;
    // Decided once for all rows: no test then stands between the loads, and they are all under way together.
    const bool whole = x >= DIRECT_HALO && x + CHUNK + DIRECT_HALO <= image.width &&
                       y >= S.filter_height / 2 && y + S.rows + S.filter_height / 2 <= image.height;
    if (whole)
        convolve_directly<S, adder>(image, x, y, true);
    else
        convolve_directly<S, adder>(image, x, y, false);
}
