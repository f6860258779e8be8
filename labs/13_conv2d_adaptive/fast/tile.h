// Lab 13: convolution from a tile in shared memory to a register tile of each thread. Given.
#pragma once
#include "load_tile.h"

/// Adds `filter_rows` rows of the filter to a thread's sums. Every row of the thread's window is read once,
/// into registers; the first lies under the first of the filter rows.
template <tile_schedule S, class adder, int filter_rows>
__device__ inline void add_filter_rows(float (&sum)[S.rows][CHUNK], const float4* window,
                                       const float2* pairs) {
#pragma unroll
    for (int r = 0; r < S.rows + filter_rows - 1; r++) {
        float pixel[S.window() * CHUNK];
#pragma unroll
        for (int c = 0; c < S.window(); c++) {
            const float4 chunk = window[r * S.chunks() + c];
            pixel[c * CHUNK] = chunk.x;
            pixel[c * CHUNK + 1] = chunk.y;
            pixel[c * CHUNK + 2] = chunk.z;
            pixel[c * CHUNK + 3] = chunk.w;
        }
        adder::template add_row<S.filter_width, filter_rows, S.shift()>(sum, pixel, r, pairs);
    }
}

/// Adds the whole filter, in loop bodies of S.unrolled rows.
template <tile_schedule S, class adder>
__device__ inline void add_filter(float (&sum)[S.rows][CHUNK], const float4* window, int filter_height) {
    constexpr int PAIRS = (S.filter_width + 1) / 2;  // of a row
    // Moved on, never computed from the row's number: the compiler then keeps the taps in uniform registers,
    // one for the warp, and no thread spends an instruction on loading them.
    const float2* pairs = adder::filter_pairs();
    if constexpr (S.filter_height > 0 && S.filter_height <= S.unrolled) {
        add_filter_rows<S, adder, S.filter_height>(sum, window, pairs);
    } else {
#pragma unroll 1
        for (int body = 0; body < filter_height / S.unrolled; body++) {
            add_filter_rows<S, adder, S.unrolled>(sum, window, pairs);
            pairs += S.unrolled * PAIRS;
            window += S.unrolled * S.chunks();
        }
        constexpr int REST = S.filter_height % S.unrolled;
        if constexpr (REST > 0) {
            add_filter_rows<S, adder, REST>(sum, window, pairs);
        } else if constexpr (S.filter_height == 0 && S.unrolled > 1) {
#pragma unroll 1
            for (int rest = filter_height % S.unrolled; rest > 0; rest--) {
                add_filter_rows<S, adder, 1>(sum, window, pairs);
                pairs += PAIRS;
                window += S.chunks();
            }
        }
    }
}

/// Blocks of WARP x S.warps threads; S.shared_bytes(filter height) bytes of dynamic shared memory.
template <tile_schedule S, class adder>
__global__ void __launch_bounds__(WARP* S.warps, 1)
    conv2d_tile_kernel(picture image, const __grid_constant__ image_map map, int run_time_height) {
    extern __shared__ __align__(128) float4 s_pixels[];
    const int filter_height = S.filter_height > 0 ? S.filter_height : run_time_height;
    const int first_x = blockIdx.x * S.block_columns();  // the block's first output
    const int first_y = blockIdx.y * S.block_rows();
    load_tile<S>(s_pixels, image, map, first_x - S.left_halo(), first_y - filter_height / 2, filter_height);

    float sum[S.rows][CHUNK] = {};
    const int row = threadIdx.y * S.rows;  // of the tile, and of the block's outputs
    add_filter<S, adder>(sum, &s_pixels[row * S.chunks() + threadIdx.x], filter_height);
    const int x = first_x + threadIdx.x * CHUNK, y = first_y + row;
    if (x < image.width && y < image.height) store_sums(image, x, y, sum);
}
