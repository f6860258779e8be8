// Right: the taps that meet the array are worked out first, so the loop tests nothing; a device function.
#include "conv1d_constant.h"

#include "lab/lab.h"

constexpr int BLOCK_SIZE = 256;  // threads; anything from 128 to 512 does as well here
static_assert(BLOCK_SIZE % 32 == 0, "a warp has 32 threads: part of one would be wasted in every block");
constexpr size_t MAX_TAPS = 64 * 1024 / sizeof(float);  // all the constant memory there is

__constant__ float c_filter[MAX_TAPS];

template <class T>
__device__ __forceinline__ T weighted_sum(const T* __restrict__ element, int first, int last) {
    T sum = 0;
#pragma unroll 4
    for (int k = first; k <= last; ++k)
        sum = fmaf(element[k], c_filter[k], sum);
    return sum;
}

__global__ void conv1d_constant_kernel(float* out, const float* in, int n, int radius) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (x >= n) return;  // the last block overhangs the array

    const int first = max(0, radius - x);
    const int last = min(2 * radius, radius + n - 1 - x);
    const float sum = weighted_sum(in + x - radius, first, last);
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
