// The plain loop: one thread a pixel, everything from global memory. In double it is the truth, in float what accuracy
// is measured by, and what serves filters that nothing else serves.
#pragma once
#include "lab/errors.h"

namespace fastest {

/// Grids of plain_grid(width, height), blocks of PLAIN_WIDTH x PLAIN_HEIGHT threads.
constexpr int PLAIN_WIDTH = 32, PLAIN_HEIGHT = 8;

template <class number>
__global__ void plain_kernel(number* out, const float* in, const float* filter, int width, int height,
                             int out_pitch, int in_pitch, int filter_width, int filter_height) {
    const int x = blockIdx.x * PLAIN_WIDTH + threadIdx.x, y = blockIdx.y * PLAIN_HEIGHT + threadIdx.y;
    if (x >= width || y >= height) return;
    number sum = 0;
    for (int i = 0; i < filter_height; i++) {
        const int from_y = y + i - filter_height / 2;
        if (from_y < 0 || from_y >= height) continue;
        for (int j = 0; j < filter_width; j++) {
            const int from_x = x + j - filter_width / 2;
            if (from_x >= 0 && from_x < width)
                sum += number(filter[i * filter_width + j]) * number(in[size_t(from_y) * in_pitch + from_x]);
        }
    }
    out[size_t(y) * out_pitch + x] = sum;
}

inline dim3 plain_grid(int width, int height) {
    return dim3(lab::ceil_div(width, PLAIN_WIDTH), lab::ceil_div(height, PLAIN_HEIGHT));
}

}  // namespace fastest
