// Lab 12 - several outputs per thread: 1xN tiling.
//
// Idea  A thread that computes N outputs reads each tap once for all of them, and N tiles side by side share
//       the halo between them. The price is shared memory, and registers for N sums.
// Do    TODO 12.1 to 12.6. The contract is conv2d_tiling.h; leave it as it is.
// Run   make lab12      (stuck: make hint12)
#include "conv2d_tiling.h"

#include <stdexcept>
#include <string>

#include "lab/lab.h"

constexpr size_t MAX_SHARED = 48 * 1024;  // bytes of a block; more has to be asked for

// A filter has fewer taps than the tile has pixels: what fits shared memory fits here.
__constant__ float c_filter[MAX_SHARED / sizeof(float)];

/// Bytes of `rows` rows that start `pitch` floats apart. Throws std::invalid_argument if no block has them.
static size_t shared_bytes(int pitch, int rows) {
    // begin 12.1 Return the bytes; throw std::invalid_argument, naming them and the limit, beyond MAX_SHARED.
    // skeleton: return MAX_SHARED;  // always as much as there is: replace this line
    const size_t bytes = size_t(pitch) * size_t(rows) * sizeof(float);
    if (bytes > MAX_SHARED)
        throw std::invalid_argument("the tile takes " + std::to_string(bytes) +
                                    " bytes of shared memory: a block has at most " +
                                    std::to_string(MAX_SHARED));
    return bytes;
    // end 12.1
}

/// Blocks enough to cover `width` x `height` outputs, `factor` of them a thread.
static dim3 grid_for(int width, int height, int block_width, int block_height, int factor) {
    // begin 12.2 Return as many blocks as cover the outputs; each is factor blocks wide.
    // skeleton: return dim3(1, 1);  // one block for any image: replace this line
    return dim3(ceil_div(width, block_width * factor), ceil_div(height, block_height));
    // end 12.2
}

// The compiler knows the factor: the loop over a thread's outputs unrolls and its sums stay in registers.
template <int BLOCK_WIDTH, int BLOCK_HEIGHT, int FACTOR>
__global__ void conv2d_tiling_kernel(float* out, const float* in, int width, int height, int filter_width,
                                     int filter_height, int pitch) {
    extern __shared__ float s_tile[];  // rows that start pitch floats apart
    const int tx = threadIdx.x, ty = threadIdx.y;

    // begin 12.3 Sweep the block over the tile and its halo and load every cell; ghost cells are 0.
    const int tile_width = BLOCK_WIDTH * FACTOR + filter_width - 1;
    const int tile_height = BLOCK_HEIGHT + filter_height - 1;
    const int left = int(blockIdx.x * BLOCK_WIDTH * FACTOR) - filter_width / 2;  // at the tile's (0, 0)
    const int top = int(blockIdx.y * BLOCK_HEIGHT) - filter_height / 2;
    for (int row = ty; row < tile_height; row += BLOCK_HEIGHT) {
        for (int column = tx; column < tile_width; column += BLOCK_WIDTH) {
            const int from_x = left + column, from_y = top + row;
            const bool inside = from_x >= 0 && from_x < width && from_y >= 0 && from_y < height;
            s_tile[row * pitch + column] = inside ? in[from_y * width + from_x] : 0.0f;
        }
    }
    // end 12.3

    const int x = blockIdx.x * BLOCK_WIDTH * FACTOR + tx;  // the first output; the others lie to its right
    const int y = blockIdx.y * BLOCK_HEIGHT + ty;
    __syncthreads();  // the sums below read what other threads have stored above
    if (x >= width || y >= height) return;

    float sum[FACTOR] = {};
    // begin 12.4 Add to every sum; a tap is read once, whatever FACTOR is.
    // Pointers that move on a row at a time: where tap and pixel both have an index, i * width + j, nvcc makes
    // reads at which the warp stands still, and for 31 x 31 taps an H200 takes 6 times as long.
    const float* pixels = &s_tile[ty * pitch + tx];  // under the first row of taps
    const float* taps = c_filter;
    for (int i = 0; i < filter_height; i++) {
        for (int j = 0; j < filter_width; j++) {
            const float tap = taps[j];
#pragma unroll
            for (int n = 0; n < FACTOR; n++)
                sum[n] += pixels[j + n * BLOCK_WIDTH] * tap;
        }
        pixels += pitch;
        taps += filter_width;
    }
    // end 12.4
    // begin 12.5 Store the sums; in the last tile of a row some of them have no pixel.
    // skeleton: out[y * width + x] = sum[0];  // the first of them only: replace this line
#pragma unroll
    for (int n = 0; n < FACTOR; n++) {
        if (x + n * BLOCK_WIDTH < width) out[y * width + x + n * BLOCK_WIDTH] = sum[n];
    }
    // end 12.5
}

/// Any of the kernels: they differ in their template arguments only.
using tiling_kernel = void (*)(float* out, const float* in, int width, int height, int filter_width,
                               int filter_height, int pitch);

/// The kernel for a factor known when the program runs. Throws std::invalid_argument if there is none.
template <int BLOCK_WIDTH, int BLOCK_HEIGHT>
static tiling_kernel kernel_for_factor(int factor) {
    // begin 12.6 Return the kernel for a factor of 1, 2 or 4; for any other throw, naming it.
    // skeleton: return conv2d_tiling_kernel<BLOCK_WIDTH, BLOCK_HEIGHT, 1>;  // whatever the factor is: replace this
    switch (factor) {
        case 1:
            return conv2d_tiling_kernel<BLOCK_WIDTH, BLOCK_HEIGHT, 1>;
        case 2:
            return conv2d_tiling_kernel<BLOCK_WIDTH, BLOCK_HEIGHT, 2>;
        case 4:
            return conv2d_tiling_kernel<BLOCK_WIDTH, BLOCK_HEIGHT, 4>;
    }
    throw std::invalid_argument("a factor of " + std::to_string(factor) + ": there are 1, 2 and 4");
    // end 12.6
}

/// The kernel for this block and this factor. Throws std::invalid_argument if there is none.
static tiling_kernel kernel_for(int block_width, int block_height, int factor) {
    if (block_width == 16 && block_height == 16) return kernel_for_factor<16, 16>(factor);
    if (block_width == 32 && block_height == 16) return kernel_for_factor<32, 16>(factor);
    if (block_width == 32 && block_height == 32) return kernel_for_factor<32, 32>(factor);
    throw std::invalid_argument("a block of " + std::to_string(block_width) + " x " +
                                std::to_string(block_height) +
                                " threads: there are 16 x 16, 32 x 16, 32 x 32");
}

void conv2d_tiling(std::span<float> out, std::span<const float> in, std::span<const float> filter, int width,
                   int height, int filter_width, int filter_height, int block_width, int block_height,
                   int factor, int padding) {
    const tiling_kernel kernel = kernel_for(block_width, block_height, factor);
    const dim3 block(block_width, block_height);
    const int pitch = block_width * factor + filter_width - 1 + padding;
    const size_t bytes = shared_bytes(pitch, block_height + filter_height - 1);

    set_filter(c_filter, filter);
    device_buffer<float> d_in(in), d_out(out.size());

    const dim3 grid = grid_for(width, height, block_width, block_height, factor);
    timed_launch([&] {
        kernel<<<grid, block, bytes>>>(d_out.data(), d_in.data(), width, height, filter_width, filter_height,
                                       pitch);
    });
    d_out.copy_to(out);
}
