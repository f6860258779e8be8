// Right: ghost cells read the nearest element and multiply it by 0: a few loads more, no branch.
#include "conv1d_constant.h"

#include "lab/lab.h"

constexpr int BLOCK_SIZE = 256;  // threads; anything from 128 to 512 does as well here
static_assert(BLOCK_SIZE % 32 == 0, "a warp has 32 threads: part of one would be wasted in every block");
constexpr size_t MAX_TAPS = 64 * 1024 / sizeof(float);  // all the constant memory there is

__constant__ float c_filter[MAX_TAPS];

__global__ void conv1d_constant_kernel(float* out, const float* in, int n, int radius) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (x >= n) return;  // the last block overhangs the array

    float sum = 0.0f;  // in a register: one store at the end instead of one for every tap
    for (int j = -radius; j <= radius; j++) {
        const int nearest = min(max(x + j, 0), n - 1);
        const float inside = nearest == x + j ? 1.0f : 0.0f;
        sum += inside * in[nearest] * c_filter[j + radius];
    }
    out[x] = sum;
}

void conv1d_constant(std::span<float> out, std::span<const float> in, std::span<const float> filter) {
    set_filter(c_filter, filter);
    device_buffer<float> d_in(in), d_out(out.size());

    const int n = int(out.size());
    const int radius = int(filter.size()) / 2;
    const int blocks = ceil_div(n, BLOCK_SIZE);
    timed_launch(
        [&] { conv1d_constant_kernel<<<blocks, BLOCK_SIZE>>>(d_out.data(), d_in.data(), n, radius); });
    d_out.copy_to(out);
}
