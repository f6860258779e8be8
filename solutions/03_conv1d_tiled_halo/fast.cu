// Lab 03, faster: the loads of a thread are under way together, and a short filter is read once for a warp.
//
// A store into the tile waits for its load, so the centre is stored last; the two halos are loaded by
// different threads, so nobody waits for both. The taps are counted from 0 up to a certain number of them and
// from -radius beyond it, because nvcc reads them in another way then.
#include "conv1d_tiled_halo.h"

#include <stdexcept>
#include <string>

#include "lab/lab.h"

constexpr int MAX_TILE = 1024;                          // threads of a block
constexpr size_t MAX_SHARED = 48 * 1024;                // bytes of a block; more has to be asked for
constexpr size_t MAX_TAPS = 64 * 1024 / sizeof(float);  // all the constant memory there is

__constant__ float c_filter[MAX_TAPS];

/// Bytes of shared memory that a block needs. Throws std::invalid_argument if no block can have them.
static size_t shared_bytes(int tile, int radius) {
    if (tile < 1 || tile > MAX_TILE)
        throw std::invalid_argument("a tile of " + std::to_string(tile) + " threads: a block has 1 to " +
                                    std::to_string(MAX_TILE));
    const size_t bytes = (size_t(tile) + 2 * size_t(radius)) * sizeof(float);
    if (bytes > MAX_SHARED)
        throw std::invalid_argument("tile and halo take " + std::to_string(bytes) +
                                    " bytes of shared memory: a block has at most " +
                                    std::to_string(MAX_SHARED));
    return bytes;
}

__global__ void conv1d_tiled_halo_kernel(float* out, const float* in, int n, int radius) {
    extern __shared__ float s_tile[];  // left halo (radius), centre (tile), right halo (radius)
    const int tile = blockDim.x;
    const int tx = threadIdx.x;
    const int begin = blockIdx.x * tile;  // first output of this block
    const int x = begin + tx;
    const int first = begin - radius;  // the element in cell 0

    const float centre = x < n ? in[x] : 0.0f;  // stored below: to store it is to wait for it
    // The left halo lies one tile to the left of x, so the last threads load it, and the first ones the right
    // halo. Mostly that is one round or none, and loops unrolled by nvcc only test more.
#pragma unroll 1
    for (int left = x - tile; left >= first; left -= tile) {
        s_tile[left - first] = left < 0 ? 0.0f : in[left];
    }
#pragma unroll 1
    for (int right = x + tile; right < begin + tile + radius; right += tile) {
        s_tile[right - first] = right < n ? in[right] : 0.0f;
    }
    s_tile[radius + tx] = centre;
    __syncthreads();  // the sums below read what other threads have stored above
    if (x >= n) return;

    float sum = 0.0f;  // in a register: one store at the end instead of one for every tap
    // Two loops that do the same: in the first nvcc reads a tap once for the whole warp. The cache behind such
    // reads is small: with 129 taps an H200 takes twice as long as in the second.
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
    out[x] = sum;
}

void conv1d_tiled_halo(std::span<float> out, std::span<const float> in, std::span<const float> filter,
                       int tile) {
    const int n = int(out.size());
    const int radius = int(filter.size()) / 2;
    const size_t bytes = shared_bytes(tile, radius);

    set_filter(c_filter, filter);
    device_buffer<float> d_in(in), d_out(out.size());

    const int blocks = ceil_div(n, tile);
    timed_launch(
        [&] { conv1d_tiled_halo_kernel<<<blocks, tile, bytes>>>(d_out.data(), d_in.data(), n, radius); });
    d_out.copy_to(out);
}
