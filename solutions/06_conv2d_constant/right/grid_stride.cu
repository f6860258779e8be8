// Right: a fixed grid of at most 4 x 4 blocks, every thread strides over the image until it is covered.
#include "conv2d_constant.h"

#include "lab/lab.h"

// A warp is 32 threads of one row: their loads stand side by side and travel in whole 32-byte sectors.
constexpr int BLOCK_WIDTH = 32;
constexpr int BLOCK_HEIGHT = 8;

constexpr size_t MAX_TAPS = 64 * 1024 / sizeof(float);  // all the constant memory that a program has
__constant__ float c_filter[MAX_TAPS];

/// Blocks enough to cover `width` x `height` outputs.
static dim3 grid_for(int width, int height) {
    return dim3(min(ceil_div(width, BLOCK_WIDTH), 4), min(ceil_div(height, BLOCK_HEIGHT), 4));
}

__global__ void conv2d_constant_kernel(float* out, const float* in, int width, int height, int radius) {
    for (int y = blockIdx.y * blockDim.y + threadIdx.y; y < height; y += gridDim.y * blockDim.y) {
        for (int x = blockIdx.x * blockDim.x + threadIdx.x; x < width; x += gridDim.x * blockDim.x) {
            float sum = 0.0f;
            for (int i = -radius; i <= radius; i++) {
                if (y + i < 0 || y + i >= height) continue;
                for (int j = -radius; j <= radius; j++) {
                    // Both coordinates need their own test: a position left of row y is a pixel of row y - 1.
                    if (x + j < 0 || x + j >= width) continue;
                    // The tap's index is the same for every thread: one address per warp.
                    sum +=
                        c_filter[(i + radius) * (2 * radius + 1) + j + radius] * in[(y + i) * width + x + j];
                }
            }
            out[y * width + x] = sum;
        }
    }
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
