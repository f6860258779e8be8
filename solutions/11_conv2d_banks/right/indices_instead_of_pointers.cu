// Right: the sum computes both indices anew for every tap.
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
    return how == cure::wide_blocks ? dim3(BANKS, BANKS) : dim3(BANKS / 2, BANKS / 2);
}

/// How many floats apart the rows of the tile start.
static int pitch_for(int tile_width, cure how) {
    if (how != cure::padding) return tile_width;
    const int half = BANKS / 2;  // the bank where the next row has to start, if this one starts in bank 0
    return tile_width + (BANKS + half - tile_width % BANKS) % BANKS;
}

/// Bytes of `rows` rows that start `pitch` floats apart. Throws std::invalid_argument if no block has them.
static size_t shared_bytes(int pitch, int rows) {
    const size_t bytes = size_t(pitch) * size_t(rows) * sizeof(float);
    if (bytes > MAX_SHARED)
        throw std::invalid_argument("the tile takes " + std::to_string(bytes) +
                                    " bytes of shared memory: a block has at most " +
                                    std::to_string(MAX_SHARED));
    return bytes;
}

__global__ void conv2d_banks_kernel(float* out, const float* in, int width, int height, int filter_width,
                                    int filter_height, int pitch) {
    extern __shared__ float s_tile[];  // rows that start pitch floats apart
    const int tx = threadIdx.x, ty = threadIdx.y;

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

    const int x = blockIdx.x * blockDim.x + tx;
    const int y = blockIdx.y * blockDim.y + ty;
    __syncthreads();  // the sums below read what other threads have stored above
    if (x >= width || y >= height) return;

    float sum = 0.0f;

    for (int i = 0; i < filter_height; i++) {
        for (int j = 0; j < filter_width; j++)
            sum += s_tile[(ty + i) * pitch + tx + j] * c_filter[i * filter_width + j];
    }
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
