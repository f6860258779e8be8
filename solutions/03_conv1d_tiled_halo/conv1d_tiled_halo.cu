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

constexpr int MAX_TILE = 1024;                          // threads of a block
constexpr size_t MAX_SHARED = 48 * 1024;                // bytes of a block; more has to be asked for
constexpr size_t MAX_TAPS = 64 * 1024 / sizeof(float);  // all the constant memory there is

__constant__ float c_filter[MAX_TAPS];

/// Bytes of shared memory that a block needs. Throws std::invalid_argument if no block can have them.
static size_t shared_bytes(int tile, int radius) {
    // begin 03.1 Return the bytes of tile and halo; throw what the contract says beyond its limits.
    // skeleton: return tile <= MAX_TILE ? MAX_SHARED : 0;  // no refusal, and often too much: replace this line
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

    // begin 03.2 Load the left halo: the radius elements before the tile; ghost cells are 0.
    for (int k = tx; k < radius; k += tile) {  // more than one round where the halo is longer than the tile
        const int left = begin - radius + k;
        s_tile[k] = left < 0 ? 0.0f : in[left];
    }
    // end 03.2
    // begin 03.3 Load the centre: the element of this thread, 0 past the end of the array.
    // skeleton: s_tile[tx] = 0.0f;  // neither the element nor its cell: replace this line
    s_tile[radius + tx] = x < n ? in[x] : 0.0f;
    // end 03.3
    // begin 03.4 Load the right halo: the radius elements after the tile; ghost cells are 0.
    for (int k = tx; k < radius; k += tile) {
        const int right = begin + tile + k;
        s_tile[radius + tile + k] = right < n ? in[right] : 0.0f;
    }
    // end 03.4
    // begin 03.5 Wait until the tile is complete; only then may threads without an output leave.
    // skeleton: if (x >= n) return;  // is this the moment?
    __syncthreads();  // the sums below read what other threads have stored above
    if (x >= n) return;
    // end 03.5

    float sum = 0.0f;  // in a register: one store at the end instead of one for every tap
    // begin 03.6 Add up the elements of the tile times the taps they meet.
    for (int j = -radius; j <= radius; j++) {
        sum += s_tile[radius + tx + j] * c_filter[j + radius];  // no test: ghost cells are in the tile
    }
    // end 03.6
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
