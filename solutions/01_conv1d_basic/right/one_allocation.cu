// Right: one allocation without gaps holds all arrays, filled and read through a vector, one copy each way.
#include "conv1d_basic.h"

#include <algorithm>
#include <vector>

#include "lab/lab.h"

constexpr int BLOCK_SIZE = 256;

__global__ void conv1d_basic_kernel(float* arrays, int n, int radius) {
    const float* in = arrays;
    const float* filter = in + n;
    float* out = arrays + n + 2 * radius + 1;
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
    const int n = int(out.size()), taps = int(filter.size());
    std::vector<float> arrays(in.begin(), in.end());
    arrays.insert(arrays.end(), filter.begin(), filter.end());
    arrays.resize(2 * n + taps);

    device_buffer<float> d_arrays(arrays);
    timed_launch(
        [&] { conv1d_basic_kernel<<<ceil_div(n, BLOCK_SIZE), BLOCK_SIZE>>>(d_arrays.data(), n, taps / 2); });
    d_arrays.copy_to(arrays);
    std::copy_n(arrays.begin() + n + taps, n, out.begin());
}
