// Right: asynchronous copies of one float each fill the tile, and a ghost cell is a copy of no bytes.
#include "conv2d_tiled.h"

#include <cuda_pipeline.h>

#include <algorithm>
#include <stdexcept>
#include <string>

#include "lab/lab.h"

constexpr int MAX_SIDE = 32;
constexpr size_t MAX_SHARED = 48 * 1024;
__constant__ float c_filter[MAX_SHARED / sizeof(float)];

template <class T>
struct image_view {
    T* data;
    size_t pitch;
    int width, height, channels;

    __device__ T* value(int x, int y, int channel) const {
        return data + (y * (pitch / sizeof(T)) + x * channels + channel);
    }
    __device__ bool has(int x, int y) const {
        return unsigned(x) < unsigned(width) && unsigned(y) < unsigned(height);
    }
};

struct size2 {
    int x, y;
    __host__ __device__ size_t area() const { return size_t(x) * size_t(y); }
};

__global__ void conv2d_tiled_kernel(image_view<float> out, image_view<const float> in, size2 filter,
                                    int tile) {
    extern __shared__ float s_tile[];
    const size2 input{tile + filter.x - 1, tile + filter.y - 1};
    const int left = blockIdx.x * tile, top = blockIdx.y * tile, channel = blockIdx.z;

    for (int ty = threadIdx.y; ty < input.y; ty += blockDim.y) {
        for (int tx = threadIdx.x; tx < input.x; tx += blockDim.x) {
            const int x = left + tx - filter.x / 2, y = top + ty - filter.y / 2;
            const bool exists = in.has(x, y);
            const float* from = exists ? in.value(x, y, channel) : in.data;
            __pipeline_memcpy_async(&s_tile[ty * input.x + tx], from, sizeof(float),
                                    exists ? 0 : sizeof(float));
        }
    }
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();  // each thread has waited for its own copies; the others' are needed too

    for (int ty = threadIdx.y; ty < tile; ty += blockDim.y) {
        for (int tx = threadIdx.x; tx < tile; tx += blockDim.x) {
            if (!out.has(left + tx, top + ty)) continue;
            float sum = 0.0f;
            const float *row = &s_tile[ty * input.x + tx], *tap = c_filter;
            for (int i = 0; i < filter.y; i++, row += input.x)
                for (int j = 0; j < filter.x; j++)
                    sum += row[j] * *tap++;
            *out.value(left + tx, top + ty, channel) = sum;
        }
    }
}

void conv2d_tiled(std::span<float> out, std::span<const float> in, std::span<const float> filter, int width,
                  int height, int channels, int filter_width, int filter_height, int tile) {
    if (tile < 1) throw std::invalid_argument("tile " + std::to_string(tile) + " is below the limit, 1");
    const size2 taps{filter_width, filter_height};
    const size_t bytes = (size_t(tile) + taps.x - 1) * (size_t(tile) + taps.y - 1) * sizeof(float);
    if (bytes > MAX_SHARED)
        throw std::invalid_argument(std::to_string(bytes) + " bytes of shared memory are more than " +
                                    std::to_string(MAX_SHARED));
    set_filter(c_filter, filter);
    pitched_image<float> d_in(in, width * channels, height), d_out(width * channels, height);
    const image_view<float> to{d_out.data(), d_out.pitch(), width, height, channels};
    const image_view<const float> from{d_in.data(), d_in.pitch(), width, height, channels};
    const dim3 block(std::min(tile + taps.x - 1, MAX_SIDE), std::min(tile + taps.y - 1, MAX_SIDE));
    const dim3 grid(ceil_div(width, tile), ceil_div(height, tile), channels);
    timed_launch([&] { conv2d_tiled_kernel<<<grid, block, bytes>>>(to, from, taps, tile); });
    d_out.copy_to(out);
}
