// Lab 03 - tiled 1D convolution: the tile and its halo in shared memory.
//
// Idea  Neighbouring outputs need nearly the same inputs. A block loads all that its outputs need into shared
//       memory, every element once, and takes every element of every sum from there.
// Do    TODO 03.1 to 03.6. The contract is conv1d_tiled_halo.h; leave it as it is.
// Run   make lab03      (stuck: make hint03)
#include "conv1d_tiled_halo.h"

#include <stdexcept>
#include <string>

#include "lab/lab.h"

constexpr int MAX_TILE = 1024;  // threads of a block
static_assert(MAX_TILE % 32 == 0, "a block is made of whole warps");
constexpr size_t MAX_SHARED = 48 * 1024;                // bytes of a block; more has to be asked for
constexpr size_t MAX_TAPS = 64 * 1024 / sizeof(float);  // all the constant memory there is

__constant__ float c_filter[MAX_TAPS];

/// Puts the filter where all kernels after it read it. Throws std::invalid_argument if it does not fit.
static void set_filter(std::span<const float> filter) {
    if (filter.size() > MAX_TAPS)
        throw std::invalid_argument("a filter of " + std::to_string(filter.size()) +
                                    " taps: constant memory holds at most " + std::to_string(MAX_TAPS));
    timed_copy([&] { CUDA_CHECK(cudaMemcpyToSymbol(c_filter, filter.data(), filter.size_bytes())); });
}

/// Bytes of shared memory that a block needs. Throws std::invalid_argument if no block can have them.
static size_t shared_bytes(int tile, int radius) {
    // begin 03.1 Return the bytes of tile and halo; throw what the contract says beyond its limits.
    // skeleton: return MAX_SHARED;  // always as much as there is: replace this line
    if (tile < 1 || tile > MAX_TILE)
        throw std::invalid_argument("a tile of " + std::to_string(tile) + " threads: a block has 1 to " +
                                    std::to_string(MAX_TILE));
    const size_t bytes = (size_t(tile) + 2 * size_t(radius)) * sizeof(float);
    if (bytes > MAX_SHARED)
        throw std::invalid_argument("tile and halo take " + std::to_string(bytes) +
                                    " bytes of shared memory: a block has at most " +
                                    std::to_string(MAX_SHARED));
    return bytes;
    // end 03.1
}

__global__ void conv1d_tiled_halo_kernel(float* out, const float* in, int n, int radius) {
    extern __shared__ float s_tile[];  // left halo (radius), centre (tile), right halo (radius)
    const int tile = blockDim.x;
    const int tx = threadIdx.x;
    const int begin = blockIdx.x * tile;  // first output of this block
    const int x = begin + tx;
    const int first = begin - radius;  // the element in cell 0

    // begin 03.2 Load the centre: the element of this thread, 0 past the end of the array.
    // skeleton: const float centre = 0.0f;  // not the element: replace this line
    const float centre = x < n ? in[x] : 0.0f;  // stored below: to store it is to wait for it
    // end 03.2
    // begin 03.3 Load the left halo: the radius elements before the tile; ghost cells are 0.
    // skeleton: (void)first;  // unused so far: take this line out
    // One tile to the left of x, so by the last threads; the first ones load the right halo, and nobody waits
    // for both. More than one round where the halo is longer than the tile.
#pragma unroll 1
    for (int left = x - tile; left >= first; left -= tile) {
        s_tile[left - first] = left < 0 ? 0.0f : in[left];
    }
    // end 03.3
    // begin 03.4 Load the right halo: the radius elements after the tile; ghost cells are 0.
#pragma unroll 1
    for (int right = x + tile; right < begin + tile + radius; right += tile) {
        s_tile[right - first] = right < n ? in[right] : 0.0f;
    }
    // end 03.4
    s_tile[radius + tx] = centre;
    // begin 03.5 Wait until the tile is complete; only then may threads without an output leave.
    // skeleton: if (x >= n) return;  // is this the moment?
    __syncthreads();  // the sums below read what other threads have stored above
    if (x >= n) return;
    // end 03.5

    float sum = 0.0f;  // in a register: one store at the end instead of one for every tap
    // begin 03.6 Add up the elements of the tile times the taps they meet (3 lines in a single loop).
    // No test: ghost cells are in the tile. Two loops that do the same: in the first nvcc reads a tap once
    // for the whole warp. The cache behind such reads is small: with 129 taps an H200 takes twice as long as
    // in the second.
    constexpr int FEW = 96;
    if (2 * radius < FEW) {
        for (int j = 0; j <= 2 * radius; j++) {
            sum += s_tile[tx + j] * c_filter[j];
        }
    } else {
        for (int j = -radius; j <= radius; j++) {
            sum += s_tile[radius + tx + j] * c_filter[j + radius];
        }
    }
    // end 03.6
    out[x] = sum;
}

void conv1d_tiled_halo(std::span<float> out, std::span<const float> in, std::span<const float> filter,
                       int tile) {
    const int n = int(out.size());
    const int radius = int(filter.size()) / 2;
    const size_t bytes = shared_bytes(tile, radius);

    set_filter(filter);
    device_buffer<float> d_in(in), d_out(out.size());

    const int blocks = ceil_div(n, tile);
    timed_launch(
        [&] { conv1d_tiled_halo_kernel<<<blocks, tile, bytes>>>(d_out.data(), d_in.data(), n, radius); });
    d_out.copy_to(out);
}
