// Lab 18 - tensor cores: convolution as a product of matrices.
//
// Idea  Tensor cores multiply matrices of 16 x 16 fp16 numbers. The sums of 16 x 16 outputs along one row of taps are
//       such a product: the pixels, and a matrix in which that row stands 16 times, each time one place further down.
//       Where 11 bits are too few, a float becomes the sum of two fp16 numbers, and one product three.
// Do    TODO 18.1 to 18.8. The contract is conv2d_tensor.h; leave it as it is.
// Run   make lab18      (stuck: make hint18)
#include "conv2d_tensor.h"

#include <mma.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

#include "lab/lab.h"

using namespace nvcuda;

constexpr int SIDE = 16;         // of the matrices: a warp has SIDE x SIDE outputs
constexpr int WARPS_ACROSS = 4;  // of a block: the more there are, the less of its tile is halo
constexpr int WARPS_DOWN = 2;
constexpr int WARPS = WARPS_ACROSS * WARPS_DOWN, WARP_SIZE = 32;
constexpr int TILE_WIDTH = WARPS_ACROSS * SIDE, TILE_HEIGHT = WARPS_DOWN * SIDE;  // outputs of a block

constexpr size_t MAX_SHARED = 48 * 1024;  // bytes of a block; more has to be asked for

// What a warp multiplies: pixels (a row of the matrix is a row of the image) by taps (a column for each output).
using pixel_matrix = wmma::fragment<wmma::matrix_a, SIDE, SIDE, SIDE, __half, wmma::row_major>;
using tap_matrix = wmma::fragment<wmma::matrix_b, SIDE, SIDE, SIDE, __half, wmma::col_major>;
using sum_matrix = wmma::fragment<wmma::accumulator, SIDE, SIDE, SIDE, float>;

// ---- Numbers.

/// The power of two that brings `largest` between 2^13 and 2^14; any, if it is 0.
static float scale_of(float largest) {
    // TODO 18.1 (about 3 lines) Return that power of two.
    return largest;  // replace this line
}

/// Part 0 of a value is the fp16 number next to it, part 1 that next to what is left.
__host__ __device__ inline __half part_of(float value, int part) {
    const __half nearest = __float2half(value);
    if (part == 0) return nearest;
    // TODO 18.7 (about 1 line) Return part 1.
    return nearest;  // replace this line
}

// ---- The taps as matrices, and the tile.

/// Pixels of a row that SIDE neighbouring outputs need, rounded up to whole matrices.
__host__ __device__ constexpr int band_length(int filter_width) {
    return ceil_div(SIDE + filter_width - 1, SIDE) * SIDE;
}

/// For every row i of taps the columns x = 0..15 of its matrix, one after the other, `band_length` numbers each: column
/// x has the taps where output x meets them, from pixel x on, and zeros elsewhere. All of part 0, then all of part 1.
static std::vector<__half> make_bands(int parts, std::span<const float> filter, int filter_width,
                                      int filter_height, float scale) {
    const int length = band_length(filter_width), band = SIDE * length;
    std::vector<__half> bands(size_t(parts) * filter_height * band, __float2half(0.0f));
    for (int part = 0; part < parts; part++) {
        for (int i = 0; i < filter_height; i++) {
            __half* const columns = &bands[size_t(part * filter_height + i) * band];
            // TODO 18.2 (about 4 lines) Put row i of the taps, times scale, into each of the columns.
            columns[0] = part_of(scale, part);  // replace this line
        }
    }
    return bands;
}

/// Cells of a row of the tile: as far as the last warp's matrices reach, and an odd number of matrices, so that rows
/// next to each other do not lie in the same banks.
__host__ __device__ constexpr int tile_stride(int filter_width) {
    return (ceil_div(TILE_WIDTH - SIDE + band_length(filter_width), SIDE) | 1) * SIDE;
}

/// Bytes of a block: SIDE x SIDE sums of every warp, and a tile for each part. Throws std::invalid_argument if no block
/// has so many.
static size_t shared_bytes(int parts, int filter_width, int filter_height) {
    // TODO 18.3 (about 7 lines) Return the bytes of all; throw, naming them and the limit, beyond MAX_SHARED.
    return MAX_SHARED;  // always as much as there is: replace this line
}

// ---- The kernel.

template <int PARTS>
__global__ void conv2d_tensor_kernel(float* out, const float* in, const __half* bands, int width, int height,
                                     int filter_width, int filter_height, float pixel_scale, float unscale) {
    extern __shared__ __align__(32) float s_sums[];  // of every warp; matrices begin at multiples of 32 bytes
    __half* const s_tile = reinterpret_cast<__half*>(&s_sums[WARPS * SIDE * SIDE]);  // a tile for each part
    const int length = band_length(filter_width), stride = tile_stride(filter_width);
    const int rows = TILE_HEIGHT + filter_height - 1;
    const int lane = threadIdx.x, warp = threadIdx.y;

    // TODO 18.4 (about 12 lines) Load the pixels that the block needs; store their parts, and zeros where
    // there are none; wait.
    (void)in, (void)pixel_scale, (void)rows;  // unused so far: take this line out

    // The first output of this warp. Only whole warps may leave: a matrix is the business of all 32 threads.
    const int tile_x = warp % WARPS_ACROSS * SIDE, tile_y = warp / WARPS_ACROSS * SIDE;
    const int x = int(blockIdx.x) * TILE_WIDTH + tile_x, y = int(blockIdx.y) * TILE_HEIGHT + tile_y;
    if (x >= width || y >= height) return;

    sum_matrix sums;
    wmma::fill_fragment(sums, 0.0f);
    for (int i = 0; i < filter_height; i++) {
        const __half* const pixels = &s_tile[(tile_y + i) * stride + tile_x];  // under row i of the taps
        const __half* const taps = &bands[i * SIDE * length];
        sum_matrix row_sums;
        wmma::fill_fragment(row_sums, 0.0f);
        for (int k = 0; k < length; k += SIDE) {
            pixel_matrix high_pixels;
            tap_matrix high_taps;
            // TODO 18.5 (about 3 lines) Load both matrices from column k of the pixels on, and add their
            // product to row_sums.
            wmma::fill_fragment(high_pixels, __half(0));  // replace this line
            wmma::fill_fragment(high_taps, __half(0));    // and this one
            (void)pixels, (void)taps;  // unused so far: take this line out
            if constexpr (PARTS == 2) {
                const __half* const pixels_1 = pixels + rows * stride;
                const __half* const taps_1 = taps + filter_height * SIDE * length;
                pixel_matrix low_pixels;
                tap_matrix low_taps;
                // TODO 18.8 (about 4 lines) Load the matrices of part 1; add the two products in which one of
                // the factors is part 0.
                wmma::fill_fragment(low_pixels, __half(0));  // replace this line
                wmma::fill_fragment(low_taps, __half(0));    // and this one
                (void)pixels_1, (void)taps_1;  // unused so far: take this line out
            }
        }
        // Tensor cores cut off what does not fit into a sum; these additions round. So the long sum is made of them.
        for (int e = 0; e < sums.num_elements; e++)
            sums.x[e] += row_sums.x[e];
    }

    float* const s_own = &s_sums[warp * SIDE * SIDE];
    wmma::store_matrix_sync(s_own, sums, SIDE, wmma::mem_row_major);
    __syncwarp();  // who stores an output has not stored its sum
    // TODO 18.6 (about 4 lines) Store the sums that have an output, times unscale; the warp's threads take
    // turns.
    if (lane == 0) out[y * width + x] = s_own[0] * unscale;  // replace this line
}

template <int PARTS>
static void conv2d_tensor(std::span<float> out, std::span<const float> in, std::span<const float> filter,
                          int width, int height, int filter_width, int filter_height, float largest_pixel) {
    const size_t bytes = shared_bytes(PARTS, filter_width, filter_height);
    float largest_tap = 0.0f;
    for (const float tap : filter)
        largest_tap = std::max(largest_tap, std::abs(tap));
    const float pixel_scale = scale_of(largest_pixel), tap_scale = scale_of(largest_tap);
    const std::vector<__half> bands = make_bands(PARTS, filter, filter_width, filter_height, tap_scale);
    device_buffer<__half> d_bands(bands);
    device_buffer<float> d_in(in), d_out(out.size());
    const dim3 block(WARP_SIZE, WARPS);
    const dim3 grid(ceil_div(width, TILE_WIDTH), ceil_div(height, TILE_HEIGHT));
    timed_launch([&] {
        conv2d_tensor_kernel<PARTS><<<grid, block, bytes>>>(d_out.data(), d_in.data(), d_bands.data(), width,
                                                            height, filter_width, filter_height, pixel_scale,
                                                            1.0f / (pixel_scale * tap_scale));
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
