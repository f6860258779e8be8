// Right: blocks of 16 x 16, so that a warp covers two rows.
#include "conv2d_constant.h"

#include "lab/lab.h"

// A warp covers 16 pixels of two rows.
constexpr int BLOCK_WIDTH = 16;
constexpr int BLOCK_HEIGHT = 16;

constexpr size_t MAX_TAPS = 64 * 1024 / sizeof(float);  // all the constant memory that a program has
__constant__ float c_filter[MAX_TAPS];

/// Blocks enough to cover `width` x `height` outputs.
static dim3 grid_for(int width, int height) {
    return dim3(ceil_div(width, BLOCK_WIDTH), ceil_div(height, BLOCK_HEIGHT));
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
    timed_launch([&] {
        conv2d_constant_kernel<<<grid_for(width, height), block>>>(d_out.data(), d_in.data(), width, height,
                                                                   radius);
    });
    d_out.copy_to(out);
}
