// Right: device_buffer of lab/lab.h allocates, copies and frees.
#include "conv1d_basic.h"

#include "lab/lab.h"

constexpr int BLOCK_SIZE = 256;

__global__ void conv1d_basic_kernel(float* out, const float* in, const float* filter, int n, int radius) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (x >= n) return;
    float sum = 0.0f;
    for (int j = -radius; j <= radius; j++) {
        if (x + j < 0 || x + j >= n) continue;
        sum += in[x + j] * filter[j + radius];
    }
    out[x] = sum;
}

void conv1d_basic(std::span<float> out, std::span<const float> in, std::span<const float> filter) {
    device_buffer<float> d_out(out.size());
    const device_buffer<float> d_in(in);
    const device_buffer<float> d_filter(filter);
    const int n = int(out.size());
    const int radius = int(filter.size()) / 2;
    timed_launch([&] {
        conv1d_basic_kernel<<<ceil_div(n, BLOCK_SIZE), BLOCK_SIZE>>>(d_out.data(), d_in.data(),
                                                                     d_filter.data(), n, radius);
    });
    d_out.copy_to(out);
}
