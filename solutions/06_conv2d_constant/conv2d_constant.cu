// Lab 06 - 2D convolution with the filter in constant memory.
//
// Idea  All threads of a warp use the same tap at the same moment. The constant cache answers
//       that with one broadcast; lab 05 paid a load from global memory for it.
// Do    TODO 06.1 to 06.4. The contract is conv2d_constant.h; leave it as it is.
// Run   make lab06      (stuck: make hint06)
#include "conv2d_constant.h"

#include "lab/lab.h"

// A warp is 32 threads of one row: their loads stand side by side and travel in whole 32-byte sectors.
constexpr int BLOCK_WIDTH = 32;
constexpr int BLOCK_HEIGHT = 8;

// begin 06.1 Make room in constant memory for as many taps as its 64 KB hold.
// skeleton: constexpr size_t MAX_TAPS = 1;  // one tap: replace both lines
// skeleton: __constant__ float c_filter[MAX_TAPS];
constexpr size_t MAX_TAPS = 64 * 1024 / sizeof(float);  // all the constant memory that a program has
__constant__ float c_filter[MAX_TAPS];
// end 06.1

/// Blocks enough to cover `width` x `height` outputs.
static dim3 grid_for(int width, int height) {
    // begin 06.2 Return as many blocks as cover the outputs, as in lab 05.
    // skeleton: return dim3(1, 1);  // one block for any image: replace this line
    return dim3(ceil_div(width, BLOCK_WIDTH), ceil_div(height, BLOCK_HEIGHT));
    // end 06.2
}

__global__ void conv2d_constant_kernel(float* out, const float* in, int width, int height, int radius) {
    // begin 06.3 Write the kernel of lab 05 with one change: its taps come from c_filter.
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
    // end 06.3
}

void conv2d_constant(std::span<float> out, std::span<const float> in, std::span<const float> filter,
                     int width, int height, int radius) {
    // begin 06.4 Put the filter into constant memory, for every call anew; set_filter refuses one too large.
    set_filter(c_filter, filter);
    // end 06.4
    device_buffer<float> d_in(in), d_out(out.size());
    const dim3 block(BLOCK_WIDTH, BLOCK_HEIGHT);
    timed_launch([&] {
        conv2d_constant_kernel<<<grid_for(width, height), block>>>(d_out.data(), d_in.data(), width, height,
                                                                   radius);
    });
    d_out.copy_to(out);
}
