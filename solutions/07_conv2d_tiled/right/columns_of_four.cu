// Right: a thread computes up to four outputs of a column at once: a cell is read once for all that want it.
#include "conv2d_tiled.h"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "lab/lab.h"

constexpr int ROWS = 4, MAX_SIDE = 32;
constexpr size_t MAX_SHARED = 48 * 1024;
__constant__ float c_filter[MAX_SHARED / sizeof(float)];

struct layout {
    float* out;
    const float* in;
    size_t out_pitch, in_pitch;
    int3 size;  // width, height, channels
    int2 filter;
    int tile;
};

template <class T>
__device__ T& value_at(T* data, size_t pitch, int x, int y, int channels) {
    return data[y * (pitch / sizeof(T)) + x * channels + blockIdx.z];
}

__device__ float4 four_sums(const float* cell, int row, int2 filter) {
    float sums[ROWS] = {};
    for (int j = 0; j < filter.x; j++) {
        for (int i = 0; i < filter.y + ROWS - 1; i++) {  // rows of cells, from the first of the first output
            const float value = cell[i * row + j];
#pragma unroll
            for (int k = 0; k < ROWS; k++) {
                if (i - k >= 0 && i - k < filter.y) sums[k] += value * c_filter[(i - k) * filter.x + j];
            }
        }
    }
    return make_float4(sums[0], sums[1], sums[2], sums[3]);
}

__device__ float one_sum(const float* cell, int row, int2 filter) {
    float sum = 0.0f;
    for (int i = 0; i < filter.y; i++)
        for (int j = 0; j < filter.x; j++)
            sum += cell[i * row + j] * c_filter[i * filter.x + j];
    return sum;
}

__global__ void conv2d_tiled_kernel(layout a) {
    extern __shared__ float s_tile[];
    const int row = a.tile + a.filter.x - 1, rows = a.tile + a.filter.y - 1;
    const int left = blockIdx.x * a.tile, top = blockIdx.y * a.tile;
    for (int ty = threadIdx.y; ty < rows; ty += blockDim.y) {
        for (int tx = threadIdx.x; tx < row; tx += blockDim.x) {
            const int x = left + tx - a.filter.x / 2, y = top + ty - a.filter.y / 2;
            const bool exists = x >= 0 && x < a.size.x && y >= 0 && y < a.size.y;
            s_tile[ty * row + tx] = exists ? value_at(a.in, a.in_pitch, x, y, a.size.z) : 0.0f;
        }
    }
    __syncthreads();  // the input tile is complete

    const int columns = min(a.tile, a.size.x - left), lines = min(a.tile, a.size.y - top);
    for (int ty = threadIdx.y * ROWS; ty < lines; ty += blockDim.y * ROWS) {
        for (int tx = threadIdx.x; tx < columns; tx += blockDim.x) {
            const auto put = [&](int k, float sum) {
                value_at(a.out, a.out_pitch, left + tx, top + ty + k, a.size.z) = sum;
            };
            const float* cell = s_tile + ty * row + tx;
            if (ty + ROWS <= lines) {
                const float4 sums = four_sums(cell, row, a.filter);
                put(0, sums.x), put(1, sums.y), put(2, sums.z), put(3, sums.w);
            } else {
                for (int k = 0; k < lines - ty; k++)
                    put(k, one_sum(cell + k * row, row, a.filter));
            }
        }
    }
}

void conv2d_tiled(std::span<float> out, std::span<const float> in, std::span<const float> filter, int width,
                  int height, int channels, int filter_width, int filter_height, int tile) {
    if (tile < 1) throw std::invalid_argument("tile " + std::to_string(tile) + " < 1");
    const size_t row = size_t(tile) + filter_width - 1, rows = size_t(tile) + filter_height - 1;
    const size_t bytes = row * rows * sizeof(float);
    if (bytes > MAX_SHARED)
        throw std::invalid_argument(std::to_string(bytes) + " bytes > " + std::to_string(MAX_SHARED));

    set_filter(c_filter, filter);
    pitched_image<float> d_in(in, width * channels, height), d_out(width * channels, height);
    const layout a{d_out.data(),
                   d_in.data(),
                   d_out.pitch(),
                   d_in.pitch(),
                   make_int3(width, height, channels),
                   make_int2(filter_width, filter_height),
                   tile};
    const dim3 block(std::min<size_t>(row, MAX_SIDE), std::min<size_t>(rows, MAX_SIDE));
    const dim3 grid(ceil_div(width, tile), ceil_div(height, tile), channels);
    timed_launch([&] { conv2d_tiled_kernel<<<grid, block, bytes>>>(a); });
    d_out.copy_to(out);
}
