// Lab 07, faster: a kernel for each common filter, and one for blocks that cover their input tile.
//
// The loops of conv2d_tiled.cu mostly run once, or over as few as three taps: to count, compare and jump is a
// large part of what a thread does. The compiler takes out a loop whose end it knows: the side of the filter
// is a number here, and so is the answer to whether a thread has a second cell. What it can then
// write out in a row is limited to what fits the instruction cache.
#include "conv2d_tiled.h"

#include <algorithm>
#include <climits>
#include <stdexcept>
#include <string>

#include "lab/lab.h"

constexpr int MAX_SIDE = 32;              // of a block: 32 x 32 are the 1024 threads that it may have
constexpr size_t MAX_SHARED = 48 * 1024;  // bytes of a block; more has to be asked for

// A filter is never larger than the input tile, so one that fits shared memory fits here.
__constant__ float c_filter[MAX_SHARED / sizeof(float)];

/// An image on the device (PMPP fig. 7.17): `height` rows of `width` pixels of `channels` interleaved values.
template <class T>
struct image_view {
    T* data;
    int pitch;  // bytes from one row to the next
    int width, height, channels;
};

template <class T>
__device__ T& value_at(image_view<T> image, int x, int y, int channel) {
    // From two ints the GPU makes a 64-bit product in one instruction.
    T* row = (T*)((char*)image.data + ptrdiff_t(y) * image.pitch);
    return row[x * image.channels + channel];
}

/// Bytes of shared memory that an input tile takes. Throws std::invalid_argument if no block can have them.
static size_t shared_bytes(int tile, int filter_width, int filter_height) {
    if (tile < 1) throw std::invalid_argument("a tile of " + std::to_string(tile) + ": at least 1");
    const size_t bytes =
        (size_t(tile) + filter_width - 1) * (size_t(tile) + filter_height - 1) * sizeof(float);
    if (bytes > MAX_SHARED)
        throw std::invalid_argument("the input tile takes " + std::to_string(bytes) +
                                    " bytes of shared memory: a block has at most " +
                                    std::to_string(MAX_SHARED));
    return bytes;
}

/// The threads of a block.
static dim3 block_for(int tile, int filter_width, int filter_height) {
    return dim3(std::min(tile + filter_width - 1, MAX_SIDE), std::min(tile + filter_height - 1, MAX_SIDE));
}

/// The column or row that a thread takes after `k`, `step` further on. A block that COVERED the input tile
/// has none: the compiler sees that and drops the loop.
template <bool COVERED>
__device__ int next(int k, unsigned step) {
    return COVERED ? INT_MAX : k + step;
}

/// SIDE > 0 is the side of a square filter, known to the compiler; 0 leaves both sizes to run time. COVERED:
/// the block is as large as the input tile.
template <int SIDE, bool COVERED>
__global__ void conv2d_tiled_kernel(image_view<float> out, image_view<const float> in, int run_time_width,
                                    int run_time_height, int tile) {
    const int filter_width = SIDE > 0 ? SIDE : run_time_width;
    const int filter_height = SIDE > 0 ? SIDE : run_time_height;
    // To unroll the sums by: whole rows of taps, and filters whose code fits the instruction cache.
    [[maybe_unused]] constexpr int TAPS = SIDE > 0 ? SIDE : 8, ROWS = SIDE > 0 && SIDE <= 11 ? SIDE : 1;
    [[maybe_unused]] extern __shared__ float s_tile[];  // rows of input_width values of one channel
    const int input_width = tile + filter_width - 1, input_height = tile + filter_height - 1;
    // No such thread exists. The compiler learns it here and drops the tests of the loading.
    if (COVERED && (int(threadIdx.x) >= input_width || int(threadIdx.y) >= input_height))
        __builtin_unreachable();

    for (int ty = threadIdx.y; ty < input_height; ty = next<COVERED>(ty, blockDim.y)) {
        for (int tx = threadIdx.x; tx < input_width; tx = next<COVERED>(tx, blockDim.x)) {
            const int x = blockIdx.x * tile + tx - filter_width / 2;
            const int y = blockIdx.y * tile + ty - filter_height / 2;
            const bool inside = x >= 0 && x < in.width && y >= 0 && y < in.height;
            s_tile[ty * input_width + tx] = inside ? value_at(in, x, y, blockIdx.z) : 0.0f;
        }
    }
    __syncthreads();  // the sums below read what other threads have stored above
    for (int ty = threadIdx.y; ty < tile; ty = next<COVERED>(ty, blockDim.y)) {
        for (int tx = threadIdx.x; tx < tile; tx = next<COVERED>(tx, blockDim.x)) {
            const int x = blockIdx.x * tile + tx, y = blockIdx.y * tile + ty;
            if (x >= out.width || y >= out.height) continue;  // the last tiles overhang the image

            float sum = 0.0f;
#pragma unroll ROWS
            for (int i = 0; i < filter_height; i++) {
#pragma unroll TAPS
                for (int j = 0; j < filter_width; j++) {
                    // No - radius here: the input tile begins that much earlier than the output tile.
                    sum += c_filter[i * filter_width + j] * s_tile[(ty + i) * input_width + tx + j];
                }
            }
            value_at(out, x, y, blockIdx.z) = sum;
        }
    }
}

using kernel_function = decltype(&conv2d_tiled_kernel<0, false>);

/// The kernel for a filter: common squares have one of their own.
template <bool COVERED>
static kernel_function kernel_for(int filter_width, int filter_height) {
    switch (filter_width == filter_height ? filter_width : 0) {
        case 3:
            return conv2d_tiled_kernel<3, COVERED>;
        case 5:
            return conv2d_tiled_kernel<5, COVERED>;
        case 7:
            return conv2d_tiled_kernel<7, COVERED>;
        case 9:
            return conv2d_tiled_kernel<9, COVERED>;
        case 11:
            return conv2d_tiled_kernel<11, COVERED>;
        case 27:
            return conv2d_tiled_kernel<27, COVERED>;
    }
    return conv2d_tiled_kernel<0, COVERED>;
}

void conv2d_tiled(std::span<float> out, std::span<const float> in, std::span<const float> filter, int width,
                  int height, int channels, int filter_width, int filter_height, int tile) {
    const size_t bytes = shared_bytes(tile, filter_width, filter_height);
    const dim3 block = block_for(tile, filter_width, filter_height);
    const dim3 grid(ceil_div(width, tile), ceil_div(height, tile), channels);

    set_filter(c_filter, filter);
    pitched_image<float> d_in(in, width * channels, height), d_out(width * channels, height);
    const image_view<float> to{d_out.data(), int(d_out.pitch()), width, height, channels};
    const image_view<const float> from{d_in.data(), int(d_in.pitch()), width, height, channels};
    const bool covered = int(block.x) == tile + filter_width - 1 && int(block.y) == tile + filter_height - 1;
    const kernel_function kernel = covered ? kernel_for<true>(filter_width, filter_height)
                                           : kernel_for<false>(filter_width, filter_height);
    timed_launch([&] { kernel<<<grid, block, bytes>>>(to, from, filter_width, filter_height, tile); });
    d_out.copy_to(out);
}
