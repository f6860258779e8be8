// Right: every cell is set to 0 before the pixels that exist are loaded over it, raw pitched memory in a
// stream.
#include "conv2d_tiled.h"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "lab/lab.h"

#define FOR_MY(k, count, axis) for (int k = threadIdx.axis; k < (count); k += blockDim.axis)

__constant__ float c_filter[49152 / sizeof(float)];

struct raw_image {
    cudaPitchedPtr memory;
    int width, height, channels;
};

__device__ float& value_at(const raw_image& image, int x, int y, int channel) {
    char* row = static_cast<char*>(image.memory.ptr) + y * image.memory.pitch;
    return reinterpret_cast<float*>(row)[x * image.channels + channel];
}

__global__ void conv2d_tiled_kernel(raw_image out, raw_image in, int filter_width, int filter_height,
                                    int tile) {
    extern __shared__ float s_tile[];
    const int row = tile + filter_width - 1, rows = tile + filter_height - 1;
    const int x0 = blockIdx.x * tile - filter_width / 2, y0 = blockIdx.y * tile - filter_height / 2;

    // The same thread sets a cell to 0 and loads it: nothing to wait for in between.
    FOR_MY(ty, rows, y) FOR_MY(tx, row, x) s_tile[ty * row + tx] = 0.0f;
    FOR_MY(ty, rows, y) {
        if (y0 + ty < 0) continue;
        if (y0 + ty >= in.height) break;
        FOR_MY(tx, row, x) {
            if (x0 + tx < 0) continue;
            if (x0 + tx >= in.width) break;
            s_tile[ty * row + tx] = value_at(in, x0 + tx, y0 + ty, blockIdx.z);
        }
    }
    __syncthreads();  // sums read cells of all threads

    const int columns_left = out.width - blockIdx.x * tile, rows_left = out.height - blockIdx.y * tile;
    FOR_MY(ty, min(tile, rows_left), y) FOR_MY(tx, min(tile, columns_left), x) {
        float sum = 0.0f;
        for (int k = 0; k < filter_width * filter_height; k++) {
            sum += c_filter[k] * s_tile[(ty + k / filter_width) * row + tx + k % filter_width];
        }
        value_at(out, blockIdx.x * tile + tx, blockIdx.y * tile + ty, blockIdx.z) = sum;
    }
}

static raw_image new_image(int width, int height, int channels) {
    raw_image image{{}, width, height, channels};
    CUDA_CHECK(
        cudaMalloc3D(&image.memory, make_cudaExtent(size_t(width) * channels * sizeof(float), height, 1)));
    return image;
}

void conv2d_tiled(std::span<float> out, std::span<const float> in, std::span<const float> filter, int width,
                  int height, int channels, int filter_width, int filter_height, int tile) {
    using std::to_string;
    if (tile < 1) throw std::invalid_argument("a tile of " + to_string(tile) + ": it should be 1 or more");
    const size_t row = size_t(tile) + filter_width - 1, rows = size_t(tile) + filter_height - 1;
    if (row * rows > 12288)
        throw std::invalid_argument("the input tile takes " + to_string(row * rows * 4) +
                                    " bytes, 49152 is all");

    set_filter(c_filter, filter);
    cudaStream_t stream;
    CUDA_CHECK(cudaStreamCreate(&stream));
    const raw_image d_in = new_image(width, height, channels), d_out = new_image(width, height, channels);
    const size_t bytes = size_t(width) * channels * sizeof(float);
    CUDA_CHECK(cudaMemcpy2DAsync(d_in.memory.ptr, d_in.memory.pitch, in.data(), bytes, bytes, height,
                                 cudaMemcpyHostToDevice, stream));
    const dim3 block(std::min(row, size_t(32)), std::min(rows, size_t(32)));
    const dim3 grid((width - 1) / tile + 1, (height - 1) / tile + 1, channels);
    timed_launch([&] {
        conv2d_tiled_kernel<<<grid, block, row * rows * sizeof(float), stream>>>(d_out, d_in, filter_width,
                                                                                 filter_height, tile);
    });
    CUDA_CHECK(cudaMemcpy2DAsync(out.data(), bytes, d_out.memory.ptr, d_out.memory.pitch, bytes, height,
                                 cudaMemcpyDeviceToHost, stream));
    CUDA_CHECK(cudaStreamSynchronize(stream));
    CUDA_CHECK(cudaStreamDestroy(stream));
    CUDA_CHECK(cudaFree(d_out.memory.ptr));
    CUDA_CHECK(cudaFree(d_in.memory.ptr));
}
