// Right: lab 07 in advance: a block reads its pixels and their halo once, into shared memory, if they fit.
#include "conv2d_constant.h"

#include "lab/lab.h"

// A warp is 32 threads of one row: their loads stand side by side and travel in whole 32-byte sectors.
constexpr int BLOCK_WIDTH = 32;
constexpr int BLOCK_HEIGHT = 8;
constexpr size_t SHARED_BYTES = 48 * 1024;  // what a block may have without asking for more

constexpr size_t MAX_TAPS = 64 * 1024 / sizeof(float);  // all the constant memory that a program has
__constant__ float c_filter[MAX_TAPS];

/// Blocks enough to cover `width` x `height` outputs.
static dim3 grid_for(int width, int height) {
    return dim3(ceil_div(width, BLOCK_WIDTH), ceil_div(height, BLOCK_HEIGHT));
}

/// The pixel, 0 outside the image.
__device__ float pixel_or_zero(const float* in, int x, int y, int width, int height) {
    return x >= 0 && x < width && y >= 0 && y < height ? in[y * width + x] : 0.0f;
}

__global__ void conv2d_tiled_kernel(float* out, const float* in, int width, int height, int radius) {
    extern __shared__ float s_tile[];
    const int tile_width = BLOCK_WIDTH + 2 * radius, tile_height = BLOCK_HEIGHT + 2 * radius;
    const int left = blockIdx.x * BLOCK_WIDTH - radius, top = blockIdx.y * BLOCK_HEIGHT - radius;
    for (int row = threadIdx.y; row < tile_height; row += BLOCK_HEIGHT) {
        for (int column = threadIdx.x; column < tile_width; column += BLOCK_WIDTH)
            s_tile[row * tile_width + column] = pixel_or_zero(in, left + column, top + row, width, height);
    }
    __syncthreads();  // the sums below read what other threads have stored

    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    const int taps = 2 * radius + 1;
    float sum = 0.0f;
    for (int i = 0; i < taps; i++) {
        for (int j = 0; j < taps; j++) {
            sum += c_filter[i * taps + j] * s_tile[(threadIdx.y + i) * tile_width + threadIdx.x + j];
        }
    }
    out[y * width + x] = sum;
}

__global__ void conv2d_constant_kernel(float* out, const float* in, int width, int height, int radius) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;  // the last blocks overhang the image

    float sum = 0.0f;
    for (int i = -radius; i <= radius; i++) {
        if (y + i < 0 || y + i >= height) continue;
        for (int j = -radius; j <= radius; j++) {
            // Both coordinates need their own test: a position left of row y is a pixel of row y - 1.
            if (x + j < 0 || x + j >= width) continue;
            // The tap's index is the same for every thread, whatever its x and y: one address per warp.
            sum += c_filter[(i + radius) * (2 * radius + 1) + j + radius] * in[(y + i) * width + x + j];
        }
    }
    out[y * width + x] = sum;
}

void conv2d_constant(std::span<float> out, std::span<const float> in, std::span<const float> filter,
                     int width, int height, int radius) {
    set_filter(c_filter, filter);
    device_buffer<float> d_in(in), d_out(out.size());
    const dim3 block(BLOCK_WIDTH, BLOCK_HEIGHT);
    const dim3 grid = grid_for(width, height);
    const size_t tile_bytes = sizeof(float) * (BLOCK_WIDTH + 2 * radius) * (BLOCK_HEIGHT + 2 * radius);
    timed_launch([&] {
        if (tile_bytes <= SHARED_BYTES) {
            conv2d_tiled_kernel<<<grid, block, tile_bytes>>>(d_out.data(), d_in.data(), width, height,
                                                             radius);
        } else {
            conv2d_constant_kernel<<<grid, block>>>(d_out.data(), d_in.data(), width, height, radius);
        }
    });
    d_out.copy_to(out);
}
