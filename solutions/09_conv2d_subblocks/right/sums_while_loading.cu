// Right: loading and summing take turns: an output row is computed once the subblocks under it are there.
#include "conv2d_subblocks.h"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "lab/lab.h"

constexpr int OUT_TILE = 32, MAX_THREADS = 1024;
__constant__ float c_filter[64 * 1024 / sizeof(float)];

static void at_most(const char* what, size_t value, size_t limit) {
    if (value > limit)
        throw std::invalid_argument(std::string(what) + ": " + std::to_string(value) + " > " +
                                    std::to_string(limit));
}

__device__ float window_sum(const float* cell, int row_length, int filter_width, int filter_height) {
    float sum = 0.0f;
    for (int i = 0; i < filter_height; i++)
        for (int j = 0; j < filter_width; j++)
            sum += cell[i * row_length + j] * c_filter[i * filter_width + j];
    return sum;
}

__global__ void conv2d_subblocks_kernel(float* __restrict__ out, const float* __restrict__ in, int width,
                                        int height, int filter_width, int filter_height) {
    extern __shared__ float s_tile[];
    const int row_length = blockDim.x, rows = OUT_TILE + filter_height - 1;
    const int left = blockIdx.x * OUT_TILE, top = blockIdx.y * OUT_TILE;
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int x = left + tx - filter_width / 2;

    int computed = 0;  // output rows
    for (int loaded = 0; loaded < rows; loaded += blockDim.y) {
        if (loaded + ty < rows) {
            const int y = top + loaded + ty - filter_height / 2;
            const bool exists = x >= 0 && x < width && y >= 0 && y < height;
            s_tile[(loaded + ty) * row_length + tx] = exists ? in[y * width + x] : 0.0f;
        }
        __syncthreads();  // this subblock is there; the next one goes to other rows
        const int complete = min(loaded + int(blockDim.y), rows) - filter_height + 1;
        for (int row = computed + ty; row < complete; row += blockDim.y) {
            if (tx >= OUT_TILE || left + tx >= width || top + row >= height) continue;
            out[(top + row) * width + left + tx] =
                window_sum(&s_tile[row * row_length + tx], row_length, filter_width, filter_height);
        }
        computed = max(computed, complete);
    }
}

void conv2d_subblocks(std::span<float> out, std::span<const float> in, std::span<const float> filter,
                      int width, int height, int filter_width, int filter_height) {
    int device = 0, most = 0;
    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
    const int tile_width = OUT_TILE + filter_width - 1, tile_height = OUT_TILE + filter_height - 1;
    const size_t bytes = sizeof(float) * tile_width * size_t(tile_height);
    set_filter(c_filter, filter);
    at_most("threads in a row of the block", tile_width, MAX_THREADS);
    at_most("bytes of the tile", bytes, most);
    CUDA_CHECK(cudaFuncSetAttribute(conv2d_subblocks_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                    int(bytes)));

    device_buffer<float> d_in(in), d_out(out.size());
    const dim3 block(tile_width, std::min(8, MAX_THREADS / tile_width));
    const dim3 grid(ceil_div(width, OUT_TILE), ceil_div(height, OUT_TILE));
    timed_launch([&] {
        conv2d_subblocks_kernel<<<grid, block, bytes>>>(d_out.data(), d_in.data(), width, height,
                                                        filter_width, filter_height);
    });
    d_out.copy_to(out);
}
