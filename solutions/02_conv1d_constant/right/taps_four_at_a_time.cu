// Right: the taps are read as float4: a quarter of the requests, sixteen bytes each.
#include "conv1d_constant.h"

#include <stdexcept>
#include <string>

#include "lab/lab.h"

constexpr int BLOCK_SIZE = 256;  // threads; anything from 128 to 512 does as well here
static_assert(BLOCK_SIZE % 32 == 0, "a warp has 32 threads: part of one would be wasted in every block");
constexpr size_t MAX_TAPS = 64 * 1024 / sizeof(float);  // all the constant memory there is

__constant__ float4 c_filter[MAX_TAPS / 4];

/// Copies a filter to c_filter, where all kernels launched from then on read it. Throws std::invalid_argument,
/// naming both numbers, if the filter has more taps than fit.
static void set_filter(std::span<const float> filter) {
    if (filter.size() > MAX_TAPS)
        throw std::invalid_argument("a filter of " + std::to_string(filter.size()) +
                                    " taps: constant memory holds at most " + std::to_string(MAX_TAPS));
    timed_copy([&] { CUDA_CHECK(cudaMemcpyToSymbol(c_filter, filter.data(), filter.size_bytes())); });
}

__global__ void conv1d_constant_kernel(float* out, const float* in, int n, int radius) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (x >= n) return;  // the last block overhangs the array

    float sum = 0.0f;  // in a register: one store at the end instead of one for every tap
    for (int first = 0; first < 2 * radius + 1; first += 4) {
        const float4 four = c_filter[first / 4];
        const float taps[4] = {four.x, four.y, four.z, four.w};
        for (int k = 0; k < 4 && first + k < 2 * radius + 1; k++) {
            const int position = x + first + k - radius;
            if (position >= 0 && position < n) sum += in[position] * taps[k];
        }
    }
    out[x] = sum;
}

void conv1d_constant(std::span<float> out, std::span<const float> in, std::span<const float> filter) {
    set_filter(filter);
    device_buffer<float> d_in(in), d_out(out.size());

    const int n = int(out.size());
    const int radius = int(filter.size()) / 2;
    const int blocks = ceil_div(n, BLOCK_SIZE);
    timed_launch(
        [&] { conv1d_constant_kernel<<<blocks, BLOCK_SIZE>>>(d_out.data(), d_in.data(), n, radius); });
    d_out.copy_to(out);
}
