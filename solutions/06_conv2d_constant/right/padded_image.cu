// Right: the image is padded on the host, as in the second half of lab 05, and the kernel tests no tap.
#include "conv2d_constant.h"

#include <algorithm>
#include <vector>

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

/// The image with `radius` ghost cells of value 0 on every side.
static std::vector<float> pad_image(std::span<const float> in, int width, int height, int radius) {
    const size_t padded_width = width + 2 * radius, padded_height = height + 2 * radius;
    std::vector<float> padded(padded_width * padded_height);
    for (int y = 0; y < height; y++)
        std::copy_n(in.begin() + size_t(y) * width, width,
                    padded.begin() + (y + radius) * padded_width + radius);
    return padded;
}

__global__ void conv2d_constant_kernel(float* out, const float* padded, int width, int height, int radius) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;  // the last blocks overhang the image

    const int padded_width = width + 2 * radius, taps = 2 * radius + 1;
    float sum = 0.0f;
    for (int i = 0; i < taps; i++) {
        for (int j = 0; j < taps; j++) {
            sum += c_filter[i * taps + j] * padded[(y + i) * padded_width + x + j];
        }
    }
    out[y * width + x] = sum;
}

void conv2d_constant(std::span<float> out, std::span<const float> in, std::span<const float> filter,
                     int width, int height, int radius) {
    set_filter(c_filter, filter);
    const std::vector<float> padded = pad_image(in, width, height, radius);
    device_buffer<float> d_padded(padded), d_out(out.size());
    const dim3 block(BLOCK_WIDTH, BLOCK_HEIGHT);
    timed_launch([&] {
        conv2d_constant_kernel<<<grid_for(width, height), block>>>(d_out.data(), d_padded.data(), width,
                                                                   height, radius);
    });
    d_out.copy_to(out);
}
