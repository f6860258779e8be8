// Right: blocks of 32 x 8 threads in a two-dimensional grid, numbered along the array.
#include "conv1d_basic.h"

#include "lab/lab.h"

__global__ void conv1d_basic_kernel(float* out, const float* in, const float* filter, int n, int radius) {
    const int block = blockIdx.y * gridDim.x + blockIdx.x;
    const int thread = threadIdx.y * blockDim.x + threadIdx.x;
    const int x = block * int(blockDim.x * blockDim.y) + thread;
    if (x >= n) return;
    float sum = 0.0f;
    for (int k = 2 * radius; k >= 0; k--) {  // down to 0: CUDA 13.0 miscompiles a loop down to -radius
        const int j = k - radius;
        if (x + j >= 0 && x + j < n) sum += in[x + j] * filter[j + radius];
    }
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
    const dim3 block(32, 8);
    const dim3 grid(2, ceil_div(n, 2 * 32 * 8));
    timed_launch([&] { conv1d_basic_kernel<<<grid, block>>>(d_out, d_in, d_filter, n, radius); });
    timed_copy([&] { CUDA_CHECK(cudaMemcpy(out.data(), d_out, out.size_bytes(), cudaMemcpyDeviceToHost)); });
    CUDA_CHECK(cudaFree(d_out));
    CUDA_CHECK(cudaFree(d_in));
    CUDA_CHECK(cudaFree(d_filter));
}
