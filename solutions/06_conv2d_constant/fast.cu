// Lab 06, faster: blocks inside the image test no tap.
//
// As in lab 05: most blocks have no ghost cell under any of their taps; asked once a block, the question
// costs nothing. Where no test stands between the taps, the compiler can send off the loads of several pixels
// before it adds up the first. The taps come from constant memory in both loops.
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
    const int taps = 2 * radius + 1, left = x - radius, top = y - radius;  // the pixel under the first tap
    const int begin_x = blockIdx.x * blockDim.x, end_x = begin_x + blockDim.x;
    const int begin_y = blockIdx.y * blockDim.y, end_y = begin_y + blockDim.y;
    const bool inner =
        begin_x >= radius && end_x + radius <= width && begin_y >= radius && end_y + radius <= height;
    if (inner) {
        for (int i = 0; i < taps; i++) {
            for (int j = 0; j < taps; j++) {
                // The tap's index is the same for every thread, whatever its x and y: one address per warp.
                sum += c_filter[i * taps + j] * in[(top + i) * width + left + j];
            }
        }
    } else {
        for (int i = 0; i < taps; i++) {
            if (top + i < 0 || top + i >= height) continue;
            for (int j = 0; j < taps; j++) {
                // Both coordinates need their own test: a position left of row y is a pixel of row y - 1.
                if (left + j < 0 || left + j >= width) continue;
                sum += c_filter[i * taps + j] * in[(top + i) * width + left + j];
            }
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
