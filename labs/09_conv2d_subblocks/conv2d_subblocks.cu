// Lab 09 - 2D convolution for large filters: a tile loaded and summed in subblocks.
//
// Idea  A tile with its halo has more pixels than a block can have threads. A few rows of threads as wide as
//       the tile walk down it: once to load it, once to compute its outputs.
// Do    TODO 09.1 to 09.6. The contract is conv2d_subblocks.h; leave it as it is.
// Run   make lab09      (stuck: make hint09)
#include "conv2d_subblocks.h"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "lab/lab.h"

constexpr int OUT_TILE = 32;                            // outputs of a block, across and down
constexpr int SUBBLOCK_HEIGHT = 8;                      // rows of a subblock; the number of the article
constexpr int MAX_THREADS = 1024;                       // of a block
constexpr size_t MAX_TAPS = 64 * 1024 / sizeof(float);  // all the constant memory there is

__constant__ float c_filter[MAX_TAPS];

/// Throws std::invalid_argument: `what` takes `value`, and there is no more than `limit`.
[[noreturn]] static void refuse(const std::string& what, size_t value, size_t limit) {
    throw std::invalid_argument("conv2d_subblocks: " + what + ": " + std::to_string(value) + ", at most " +
                                std::to_string(limit));
}

/// The threads of a block: as wide as the tile, so that thread and pixel have the same number.
static dim3 block_for(int tile_width) {
    // TODO 09.1 (about 2 lines) Return rows of tile_width threads, 8 or as many as a block can have; refuse
    // what has no row.
    return dim3(MAX_THREADS / SUBBLOCK_HEIGHT, SUBBLOCK_HEIGHT);  // 128 x 8: replace this line
}

/// Bytes of shared memory that a tile takes. Throws std::invalid_argument if this device has no such block.
static size_t shared_bytes(int tile_width, int tile_height) {
    const size_t bytes = size_t(tile_width) * size_t(tile_height) * sizeof(float);
    int device = 0;
    CUDA_CHECK(cudaGetDevice(&device));
    // TODO 09.2 (about 3 lines) Find out how many bytes a block of this device may ask for; refuse a tile
    // that takes more.
    if (bytes == 0) refuse("bytes of shared memory for the tile", bytes, 0);  // 0? replace this line
    return bytes;
}

__global__ void conv2d_subblocks_kernel(float* out, const float* in, int width, int height, int filter_width,
                                        int filter_height) {
    extern __shared__ float s_tile[];  // rows of tile_width pixels
    const int tile_width = OUT_TILE + filter_width - 1;
    const int left = blockIdx.x * OUT_TILE, top = blockIdx.y * OUT_TILE;  // the first output of this block
    const int tx = threadIdx.x, ty = threadIdx.y;

    // TODO 09.4 (about 7 lines) Load the tile subblock by subblock: this thread's pixel in each, 0 for a
    // ghost cell.
    // TODO 09.5 (about 1 line) Wait until the tile is complete.

    // TODO 09.6 (about 14 lines) Compute the outputs in subblocks of 32 columns; the other threads have
    // nothing more to do.
    if (tx < OUT_TILE && left + tx < width && top + ty < height)
        out[(top + ty) * width + left + tx] = s_tile[ty * tile_width + tx];  // no sum: replace both lines
}

void conv2d_subblocks(std::span<float> out, std::span<const float> in, std::span<const float> filter,
                      int width, int height, int filter_width, int filter_height) {
    set_filter(c_filter, filter);
    const int tile_width = OUT_TILE + filter_width - 1, tile_height = OUT_TILE + filter_height - 1;
    const dim3 block = block_for(tile_width);
    const size_t bytes = shared_bytes(tile_width, tile_height);
    // TODO 09.3 (about 2 lines) Allow the kernel that many bytes: without asking, a launch gets 48 KB at
    // most.

    device_buffer<float> d_in(in), d_out(out.size());
    const dim3 grid(ceil_div(width, OUT_TILE), ceil_div(height, OUT_TILE));
    timed_launch([&] {
        conv2d_subblocks_kernel<<<grid, block, bytes>>>(d_out.data(), d_in.data(), width, height,
                                                        filter_width, filter_height);
    });
    d_out.copy_to(out);
}
