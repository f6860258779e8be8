// Right: every thread computes four pixels, one below the other, and reads each tap once for all four.
#include "conv2d_constant.h"

#include "lab/lab.h"

// A warp is 32 threads of one row: their loads stand side by side and travel in whole 32-byte sectors.
constexpr int BLOCK_WIDTH = 32;
constexpr int BLOCK_HEIGHT = 8;
constexpr int ROWS = 4;  // of one thread

constexpr size_t MAX_TAPS = 64 * 1024 / sizeof(float);  // all the constant memory that a program has
__constant__ float c_filter[MAX_TAPS];

/// Blocks enough to cover `width` x `height` outputs.
static dim3 grid_for(int width, int height) {
    return dim3(ceil_div(width, BLOCK_WIDTH), ceil_div(height, BLOCK_HEIGHT * ROWS));
}

__global__ void conv2d_constant_kernel(float* out, const float* in, int width, int height, int radius) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = (blockIdx.y * blockDim.y + threadIdx.y) * ROWS;
    if (x >= width || y >= height) return;  // the last blocks overhang the image

    float sum[ROWS] = {};
    for (int i = -radius; i <= radius; i++) {
        for (int j = -radius; j <= radius; j++) {
            if (x + j < 0 || x + j >= width) continue;
            const float tap = c_filter[(i + radius) * (2 * radius + 1) + j + radius];
            for (int row = 0; row < ROWS; row++) {
                if (y + row + i < 0 || y + row + i >= height) continue;
                sum[row] += tap * in[(y + row + i) * width + x + j];
            }
        }
    }
    for (int row = 0; row < ROWS && y + row < height; row++)
        out[(y + row) * width + x] = sum[row];
}

void conv2d_constant(std::span<float> out, std::span<const float> in, std::span<const float> filter,
                     int width, int height, int radius) {
    set_filter(c_filter, filter);
    device_buffer<float> d_in(in), d_out(out.size());
    const dim3 block(BLOCK_WIDTH, BLOCK_HEIGHT);
    timed_launch([&] {
        conv2d_constant_kernel<<<grid_for(width, height), block>>>(d_out.data(), d_in.data(), width, height,
                                                                   radius);
    });
    d_out.copy_to(out);
}
