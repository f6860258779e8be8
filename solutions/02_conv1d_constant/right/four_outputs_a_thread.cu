// Right: four outputs a thread, a block apart from each other; a tap is read once for all four.
#include "conv1d_constant.h"

#include "lab/lab.h"

constexpr int BLOCK_SIZE = 64;
constexpr int OUTPUTS = 4;
static_assert(BLOCK_SIZE % 32 == 0, "a warp has 32 threads: part of one would be wasted in every block");
constexpr size_t MAX_TAPS = 64 * 1024 / sizeof(float);  // all the constant memory there is

__constant__ float c_filter[MAX_TAPS];

__global__ void conv1d_constant_kernel(float* out, const float* in, int n, int radius) {
    const int first = blockIdx.x * blockDim.x * OUTPUTS + threadIdx.x;
    float sums[OUTPUTS] = {};
    for (int j = -radius; j <= radius && first < n; j++) {
        const float tap = c_filter[j + radius];
        for (int k = 0; k < OUTPUTS; k++) {
            const int x = first + k * BLOCK_SIZE;
            if (x < n && x + j >= 0 && x + j < n) sums[k] += tap * in[x + j];
        }
    }
    for (int k = 0; k < OUTPUTS; k++) {
        const int x = first + k * BLOCK_SIZE;
        if (x < n) out[x] = sums[k];
    }
}

void conv1d_constant(std::span<float> out, std::span<const float> in, std::span<const float> filter) {
    set_filter(c_filter, filter);
    device_buffer<float> d_in(in), d_out(out.size());

    const int n = int(out.size());
    const int radius = int(filter.size()) / 2;
    const int blocks = ceil_div(n, BLOCK_SIZE * OUTPUTS);
    timed_launch(
        [&] { conv1d_constant_kernel<<<blocks, BLOCK_SIZE>>>(d_out.data(), d_in.data(), n, radius); });
    d_out.copy_to(out);
}
