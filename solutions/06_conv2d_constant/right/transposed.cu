// Right: the host transposes image and filter, and the result back: no row of them is as it came.
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

/// Row y of the result is column y of the image.
static std::vector<float> transposed(std::span<const float> image, int width, int height) {
    std::vector<float> result(image.size());
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++)
            result[size_t(x) * height + y] = image[size_t(y) * width + x];
    }
    return result;
}

void conv2d_constant(std::span<float> out, std::span<const float> in, std::span<const float> filter,
                     int width, int height, int radius) {
    const int taps = 2 * radius + 1;
    set_filter(c_filter, transposed(filter, taps, taps));
    device_buffer<float> d_in(transposed(in, width, height)), d_out(out.size());
    const dim3 block(BLOCK_WIDTH, BLOCK_HEIGHT);
    timed_launch([&] {
        conv2d_constant_kernel<<<grid_for(height, width), block>>>(d_out.data(), d_in.data(), height, width,
                                                                   radius);
    });
    std::vector<float> columns(out.size());
    d_out.copy_to(columns);
    const std::vector<float> rows = transposed(columns, height, width);
    std::copy(rows.begin(), rows.end(), out.begin());
}
