// Lab 02, faster: blocks inside the array test no tap.
//
// As in lab 01's fast.cu: only the first and the last blocks meet ghost cells, the others take a loop without
// the test. j still counts from -radius: from 0 on nvcc reads the taps through uniform registers, which is
// faster up to about 100 taps and 1.6 times slower at 129. All but the sum is as in conv1d_constant.cu.
#include "conv1d_constant.h"

#include <stdexcept>
#include <string>

#include "lab/lab.h"

constexpr int BLOCK_SIZE = 256;  // threads; anything from 128 to 512 does as well here
static_assert(BLOCK_SIZE % 32 == 0, "a warp has 32 threads: part of one would be wasted in every block");
constexpr size_t MAX_TAPS = 64 * 1024 / sizeof(float);  // all the constant memory there is
static_assert(MAX_TAPS == 16384, "64 KB hold so many floats");

__constant__ float c_filter[MAX_TAPS];

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
    const int begin = blockIdx.x * blockDim.x, end = begin + blockDim.x;
    const bool inner = begin >= radius && end + radius <= n;  // no tap of the block meets a ghost cell
    if (inner) {
        for (int j = -radius; j <= radius; j++) {
            sum += in[x + j] * c_filter[j + radius];  // the same tap for the whole warp: one broadcast
        }
    } else {
        for (int j = -radius; j <= radius; j++) {
            if (x + j < 0 || x + j >= n) continue;  // a ghost cell adds nothing
            sum += in[x + j] * c_filter[j + radius];
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
