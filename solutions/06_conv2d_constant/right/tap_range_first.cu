// Right: the range of valid taps is computed before the loops, which then test nothing; at the two edges a
// warp's threads begin at different taps, so that its broadcast splits in two or three.
#include "conv2d_constant.h"

#include "lab/lab.h"

// A warp is 32 threads of one row: their loads stand side by side and travel in whole 32-byte sectors.
constexpr int BLOCK_WIDTH = 32;
constexpr int BLOCK_HEIGHT = 8;

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
    const int top = max(-radius, -y), bottom = min(radius, height - 1 - y);
    const int left = max(-radius, -x), right = min(radius, width - 1 - x);
    for (int i = top; i <= bottom; i++) {
        for (int j = left; j <= right; j++) {
            const float tap = c_filter[(i + radius) * (2 * radius + 1) + j + radius];
            sum += tap * in[(y + i) * width + x + j];
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
