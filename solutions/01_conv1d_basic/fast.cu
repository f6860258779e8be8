// Lab 01, faster: blocks inside the array test no tap.
//
// Only the first and the last blocks meet ghost cells: 2 of 3907 for a million elements and 9 taps. The others
// take a loop without the test. The question is asked once for the whole block: where the threads of a warp
// disagree, it runs through both loops. All but the sum is as in conv1d_basic.cu.
#include "conv1d_basic.h"

#include "lab/lab.h"

constexpr int BLOCK_SIZE = 256;  // threads; anything from 128 to 512 does as well here
static_assert(BLOCK_SIZE % 32 == 0, "a warp has 32 threads: part of one would be wasted in every block");

__global__ void conv1d_basic_kernel(float* out, const float* in, const float* filter, int n, int radius) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (x >= n) return;  // the last block overhangs the array

    float sum = 0.0f;  // in a register: one store at the end instead of one for every tap
    const int begin = blockIdx.x * blockDim.x, end = begin + blockDim.x;
    const bool inner = begin >= radius && end + radius <= n;  // no tap of the block meets a ghost cell
    if (inner) {
        for (int j = -radius; j <= radius; j++) {
            sum += in[x + j] * filter[j + radius];
        }
    } else {
        for (int j = -radius; j <= radius; j++) {
            if (x + j < 0 || x + j >= n) continue;  // a ghost cell adds nothing
            sum += in[x + j] * filter[j + radius];
        }
    }
    out[x] = sum;
}

void conv1d_basic(std::span<float> out, std::span<const float> in, std::span<const float> filter) {
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

    const int n = int(out.size());
    const int radius = int(filter.size()) / 2;
    const int blocks = ceil_div(n, BLOCK_SIZE);
    timed_launch([&] { conv1d_basic_kernel<<<blocks, BLOCK_SIZE>>>(d_out, d_in, d_filter, n, radius); });

    timed_copy([&] { CUDA_CHECK(cudaMemcpy(out.data(), d_out, out.size_bytes(), cudaMemcpyDeviceToHost)); });

    CUDA_CHECK(cudaFree(d_out));
    CUDA_CHECK(cudaFree(d_in));
    CUDA_CHECK(cudaFree(d_filter));
}
