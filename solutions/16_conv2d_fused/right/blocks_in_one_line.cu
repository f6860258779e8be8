// Right: a grid of one row, blocks of 256 threads in a line, tiles of 32 x 16 outputs; ghost cells are blurred like
// others and set to 0 when they are stored. The blur is a static array, two words wider than needed.
#include "conv2d_fused.h"

#include <stdexcept>
#include <string>

#include "lab/lab.h"

constexpr int BLOCK_WIDTH = 32;   // a warp is one row: 32 neighbours, in 32 banks of shared memory
constexpr int BLOCK_HEIGHT = 32;  // every step has a halo: the larger the block, the less of it is halo

constexpr size_t MAX_SHARED = 48 * 1024;                // bytes of a block; more has to be asked for
constexpr size_t MAX_TAPS = 64 * 1024 / sizeof(float);  // all the constant memory there is

__constant__ float c_filter[MAX_TAPS];

// ---- The steps for one pixel. at(dx, dy) is the pixel dx columns to the right of it and dy rows below.

template <class neighbour>
__device__ float sobel_x(const neighbour& at) {
    return -at(-1, -1) + at(1, -1) - 2.0f * at(-1, 0) + 2.0f * at(1, 0) - at(-1, 1) + at(1, 1);
}

template <class neighbour>
__device__ float sobel_y(const neighbour& at) {
    return -at(-1, -1) - 2.0f * at(0, -1) - at(1, -1) + at(-1, 1) + 2.0f * at(0, 1) + at(1, 1);
}

__device__ float edge(float gx, float gy, float threshold) {
    const float length = sqrtf(gx * gx + gy * gy);
    return length >= threshold ? length : 0.0f;
}

// ---- A chain of four kernels.

/// A pixel of an image in global memory; a ghost cell, 0, if there is none.
__device__ float pixel_or_zero(const float* image, int x, int y, int width, int height) {
    return x >= 0 && x < width && y >= 0 && y < height ? image[y * width + x] : 0.0f;
}

__global__ void blur_kernel(float* blurred, const float* in, int width, int height, int filter_width,
                            int filter_height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    float sum = 0.0f;
    for (int i = 0; i < filter_height; i++) {
        for (int j = 0; j < filter_width; j++) {
            const int from_x = x + j - filter_width / 2, from_y = y + i - filter_height / 2;
            if (from_x < 0 || from_x >= width || from_y < 0 || from_y >= height) continue;
            sum += c_filter[i * filter_width + j] * in[from_y * width + from_x];
        }
    }
    blurred[y * width + x] = sum;
}

__global__ void sobel_x_kernel(float* gx, const float* blurred, int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    gx[y * width + x] =
        sobel_x([=](int dx, int dy) { return pixel_or_zero(blurred, x + dx, y + dy, width, height); });
}

__global__ void sobel_y_kernel(float* gy, const float* blurred, int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    gy[y * width + x] =
        sobel_y([=](int dx, int dy) { return pixel_or_zero(blurred, x + dx, y + dy, width, height); });
}

__global__ void edge_kernel(float* out, const float* gx, const float* gy, int width, int height,
                            float threshold) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height) out[y * width + x] = edge(gx[y * width + x], gy[y * width + x], threshold);
}

void conv2d_chain(std::span<float> out, std::span<const float> in, std::span<const float> filter, int width,
                  int height, int filter_width, int filter_height, float threshold) {
    set_filter(c_filter, filter);
    device_buffer<float> d_in(in), d_blurred(in.size()), d_gx(in.size()), d_gy(in.size()), d_out(out.size());
    const dim3 block(BLOCK_WIDTH, BLOCK_HEIGHT);
    const dim3 grid(ceil_div(width, BLOCK_WIDTH), ceil_div(height, BLOCK_HEIGHT));
    timed_launch([&] {
        blur_kernel<<<grid, block>>>(d_blurred.data(), d_in.data(), width, height, filter_width,
                                     filter_height);
        sobel_x_kernel<<<grid, block>>>(d_gx.data(), d_blurred.data(), width, height);
        sobel_y_kernel<<<grid, block>>>(d_gy.data(), d_blurred.data(), width, height);
        edge_kernel<<<grid, block>>>(d_out.data(), d_gx.data(), d_gy.data(), width, height, threshold);
    });
    d_out.copy_to(out);
}

// ---- One kernel.

constexpr int THREADS = 256, TILE_WIDTH = 32, TILE_HEIGHT = 16;

__global__ void conv2d_fused_kernel(float* out, const float* in, int width, int height, int filter_width,
                                    int filter_height, float threshold) {
    __shared__ float s_blurred[TILE_HEIGHT + 2][TILE_WIDTH + 4];
    extern __shared__ float s_pixels[];
    const int tiles_across = (width + TILE_WIDTH - 1) / TILE_WIDTH;
    const int left = int(blockIdx.x) % tiles_across * TILE_WIDTH;
    const int top = int(blockIdx.x) / tiles_across * TILE_HEIGHT;
    const int pixels_width = TILE_WIDTH + 1 + filter_width, pixels_height = TILE_HEIGHT + 1 + filter_height;
    for (int cell = threadIdx.x; cell < pixels_width * pixels_height; cell += THREADS) {
        const int x = left - 1 - filter_width / 2 + cell % pixels_width;
        const int y = top - 1 - filter_height / 2 + cell / pixels_width;
        s_pixels[cell] = pixel_or_zero(in, x, y, width, height);
    }
    __syncthreads();  // the blur reads what other threads have loaded
    for (int cell = threadIdx.x; cell < (TILE_WIDTH + 2) * (TILE_HEIGHT + 2); cell += THREADS) {
        const int column = cell % (TILE_WIDTH + 2), row = cell / (TILE_WIDTH + 2);
        float sum = 0.0f;
        for (int i = 0; i < filter_height; i++) {
            for (int j = 0; j < filter_width; j++)
                sum += c_filter[i * filter_width + j] * s_pixels[(row + i) * pixels_width + column + j];
        }
        const int x = left - 1 + column, y = top - 1 + row;
        s_blurred[row][column] = x >= 0 && x < width && y >= 0 && y < height ? sum : 0.0f;
    }
    __syncthreads();  // the gradients read what other threads have stored
    for (int output = threadIdx.x; output < TILE_WIDTH * TILE_HEIGHT; output += THREADS) {
        const int column = output % TILE_WIDTH, row = output / TILE_WIDTH;
        if (left + column >= width || top + row >= height) continue;
        const auto at = [=](int dx, int dy) { return s_blurred[row + 1 + dy][column + 1 + dx]; };
        out[(top + row) * width + left + column] = edge(sobel_x(at), sobel_y(at), threshold);
    }
}

void conv2d_fused(std::span<float> out, std::span<const float> in, std::span<const float> filter, int width,
                  int height, int filter_width, int filter_height, float threshold) {
    const size_t pixels = size_t(TILE_WIDTH + 1 + filter_width) * size_t(TILE_HEIGHT + 1 + filter_height);
    const size_t bytes = pixels * sizeof(float),
                 blurred = sizeof(float) * (TILE_WIDTH + 4) * (TILE_HEIGHT + 2);
    if (bytes + blurred > MAX_SHARED)
        throw std::invalid_argument(std::to_string(bytes + blurred) + " bytes are more than " +
                                    std::to_string(MAX_SHARED));
    set_filter(c_filter, filter);
    device_buffer<float> d_in(in), d_out(out.size());
    const int blocks = ceil_div(width, TILE_WIDTH) * ceil_div(height, TILE_HEIGHT);
    timed_launch([&] {
        conv2d_fused_kernel<<<blocks, THREADS, bytes>>>(d_out.data(), d_in.data(), width, height,
                                                        filter_width, filter_height, threshold);
    });
    d_out.copy_to(out);
}
