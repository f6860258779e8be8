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
    // TODO 01.5 (about 2 lines) Find the output element of this thread; threads past the end have none.
    const int x = 0;  // every thread writes element 0: replace this line

    float sum = 0.0f;  // in a register: one store at the end instead of one for every tap
    // TODO 01.6 (about 4 lines) Add up the inputs times the taps they meet; ghost cells count as 0.
    out[x] = sum;
}

void conv1d_basic(std::span<float> out, std::span<const float> in, std::span<const float> filter) {
    float* d_out = nullptr;
    float* d_in = nullptr;
    float* d_filter = nullptr;

    // TODO 01.1 (about 7 lines) Allocate device memory for all three; copy in and filter to it.
    if (!d_out || !d_in || !d_filter) return;  // there is no memory yet: replace this line

    // TODO 01.2 (about 4 lines) Launch enough blocks of BLOCK_SIZE threads for all outputs.

    // TODO 01.3 (about 1 line) Copy the output back to the host.

    // TODO 01.4 (about 3 lines) Free the device memory: no closing brace does that for you.
}
