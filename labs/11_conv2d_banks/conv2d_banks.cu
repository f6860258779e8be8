// Lab 11 - bank conflicts in shared memory, and two cures.
//
// Idea  Shared memory has 32 banks, and a warp that asks one of them for two words waits twice. A warp of a
//       16 x 16 block covers two rows of the tile: whether they meet is decided by how far apart rows start.
// Do    TODO 11.1 to 11.6. The contract is conv2d_banks.h; leave it as it is.
// Run   make lab11      (stuck: make hint11)
#include "conv2d_banks.h"

#include <stdexcept>
#include <string>

#include "lab/lab.h"

constexpr int BANKS = 32;                 // float k of shared memory lies in bank k % 32
constexpr size_t MAX_SHARED = 48 * 1024;  // bytes of a block; more has to be asked for

// A filter has fewer taps than the tile has pixels: what fits shared memory fits here.
__constant__ float c_filter[MAX_SHARED / sizeof(float)];

/// The threads of a block, which are its outputs.
static dim3 block_for(cure how) {
    // TODO 11.6 (about 1 line) Return blocks of 32 x 32 for cure::wide_blocks, of 16 x 16 for the others.
    return dim3(BANKS / 2, BANKS / 2);  // whatever the cure is: replace this line
}

/// How many floats apart the rows of the tile start.
static int pitch_for(int tile_width, cure how) {
    // TODO 11.5 (about 3 lines) With cure::padding, lengthen the rows until two of them put a warp on 32
    // different banks.
    return tile_width;  // whatever the cure is: replace this line
}

/// Bytes of `rows` rows that start `pitch` floats apart. Throws std::invalid_argument if no block has them.
static size_t shared_bytes(int pitch, int rows) {
    // TODO 11.1 (about 6 lines) Return the bytes; throw std::invalid_argument, naming them and the limit,
    // beyond MAX_SHARED.
    return MAX_SHARED;  // always as much as there is: replace this line
}

__global__ void conv2d_banks_kernel(float* out, const float* in, int width, int height, int filter_width,
                                    int filter_height, int pitch) {
    extern __shared__ float s_tile[];  // rows that start pitch floats apart
    const int tx = threadIdx.x, ty = threadIdx.y;

    // TODO 11.2 (about 11 lines) Sweep the block over the tile and its halo and load every cell; ghost cells
    // are 0.

    const int x = blockIdx.x * blockDim.x + tx;
    const int y = blockIdx.y * blockDim.y + ty;
    // TODO 11.3 (about 2 lines) Wait until the tile is complete; only then may threads without an output
    // leave.
    if (x >= width || y >= height) return;  // is this the moment?

    float sum = 0.0f;
    // TODO 11.4 (about 8 lines) Add up the cells of the tile times the taps they meet.
    out[y * width + x] = sum;
}

void conv2d_banks(std::span<float> out, std::span<const float> in, std::span<const float> filter, int width,
                  int height, int filter_width, int filter_height, cure how) {
    const dim3 block = block_for(how);
    const int pitch = pitch_for(int(block.x) + filter_width - 1, how);
    const size_t bytes = shared_bytes(pitch, int(block.y) + filter_height - 1);

    set_filter(c_filter, filter);
    device_buffer<float> d_in(in), d_out(out.size());

    const dim3 grid(ceil_div(width, int(block.x)), ceil_div(height, int(block.y)));
    timed_launch([&] {
        conv2d_banks_kernel<<<grid, block, bytes>>>(d_out.data(), d_in.data(), width, height, filter_width,
                                                    filter_height, pitch);
    });
    d_out.copy_to(out);
}
