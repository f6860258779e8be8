// Lab 01 - 1D convolution: the basic kernel and the whole way there and back.
//
// Idea  Every output element is a sum of its own, so every output element gets a thread of
//       its own. The data travels: host -> device, kernel, device -> host.
// Do    TODO 01.1 to 01.6, in this order: first the host function at the end, then the kernel.
// Run   make lab01      (stuck: make hint01)
#include "conv1d_basic.h"

#include "lab/lab.h"

constexpr int BLOCK_SIZE = 256;  // threads; anything from 128 to 512 does as well here
static_assert(BLOCK_SIZE % 32 == 0, "a warp has 32 threads: part of one would be wasted in every block");

__global__ void conv1d_basic_kernel(float* out, const float* in, const float* filter, int n, int radius) {
    // begin 01.5 Find the output element of this thread; threads past the end have none.
    // skeleton: const int x = 0;  // every thread writes element 0: replace this line
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (x >= n) return;  // the last block overhangs the array
    // end 01.5

    float sum = 0.0f;  // in a register: one store at the end instead of one for every tap
    // begin 01.6 Add up the inputs times the taps they meet; ghost cells count as 0.
    for (int j = -radius; j <= radius; j++) {
        if (x + j < 0 || x + j >= n) continue;  // a ghost cell adds nothing
        sum += in[x + j] * filter[j + radius];
    }
    // end 01.6
    out[x] = sum;
}

void conv1d_basic(std::span<float> out, std::span<const float> in, std::span<const float> filter) {
    float* d_out = nullptr;
    float* d_in = nullptr;
    float* d_filter = nullptr;

    // begin 01.1 Allocate device memory for all three; copy in and filter to it.
    // skeleton: if (!d_out || !d_in || !d_filter) return;  // there is no memory yet: replace this line
    CUDA_CHECK(cudaMalloc(&d_out, out.size_bytes()));
    CUDA_CHECK(cudaMalloc(&d_in, in.size_bytes()));
    CUDA_CHECK(cudaMalloc(&d_filter, filter.size_bytes()));
    timed_copy([&] {
        CUDA_CHECK(cudaMemcpy(d_in, in.data(), in.size_bytes(), cudaMemcpyHostToDevice));
        CUDA_CHECK(cudaMemcpy(d_filter, filter.data(), filter.size_bytes(), cudaMemcpyHostToDevice));
    });
    // end 01.1

    // begin 01.2 Launch enough blocks of BLOCK_SIZE threads for all outputs.
    const int n = int(out.size());
    const int radius = int(filter.size()) / 2;
    const int blocks = ceil_div(n, BLOCK_SIZE);
    timed_launch([&] { conv1d_basic_kernel<<<blocks, BLOCK_SIZE>>>(d_out, d_in, d_filter, n, radius); });
    // end 01.2

    // begin 01.3 Copy the output back to the host.
    timed_copy([&] { CUDA_CHECK(cudaMemcpy(out.data(), d_out, out.size_bytes(), cudaMemcpyDeviceToHost)); });
    // end 01.3

    // begin 01.4 Free the device memory: no closing brace does that for you.
    CUDA_CHECK(cudaFree(d_out));
    CUDA_CHECK(cudaFree(d_in));
    CUDA_CHECK(cudaFree(d_filter));
    // end 01.4
}
