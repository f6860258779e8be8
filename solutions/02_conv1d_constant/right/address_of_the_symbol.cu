// Right: the symbol is asked for its address, then a plain asynchronous copy in a stream fills it.
#include "conv1d_constant.h"

#include <stdexcept>
#include <string>

#include "lab/lab.h"

constexpr int BLOCK_SIZE = 256;  // threads; anything from 128 to 512 does as well here
static_assert(BLOCK_SIZE % 32 == 0, "a warp has 32 threads: part of one would be wasted in every block");
constexpr size_t MAX_TAPS = 64 * 1024 / sizeof(float);  // all the constant memory there is

__constant__ float c_filter[MAX_TAPS];

/// Copies a filter to c_filter, where all kernels launched from then on read it. Throws std::invalid_argument,
/// naming both numbers, if the filter has more taps than fit.
static void set_filter(std::span<const float> filter) {
    if (filter.size() > MAX_TAPS)
        throw std::invalid_argument("a filter of " + std::to_string(filter.size()) +
                                    " taps: constant memory holds at most " + std::to_string(MAX_TAPS));
    void* address = nullptr;
    CUDA_CHECK(cudaGetSymbolAddress(&address, c_filter));
    cudaStream_t stream;
    CUDA_CHECK(cudaStreamCreate(&stream));
    CUDA_CHECK(cudaMemcpyAsync(address, filter.data(), filter.size_bytes(), cudaMemcpyHostToDevice, stream));
    CUDA_CHECK(cudaStreamSynchronize(stream));
    CUDA_CHECK(cudaStreamDestroy(stream));
}

__global__ void conv1d_constant_kernel(float* out, const float* in, int n, int radius) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (x >= n) return;  // the last block overhangs the array

    float sum = 0.0f;  // in a register: one store at the end instead of one for every tap
    for (int j = -radius; j <= radius; j++) {
        if (x + j < 0 || x + j >= n) continue;  // a ghost cell adds nothing
        sum += in[x + j] * c_filter[j + radius];
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
