// Lab 02 - 1D convolution with the filter in constant memory.
//
// Idea  All threads of a warp want the same tap at the same moment. The constant cache answers that with
//       one broadcast; lab 01 paid a load from global memory for it.
// Do    TODO 02.1 to 02.4. The contract is conv1d_constant.h; leave it as it is.
// Run   make lab02      (stuck: make hint02)
#include "conv1d_constant.h"

#include <stdexcept>
#include <string>

#include "lab/lab.h"

constexpr int BLOCK_SIZE = 256;  // threads; anything from 128 to 512 does as well here
static_assert(BLOCK_SIZE % 32 == 0, "a warp has 32 threads: part of one would be wasted in every block");
constexpr size_t MAX_TAPS = 64 * 1024 / sizeof(float);  // all the constant memory there is
static_assert(MAX_TAPS == 16384, "64 KB hold so many floats");

// TODO 02.1 (about 1 line) Declare c_filter in constant memory, with room for MAX_TAPS taps.
__constant__ float c_filter[1];  // too short for any filter: replace this line

/// Copies a filter to c_filter, where all kernels launched from then on read it. Throws std::invalid_argument,
/// naming both numbers, if the filter has more taps than fit.
static void set_filter(std::span<const float> filter) {
    // TODO 02.2 (about 3 lines) Throw if there are more than MAX_TAPS taps; name their number and the limit.
    // TODO 02.3 (about 1 line) Copy the taps to c_filter.
}

__global__ void conv1d_constant_kernel(float* out, const float* in, int n, int radius) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (x >= n) return;  // the last block overhangs the array

    float sum = 0.0f;  // in a register: one store at the end instead of one for every tap
    // TODO 02.4 (about 4 lines) Add up the inputs times the taps they meet, which are now in c_filter.
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
