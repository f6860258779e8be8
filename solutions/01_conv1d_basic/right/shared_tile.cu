// Right: lab 03 in advance: the block loads its elements and their halo into shared memory.
#include "conv1d_basic.h"

#include <algorithm>

#include "lab/lab.h"

constexpr int BLOCK_SIZE = 256;

__global__ void conv1d_basic_kernel(float* out, const float* in, const float* filter, int n, int radius) {
    extern __shared__ float s_tile[];
    const int begin = blockIdx.x * blockDim.x - radius;
    for (int k = threadIdx.x; k < int(blockDim.x) + 2 * radius; k += blockDim.x) {
        s_tile[k] = begin + k >= 0 && begin + k < n ? in[begin + k] : 0.0f;
    }
    __syncthreads();  // the sums below read what other threads have loaded
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (x >= n) return;
    float sum = 0.0f;
    for (int k = 0; k < 2 * radius + 1; k++)
        sum += s_tile[threadIdx.x + k] * filter[k];
    out[x] = sum;
}

void conv1d_basic(std::span<float> out, std::span<const float> in, std::span<const float> filter) {
    const int n = int(out.size());
    const int radius = int(filter.size()) / 2;
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
    const int reach = std::min(radius, n - 1);  // taps farther out meet no element
    const size_t tile_bytes = (BLOCK_SIZE + 2 * reach) * sizeof(float);
    timed_launch([&] {
        conv1d_basic_kernel<<<blocks, BLOCK_SIZE, tile_bytes>>>(d_out, d_in, d_filter + radius - reach, n,
                                                                reach);
    });
    timed_copy([&] { CUDA_CHECK(cudaMemcpy(out.data(), d_out, out.size_bytes(), cudaMemcpyDeviceToHost)); });
    CUDA_CHECK(cudaFree(d_out));
    CUDA_CHECK(cudaFree(d_in));
    CUDA_CHECK(cudaFree(d_filter));
}
