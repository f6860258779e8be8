// Right: a block of three dimensions whose layers are rows, two columns of outputs a thread, sizes in constant memory.
#include "conv2d_constant.h"

#include "lab/lab.h"

struct picture_size {
    int width, height, radius;
};
__constant__ picture_size c_size;
__constant__ float c_filter[16380];

__global__ void __launch_bounds__(256) convolve(float* __restrict__ out, const float* __restrict__ in) {
    const picture_size of = c_size;
    const int x = blockIdx.x * 64 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.z * 4 + threadIdx.y;
    if (x >= of.width || y >= of.height) return;
    const bool has_right = x + 32 < of.width;
    float left = 0, right = 0;
    const float* tap = c_filter;
    for (int row = y - of.radius; row <= y + of.radius; row++) {
        if (row < 0 || row >= of.height) {
            tap += 2 * of.radius + 1;
            continue;
        }
        for (int column = x - of.radius; column <= x + of.radius; column++, tap++) {
            if (unsigned(column) < unsigned(of.width)) left += *tap * __ldg(in + row * of.width + column);
            if (has_right && unsigned(column + 32) < unsigned(of.width))
                right += *tap * __ldg(in + row * of.width + column + 32);
        }
    }
    out[y * of.width + x] = left;
    if (has_right) out[y * of.width + x + 32] = right;
}

void conv2d_constant(std::span<float> out, std::span<const float> in, std::span<const float> filter,
                     int width, int height, int radius) {
    expect_room_for(filter.size(), 16384);
    CUDA_CHECK(cudaMemcpyToSymbol(c_filter, filter.data(), filter.size_bytes()));
    const picture_size size{width, height, radius};
    CUDA_CHECK(cudaMemcpyToSymbol(c_size, &size, sizeof size));
    device_buffer<float> d_in(in), d_out(out.size());
    timed_launch([&] {
        convolve<<<dim3(ceil_div(width, 64), ceil_div(height, 8)), dim3(32, 4, 2)>>>(d_out.data(),
                                                                                     d_in.data());
    });
    d_out.copy_to(out);
}
