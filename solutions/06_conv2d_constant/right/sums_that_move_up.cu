// Right: a pixel is added to all sums that want it, which move up a register at every row; up to 7 x 7 taps.
#include "conv2d_constant.h"

#include "lab/lab.h"

namespace {

constexpr int COLUMNS = 128, ROWS = 8;
__constant__ float c_taps[16384];

struct image {
    const float* data;
    int width, height;
    __device__ float operator()(int x, int y) const {
        return min(x, y) >= 0 && x < width && y < height ? __ldg(&data[y * width + x]) : 0.0f;
    }
};

/// One column of ROWS outputs. sums[k] belongs to the output row that is k rows above the lowest one begun.
template <int RADIUS>
__device__ void column(float* out, image in, int x, int top) {
    constexpr int SIDE = 2 * RADIUS + 1;
    float sums[SIDE] = {};
    const int bottom = min(top + ROWS, in.height);
    for (int row = top - RADIUS; row < bottom + RADIUS; row++) {
#pragma unroll
        for (int j = 0; j < SIDE; j++) {
            const float pixel = in(x + j - RADIUS, row);
#pragma unroll
            for (int k = 0; k < SIDE; k++)
                sums[k] += pixel * c_taps[k * SIDE + j];
        }
        const int finished = row - RADIUS;
        if (finished >= top) out[finished * in.width + x] = sums[SIDE - 1];
#pragma unroll
        for (int k = SIDE - 1; k > 0; k--)
            sums[k] = sums[k - 1];
        sums[0] = 0.0f;
    }
}

__device__ void column(float* out, image in, int x, int top, int radius) {
    for (int y = top; y < min(top + ROWS, in.height); y++) {
        const float* tap = c_taps;
        float sum = 0.0f;
        for (int i = -radius; i <= radius; i++)
            for (int j = -radius; j <= radius; j++)
                sum += in(x + j, y + i) * *tap++;
        out[y * in.width + x] = sum;
    }
}

__global__ void conv2d_constant_kernel(float* out, image in, int radius) {
    const int x = blockIdx.x * COLUMNS + threadIdx.x, top = blockIdx.y * ROWS;
    if (x >= in.width) return;
    switch (radius) {
        case 0:
            return column<0>(out, in, x, top);
        case 1:
            return column<1>(out, in, x, top);
        case 2:
            return column<2>(out, in, x, top);
        case 3:
            return column<3>(out, in, x, top);
    }
    column(out, in, x, top, radius);
}

}  // namespace

void conv2d_constant(std::span<float> out, std::span<const float> in, std::span<const float> filter,
                     int width, int height, int radius) {
    set_filter(c_taps, filter);
    device_buffer<float> d_in(in), d_out(out.size());
    const dim3 grid(ceil_div(width, COLUMNS), ceil_div(height, ROWS));
    timed_launch([&] {
        conv2d_constant_kernel<<<grid, COLUMNS>>>(d_out.data(), image{d_in.data(), width, height}, radius);
    });
    d_out.copy_to(out);
}
