// Right: no templates: the factor and the block are looked up when the kernel runs, room for four sums.
#include "conv2d_tiling.h"

#include <stdexcept>
#include <string>

#include "lab/lab.h"

constexpr size_t MAX_SHARED = 48 * 1024;  // bytes of a block; more has to be asked for

// A filter has fewer taps than the tile has pixels: what fits shared memory fits here.
__constant__ float c_filter[MAX_SHARED / sizeof(float)];

/// Bytes of `rows` rows that start `pitch` floats apart. Throws std::invalid_argument if no block has them.
static size_t shared_bytes(int pitch, int rows) {
    const size_t bytes = size_t(pitch) * size_t(rows) * sizeof(float);
    if (bytes > MAX_SHARED)
        throw std::invalid_argument("the tile takes " + std::to_string(bytes) +
                                    " bytes of shared memory: a block has at most " +
                                    std::to_string(MAX_SHARED));
    return bytes;
}

/// Blocks enough to cover `width` x `height` outputs, `factor` of them a thread.
static dim3 grid_for(int width, int height, int block_width, int block_height, int factor) {
    return dim3(ceil_div(width, block_width * factor), ceil_div(height, block_height));
}

__global__ void conv2d_tiling_kernel(float* out, const float* in, int width, int height, int filter_width,
                                     int filter_height, int pitch, int FACTOR) {
    const int BLOCK_WIDTH = blockDim.x, BLOCK_HEIGHT = blockDim.y;
    extern __shared__ float s_tile[];  // rows that start pitch floats apart
    const int tx = threadIdx.x, ty = threadIdx.y;

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

    const int x = blockIdx.x * BLOCK_WIDTH * FACTOR + tx;  // the first output; the others lie to its right
    const int y = blockIdx.y * BLOCK_HEIGHT + ty;
    __syncthreads();  // the sums below read what other threads have stored above
    if (x >= width || y >= height) return;

    float sum[4] = {};
    for (int i = 0; i < filter_height; i++) {
        for (int j = 0; j < filter_width; j++) {
            const float tap = c_filter[i * filter_width + j];
            const float* cell = &s_tile[(ty + i) * pitch + tx + j];
            for (int n = 0; n < FACTOR; n++)
                sum[n] += cell[n * BLOCK_WIDTH] * tap;
        }
    }
    for (int n = 0; n < FACTOR; n++) {
        if (x + n * BLOCK_WIDTH < width) out[y * width + x + n * BLOCK_WIDTH] = sum[n];
    }
}

/// Throws std::invalid_argument if the contract has no such block or factor.
static void check_tiling(int block_width, int block_height, int factor) {
    const bool narrow = block_width == 16 && block_height == 16;
    const bool wide = block_width == 32 && (block_height == 16 || block_height == 32);
    if (!narrow && !wide)
        throw std::invalid_argument("no block of " + std::to_string(block_width) + " x " +
                                    std::to_string(block_height));
    if (factor != 1 && factor != 2 && factor != 4)
        throw std::invalid_argument("no factor of " + std::to_string(factor));
}

void conv2d_tiling(std::span<float> out, std::span<const float> in, std::span<const float> filter, int width,
                   int height, int filter_width, int filter_height, int block_width, int block_height,
                   int factor, int padding) {
    check_tiling(block_width, block_height, factor);
    const dim3 block(block_width, block_height);
    const int pitch = block_width * factor + filter_width - 1 + padding;
    const size_t bytes = shared_bytes(pitch, block_height + filter_height - 1);

    set_filter(c_filter, filter);
    device_buffer<float> d_in(in), d_out(out.size());

    const dim3 grid = grid_for(width, height, block_width, block_height, factor);
    timed_launch([&] {
        conv2d_tiling_kernel<<<grid, block, bytes>>>(d_out.data(), d_in.data(), width, height, filter_width,
                                                     filter_height, pitch, factor);
    });
    d_out.copy_to(out);
}
