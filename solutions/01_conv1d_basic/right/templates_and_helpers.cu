// Right: a device function, a template for the element type and the widest block there is.
#include "conv1d_basic.h"

#include "lab/lab.h"

constexpr int BLOCK_SIZE = 1024;

template <class T>
__device__ __forceinline__ T element_or_zero(const T* __restrict__ in, int x, int n) {
    return x < 0 || x >= n ? T(0) : __ldg(in + x);
}

template <class T, int SIZE>
__global__ __launch_bounds__(SIZE) void convolve(T* __restrict__ out, const T* __restrict__ in,
                                                 const T* __restrict__ filter, int n, int taps) {
    const int x = int(blockIdx.x) * SIZE + int(threadIdx.x);
    if (x < n) {
        T sum = 0;
#pragma unroll 4
        for (int k = 0; k < taps; ++k)
            sum = fmaf(element_or_zero(in, x + k - taps / 2, n), filter[k], sum);
        out[x] = sum;
    }
}

void conv1d_basic(std::span<float> out, std::span<const float> in, std::span<const float> filter) {
    const int n = int(out.size());
    const int taps = int(filter.size());
    float* d_out = nullptr;
    float* d_in = nullptr;
    float* d_filter = nullptr;
    CUDA_CHECK(cudaMalloc(&d_out, out.size_bytes()));
    CUDA_CHECK(cudaMalloc(&d_in, in.size_bytes()));
    CUDA_CHECK(cudaMalloc(&d_filter, filter.size_bytes()));
    timed_copy([&] {
        CUDA_CHECK(cudaMemcpy(d_in, in.data(), in.size_bytes(), cudaMemcpyHostToDevice));
        CUDA_CHECK(cudaMemcpy(d_filter, filter.data(), filter.size_bytes(), cudaMemcpyHostToDevice));
    });
    const int blocks = ceil_div(n, BLOCK_SIZE);
    timed_launch(
        [&] { convolve<float, BLOCK_SIZE><<<blocks, BLOCK_SIZE>>>(d_out, d_in, d_filter, n, taps); });
    timed_copy([&] { CUDA_CHECK(cudaMemcpy(out.data(), d_out, out.size_bytes(), cudaMemcpyDeviceToHost)); });
    CUDA_CHECK(cudaFree(d_out));
    CUDA_CHECK(cudaFree(d_in));
    CUDA_CHECK(cudaFree(d_filter));
}
