// Right: as in the article: a thread computes the pixel that it has loaded, in every subblock of the tile, and the subblocks that hold nothing but halo go by without work.
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
    if (tile_width > MAX_THREADS) refuse("width of the tile", tile_width, MAX_THREADS);
    return dim3(tile_width, std::min(SUBBLOCK_HEIGHT, MAX_THREADS / tile_width));
}

/// Bytes of shared memory that a tile takes. Throws std::invalid_argument if this device has no such block.
static size_t shared_bytes(int tile_width, int tile_height) {
    const size_t bytes = size_t(tile_width) * size_t(tile_height) * sizeof(float);
    int device = 0;
    CUDA_CHECK(cudaGetDevice(&device));
    int limit = 0;
    CUDA_CHECK(cudaDeviceGetAttribute(&limit, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
    if (bytes > size_t(limit)) refuse("bytes of shared memory for the tile", bytes, limit);
    return bytes;
}

__global__ void conv2d_subblocks_kernel(float* out, const float* in, int width, int height, int filter_width,
                                        int filter_height) {
    extern __shared__ float s_tile[];  // rows of tile_width pixels
    const int tile_width = OUT_TILE + filter_width - 1;
    const int left = blockIdx.x * OUT_TILE, top = blockIdx.y * OUT_TILE;  // the first output of this block
    const int tx = threadIdx.x, ty = threadIdx.y;

    const int radius_x = filter_width / 2, radius_y = filter_height / 2;
    const int tile_height = OUT_TILE + 2 * radius_y;
    for (int row = ty; row < tile_height; row += blockDim.y) {
        const int from_x = left - radius_x + tx, from_y = top - radius_y + row;
        const bool inside = from_x >= 0 && from_x < width && from_y >= 0 && from_y < height;
        s_tile[row * tile_width + tx] = inside ? in[from_y * width + from_x] : 0.0f;
    }
    __syncthreads();  // the sums below read what other threads have stored above

    const int x = left - radius_x + tx;
    if (tx < radius_x || tx >= radius_x + OUT_TILE || x >= width) return;
    for (int row = ty; row < tile_height; row += blockDim.y) {
        const int y = top - radius_y + row;
        if (row < radius_y || row >= radius_y + OUT_TILE || y >= height) continue;
        float sum = 0.0f;
        for (int i = -radius_y; i <= radius_y; i++) {
            for (int j = -radius_x; j <= radius_x; j++) {
                const float tap = c_filter[(i + radius_y) * filter_width + j + radius_x];
                sum += s_tile[(row + i) * tile_width + tx + j] * tap;
            }
        }
        out[y * width + x] = sum;
    }
}

void conv2d_subblocks(std::span<float> out, std::span<const float> in, std::span<const float> filter,
                      int width, int height, int filter_width, int filter_height) {
    set_filter(c_filter, filter);
    const int tile_width = OUT_TILE + filter_width - 1, tile_height = OUT_TILE + filter_height - 1;
    const dim3 block = block_for(tile_width);
    const size_t bytes = shared_bytes(tile_width, tile_height);
    CUDA_CHECK(cudaFuncSetAttribute(conv2d_subblocks_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                    int(bytes)));

    device_buffer<float> d_in(in), d_out(out.size());
    const dim3 grid(ceil_div(width, OUT_TILE), ceil_div(height, OUT_TILE));
    timed_launch([&] {
        conv2d_subblocks_kernel<<<grid, block, bytes>>>(d_out.data(), d_in.data(), width, height,
                                                        filter_width, filter_height);
    });
    d_out.copy_to(out);
}
