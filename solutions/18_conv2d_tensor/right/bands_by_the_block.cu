// Right: taps go to constant memory as they are; a block makes the columns of one row of them after the other, in
// shared memory.
#include "conv2d_tensor.h"

#include <mma.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include "lab/lab.h"

using namespace nvcuda;

constexpr int SIDE = 16;  // of the matrices: a warp has SIDE x SIDE outputs
constexpr int WARPS_ACROSS =
    4;  // of a block, and WARPS_DOWN: the wider and higher, the less of its tile is halo
constexpr int WARPS_DOWN = 2;
constexpr int WARPS = WARPS_ACROSS * WARPS_DOWN, WARP_SIZE = 32;
constexpr int TILE_WIDTH = WARPS_ACROSS * SIDE, TILE_HEIGHT = WARPS_DOWN * SIDE;  // outputs of a block

constexpr size_t MAX_SHARED = 48 * 1024;  // bytes of a block; more has to be asked for
constexpr size_t MAX_TAPS = 16000;

__constant__ float c_filter[MAX_TAPS];

// What a warp multiplies: pixels (a row of the matrix is a row of the image) by taps (a column for each output).
using pixel_matrix = wmma::fragment<wmma::matrix_a, SIDE, SIDE, SIDE, __half, wmma::row_major>;
using tap_matrix = wmma::fragment<wmma::matrix_b, SIDE, SIDE, SIDE, __half, wmma::col_major>;
using sum_matrix = wmma::fragment<wmma::accumulator, SIDE, SIDE, SIDE, float>;

// ---- Numbers.

/// The power of two that brings `largest` between 2^13 and 2^14; any, if it is 0.
static float scale_of(float largest) {
    int exponent;
    std::frexp(largest, &exponent);  // largest is less than 2^exponent, and at least half of it
    return std::ldexp(1.0f, 14 - exponent);
}

/// Part 0 of a value is the fp16 number next to it, part 1 that next to what is left.
__host__ __device__ inline __half part_of(float value, int part) {
    const __half nearest = __float2half(value);
    if (part == 0) return nearest;
    return __float2half(value - __half2float(nearest));
}

// ---- The taps as matrices, and the tile.

/// Pixels of a row that SIDE neighbouring outputs need, rounded up to whole matrices.
__host__ __device__ constexpr int band_length(int filter_width) {
    return ceil_div(SIDE + filter_width - 1, SIDE) * SIDE;
}

/// Cells of a row of the tile: as far as the last warp's matrices reach, and an odd number of matrices, so that rows
/// next to each other do not lie in the same banks.
__host__ __device__ constexpr int tile_stride(int filter_width) {
    return (ceil_div(TILE_WIDTH - SIDE + band_length(filter_width), SIDE) | 1) * SIDE;
}

/// Bytes of a block: SIDE x SIDE sums of every warp, and a tile for each part. Throws std::invalid_argument if no block
/// has so many.
static size_t shared_bytes(int parts, int filter_width, int filter_height) {
    const size_t band = size_t(SIDE * band_length(filter_width));
    const size_t cells = size_t(tile_stride(filter_width)) * size_t(TILE_HEIGHT + filter_height - 1);
    const size_t bytes = WARPS * SIDE * SIDE * sizeof(float) + parts * (band + cells) * sizeof(__half);
    if (bytes > MAX_SHARED)
        throw std::invalid_argument("sums and tiles of pixels take " + std::to_string(bytes) +
                                    " bytes of shared memory: a block has at most " +
                                    std::to_string(MAX_SHARED));
    return bytes;
}

// ---- The kernel.

template <int PARTS>
__global__ void conv2d_tensor_kernel(float* out, const float* in, int width, int height, int filter_width,
                                     int filter_height, float pixel_scale, float tap_scale) {
    extern __shared__ __align__(32) float s_sums[];  // of every warp; matrices begin at multiples of 32 bytes
    __half* const s_band = reinterpret_cast<__half*>(&s_sums[WARPS * SIDE * SIDE]);  // one for each part
    const int length = band_length(filter_width), stride = tile_stride(filter_width);
    __half* const s_tile = &s_band[PARTS * SIDE * length];  // the same
    const int rows = TILE_HEIGHT + filter_height - 1;
    const int lane = threadIdx.x, warp = threadIdx.y;

    for (int row = warp; row < rows; row += WARPS) {
        for (int column = lane; column < stride; column += WARP_SIZE) {
            const int from_x = int(blockIdx.x) * TILE_WIDTH + column - filter_width / 2;
            const int from_y = int(blockIdx.y) * TILE_HEIGHT + row - filter_height / 2;
            // Beyond the filter's reach taps are 0, but 0 times what no one has stored may be NaN.
            const bool is_pixel = column < TILE_WIDTH + filter_width - 1 && from_x >= 0 && from_x < width &&
                                  from_y >= 0 && from_y < height;
            const float value = is_pixel ? in[from_y * width + from_x] * pixel_scale : 0.0f;
            for (int part = 0; part < PARTS; part++)
                s_tile[(part * rows + row) * stride + column] = part_of(value, part);
        }
    }

    // The first output of this warp. Warps without outputs help with the columns of taps.
    const int tile_x = warp % WARPS_ACROSS * SIDE, tile_y = warp / WARPS_ACROSS * SIDE;
    const int x = int(blockIdx.x) * TILE_WIDTH + tile_x, y = int(blockIdx.y) * TILE_HEIGHT + tile_y;
    const bool has_outputs = x < width && y < height;

    sum_matrix sums;
    wmma::fill_fragment(sums, 0.0f);
    for (int i = 0; i < filter_height; i++) {
        const __half* const pixels = &s_tile[(tile_y + i) * stride + tile_x];  // under row i of the taps
        __syncthreads();  // the last row is done with; in the first one, the tile is stored
        for (int k = warp * WARP_SIZE + lane; k < SIDE * length; k += WARPS * WARP_SIZE) {
            const int j = k % length - k / length;
            const float tap = j >= 0 && j < filter_width ? c_filter[i * filter_width + j] * tap_scale : 0.0f;
            for (int part = 0; part < PARTS; part++)
                s_band[part * SIDE * length + k] = part_of(tap, part);
        }
        __syncthreads();  // a matrix has what others have stored
        if (!has_outputs) continue;
        const __half* const taps = s_band;
        sum_matrix row_sums;
        wmma::fill_fragment(row_sums, 0.0f);
        for (int k = 0; k < length; k += SIDE) {
            pixel_matrix high_pixels;
            tap_matrix high_taps;
            wmma::load_matrix_sync(high_pixels, pixels + k, stride);
            wmma::load_matrix_sync(high_taps, taps + k, length);
            wmma::mma_sync(row_sums, high_pixels, high_taps, row_sums);
            if constexpr (PARTS == 2) {
                const __half* const pixels_1 = pixels + rows * stride;
                const __half* const taps_1 = taps + SIDE * length;
                pixel_matrix low_pixels;
                tap_matrix low_taps;
                wmma::load_matrix_sync(low_pixels, pixels_1 + k, stride);
                wmma::load_matrix_sync(low_taps, taps_1 + k, length);
                wmma::mma_sync(row_sums, high_pixels, low_taps, row_sums);
                wmma::mma_sync(row_sums, low_pixels, high_taps, row_sums);
            }
        }
        // Tensor cores cut off what does not fit into a sum; these additions round. So the long sum is made of them.
        for (int e = 0; e < sums.num_elements; e++)
            sums.x[e] += row_sums.x[e];
    }

    if (!has_outputs) return;
    float* const s_own = &s_sums[warp * SIDE * SIDE];
    wmma::store_matrix_sync(s_own, sums, SIDE, wmma::mem_row_major);
    __syncwarp();  // who stores an output has not stored its sum
    for (int k = lane; k < SIDE * SIDE; k += WARP_SIZE) {
        const int to_x = x + k % SIDE, to_y = y + k / SIDE;
        if (to_x < width && to_y < height) out[to_y * width + to_x] = s_own[k] / (pixel_scale * tap_scale);
    }
}

template <int PARTS>
static void conv2d_tensor(std::span<float> out, std::span<const float> in, std::span<const float> filter,
                          int width, int height, int filter_width, int filter_height, float largest_pixel) {
    const size_t bytes = shared_bytes(PARTS, filter_width, filter_height);
    float largest_tap = 0.0f;
    for (const float tap : filter)
        largest_tap = std::max(largest_tap, std::abs(tap));
    const float pixel_scale = scale_of(largest_pixel), tap_scale = scale_of(largest_tap);
    set_filter(c_filter, filter);
    device_buffer<float> d_in(in), d_out(out.size());
    const dim3 block(WARP_SIZE, WARPS);
    const dim3 grid(ceil_div(width, TILE_WIDTH), ceil_div(height, TILE_HEIGHT));
    timed_launch([&] {
        conv2d_tensor_kernel<PARTS><<<grid, block, bytes>>>(
            d_out.data(), d_in.data(), width, height, filter_width, filter_height, pixel_scale, tap_scale);
    });
    d_out.copy_to(out);
}

void conv2d_half(std::span<float> out, std::span<const float> in, std::span<const float> filter, int width,
                 int height, int filter_width, int filter_height, float largest_pixel) {
    conv2d_tensor<1>(out, in, filter, width, height, filter_width, filter_height, largest_pixel);
}

void conv2d_split(std::span<float> out, std::span<const float> in, std::span<const float> filter, int width,
                  int height, int filter_width, int filter_height, float largest_pixel) {
    conv2d_tensor<2>(out, in, filter, width, height, filter_width, filter_height, largest_pixel);
}
