// Right: columns of taps first, and a tap of 0 is not multiplied at all: its pixel is not even loaded.
#include "conv2d_constant.h"

#include "lab/lab.h"

constexpr size_t MAX_TAPS = 64 * 1024 / sizeof(float);
__constant__ float c_filter[MAX_TAPS];

__global__ void conv2d_constant_kernel(float* __restrict__ out, const float* __restrict__ in, int2 size,
                                       int radius) {
    const int2 at = make_int2(blockIdx.x * blockDim.x + threadIdx.x, blockIdx.y * blockDim.y + threadIdx.y);
    if (at.x >= size.x || at.y >= size.y) return;
    const int side = 2 * radius + 1;
    float sum = 0.0f;
    for (int j = 0; j < side; ++j) {
        const int x = at.x + j - radius;
        for (int i = 0; i < side; ++i) {
            const float tap = c_filter[i * side + j];  // the whole warp reads it, ghost or not
            const int y = at.y + i - radius;
            if (tap == 0.0f || x < 0 || x >= size.x || y < 0 || y >= size.y) continue;
            sum = fmaf(tap, in[y * size.x + x], sum);
        }
    }
    out[at.y * size.x + at.x] = sum;
}

void conv2d_constant(std::span<float> out, std::span<const float> in, std::span<const float> filter,
                     int width, int height, int radius) {
    set_filter(c_filter, filter);
    device_buffer<float> d_in(in), d_out(out.size());
    const dim3 block(32, 8), grid((width + 31) / 32, (height + 7) / 8);
    timed_launch([&] {
        conv2d_constant_kernel<<<grid, block>>>(d_out.data(), d_in.data(), make_int2(width, height), radius);
    });
    d_out.copy_to(out);
}
