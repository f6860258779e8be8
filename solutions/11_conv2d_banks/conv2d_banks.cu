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
    // begin 11.6 Return blocks of 32 x 32 for cure::wide_blocks, of 16 x 16 for the others.
    // skeleton: return dim3(BANKS / 2, BANKS / 2);  // whatever the cure is: replace this line
    return how == cure::wide_blocks ? dim3(BANKS, BANKS) : dim3(BANKS / 2, BANKS / 2);
    // end 11.6
}

/// How many floats apart the rows of the tile start.
static int pitch_for(int tile_width, cure how) {
    // begin 11.5 With cure::padding, lengthen the rows until two of them put a warp on 32 different banks.
    // skeleton: return tile_width;  // whatever the cure is: replace this line
    if (how != cure::padding) return tile_width;
    const int half = BANKS / 2;  // the bank where the next row has to start, if this one starts in bank 0
    return tile_width + (BANKS + half - tile_width % BANKS) % BANKS;
    // end 11.5
}

/// Bytes of `rows` rows that start `pitch` floats apart. Throws std::invalid_argument if no block has them.
static size_t shared_bytes(int pitch, int rows) {
    // begin 11.1 Return the bytes; throw std::invalid_argument, naming them and the limit, beyond MAX_SHARED.
    // skeleton: return MAX_SHARED;  // always as much as there is: replace this line
    const size_t bytes = size_t(pitch) * size_t(rows) * sizeof(float);
    if (bytes > MAX_SHARED)
        throw std::invalid_argument("the tile takes " + std::to_string(bytes) +
                                    " bytes of shared memory: a block has at most " +
                                    std::to_string(MAX_SHARED));
    return bytes;
    // end 11.1
}

__global__ void conv2d_banks_kernel(float* out, const float* in, int width, int height, int filter_width,
                                    int filter_height, int pitch) {
    extern __shared__ float s_tile[];  // rows that start pitch floats apart
    const int tx = threadIdx.x, ty = threadIdx.y;

    // begin 11.2 Sweep the block over the tile and its halo and load every cell; ghost cells are 0.
    const int tile_width = blockDim.x + filter_width - 1;
    const int tile_height = blockDim.y + filter_height - 1;
    const int left = int(blockIdx.x * blockDim.x) - filter_width / 2;  // at the tile's (0, 0)
    const int top = int(blockIdx.y * blockDim.y) - filter_height / 2;
    for (int row = ty; row < tile_height; row += blockDim.y) {
        for (int column = tx; column < tile_width; column += blockDim.x) {
            const int from_x = left + column, from_y = top + row;
            const bool inside = from_x >= 0 && from_x < width && from_y >= 0 && from_y < height;
            s_tile[row * pitch + column] = inside ? in[from_y * width + from_x] : 0.0f;
        }
    }
    // end 11.2

    const int x = blockIdx.x * blockDim.x + tx;
    const int y = blockIdx.y * blockDim.y + ty;
    // begin 11.3 Wait until the tile is complete; only then may threads without an output leave.
    // skeleton: if (x >= width || y >= height) return;  // is this the moment?
    __syncthreads();  // the sums below read what other threads have stored above
    if (x >= width || y >= height) return;
    // end 11.3

    float sum = 0.0f;
    // begin 11.4 Add up the cells of the tile times the taps they meet.
    const float* pixels = &s_tile[ty * pitch + tx];  // the warp's second row of threads: pitch floats further
    const float* taps = c_filter;
    for (int i = 0; i < filter_height; i++) {
        for (int j = 0; j < filter_width; j++)
            sum += pixels[j] * taps[j];
        pixels += pitch;
        taps += filter_width;
    }
    // end 11.4
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
