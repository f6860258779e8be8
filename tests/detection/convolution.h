// What the convolutions of this folder have in common: taps, images, and the truth. All values are small
// whole numbers, so that sums are exact in any order.
#pragma once
#include <vector>

#include "detection.h"

constexpr int R = 2, TAPS = 2 * R + 1;
constexpr int COUNT = 200, BLOCK = 64, BLOCKS = 4;  // in one dimension: the last block is not full
constexpr int WIDTH = 37, HEIGHT = 23, SIDE = 16;   // in two: blocks of SIDE x SIDE threads

/// No two alike, so that a flipped filter shows.
inline std::vector<float> taps_1d() {
    return {1, 4, 2, 8, 5};
}
inline std::vector<float> taps_2d() {
    std::vector<float> taps(TAPS * TAPS);
    for (int i = 0; i < TAPS * TAPS; i++)
        taps[i] = float(i * 7 % 26 - 9);
    return taps;
}

inline std::vector<float> image(int count) {
    std::vector<float> values(count);
    for (int i = 0; i < count; i++)
        values[i] = float(i * 37 % 101 - 50);
    return values;
}

/// The convolution of rows of `width` with zeros outside; one row of taps, or TAPS of them.
inline std::vector<float> convolved(const std::vector<float>& in, const std::vector<float>& taps, int width) {
    const int height = int(in.size()) / width, rows = int(taps.size()) / TAPS;
    std::vector<float> out(in.size());
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
            for (int i = 0; i < rows; i++) {
                for (int j = 0; j < TAPS; j++) {
                    const int row = y + i - rows / 2, column = x + j - R;
                    if (row < 0 || row >= height || column < 0 || column >= width) continue;
                    out[y * width + x] += in[row * width + column] * taps[i * TAPS + j];
                }
            }
        }
    }
    return out;
}

__constant__ float c_taps[TAPS];           // 1D
__constant__ float c_filter[TAPS * TAPS];  // 2D

__device__ inline int thread_in_grid() {  // x
    return blockIdx.x * blockDim.x + threadIdx.x;
}
__device__ inline int row_in_grid() {  // y
    return blockIdx.y * blockDim.y + threadIdx.y;
}
/// The input with zeros outside.
__device__ inline float padded(const float* in, int x, int count) {
    return x >= 0 && x < count ? in[x] : 0;
}
__device__ inline float padded(const float* in, int x, int y, int width, int height) {
    return x >= 0 && x < width && y >= 0 && y < height ? in[y * width + x] : 0;
}

/// What a 1D convolution needs: its input, room for its output, the taps in their place.
struct image_1d {
    device_array<float> in{image(COUNT)}, out{COUNT};
    image_1d() { cudaMemcpyToSymbol(c_taps, taps_1d().data(), sizeof c_taps); }
    std::vector<float> truth() const { return convolved(image(COUNT), taps_1d(), COUNT); }
    bool is_right() const { return out.host() == truth(); }
};

/// A kernel over the whole input, compared with the truth.
inline bool convolves(void (*kernel)(float*, const float*, int), int dynamic_floats = 0) {
    const image_1d data;
    kernel<<<BLOCKS, BLOCK, dynamic_floats * sizeof(float)>>>(data.out, data.in, COUNT);
    return data.is_right();
}

/// The same in two dimensions.
struct image_2d {
    device_array<float> in{image(WIDTH * HEIGHT)}, out{WIDTH * HEIGHT};
    image_2d() { cudaMemcpyToSymbol(c_filter, taps_2d().data(), sizeof c_filter); }
    std::vector<float> truth() const { return convolved(image(WIDTH * HEIGHT), taps_2d(), WIDTH); }
    bool is_right() const { return out.host() == truth(); }
};

const dim3 BLOCK_2D(SIDE, SIDE), GRID_2D((WIDTH + SIDE - 1) / SIDE, (HEIGHT + SIDE - 1) / SIDE);

inline bool convolves(void (*kernel)(float*, const float*, int, int), dim3 grid = GRID_2D,
                      dim3 block = BLOCK_2D, int dynamic_floats = 0) {
    const image_2d data;
    kernel<<<grid, block, dynamic_floats * sizeof(float)>>>(data.out, data.in, WIDTH, HEIGHT);
    return data.is_right();
}
