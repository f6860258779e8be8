// Lab 04 - tiled 1D convolution: the halo through the cache.
//
// Idea  The halo of a tile is the inside of its neighbours, which load it at the same time: the cache has it
//       anyway. So only the inside goes into shared memory, and the halo stays where it is.
// Do    TODO 04.1 to 04.5. The contract is conv1d_cached_halo.h; leave it as it is.
// Run   make lab04      (stuck: make hint04)
#include "conv1d_cached_halo.h"

#include <stdexcept>
#include <string>

#include "lab/lab.h"

constexpr int MAX_TILE = 1024;                          // threads of a block
constexpr size_t MAX_TAPS = 64 * 1024 / sizeof(float);  // all the constant memory there is

__constant__ float c_filter[MAX_TAPS];

/// Bytes of shared memory that a block needs. Throws std::invalid_argument if no block can have them.
static size_t shared_bytes(int tile) {
    // TODO 04.1 (about 4 lines) Return the bytes of a tile without halo; throw what the contract says beyond
    // its limit.
    return MAX_TILE * sizeof(float);  // the largest tile for everybody: replace this line
}

__global__ void conv1d_cached_halo_kernel(float* out, const float* in, int n, int radius) {
    extern __shared__ float s_tile[];  // the inputs below the outputs of this block (tile)
    const int tile = blockDim.x;
    const int tx = threadIdx.x;
    const int begin = blockIdx.x * tile;  // first output of this block
    const int x = begin + tx;

    // TODO 04.2 (about 1 line) Load the element of this thread into the tile; past the end of the array there
    // is none.
    s_tile[tx] = 0.0f;  // not the element: replace this line
    // TODO 04.3 (about 2 lines) Wait until the tile is complete; only then may threads without an output
    // leave.
    if (x >= n) return;  // is this the moment?

    float sum = 0.0f;  // in a register: one store at the end instead of one for every tap
    for (int j = -radius; j <= radius; j++) {
        const int position = x + j;
        // TODO 04.4 (about 2 lines) Leave out ghost cells; find out whether this block has the element in its
        // tile.
        const bool in_tile = position == begin;  // one element only: replace this line
        // TODO 04.5 (about 2 lines) Add the element, from the tile or from global memory, times its tap.
        if (in_tile) sum += 1.0f;  // counts instead of adding up: replace this line
    }
    out[x] = sum;
}

void conv1d_cached_halo(std::span<float> out, std::span<const float> in, std::span<const float> filter,
                        int tile) {
    const int n = int(out.size());
    const int radius = int(filter.size()) / 2;
    const size_t bytes = shared_bytes(tile);

    set_filter(c_filter, filter);
    device_buffer<float> d_in(in), d_out(out.size());

    const int blocks = ceil_div(n, tile);
    timed_launch(
        [&] { conv1d_cached_halo_kernel<<<blocks, tile, bytes>>>(d_out.data(), d_in.data(), n, radius); });
    d_out.copy_to(out);
}
