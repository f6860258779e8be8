// Right: two outputs a thread, of sums and differences along three columns of the blur; fused multiply-adds.
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

// ---- One kernel: 64 x 8 outputs of 32 x 8 threads. Tile and blur share one loop over cells; every thread keeps three
// columns of the blur in registers and makes both gradients of their sums and differences.

constexpr int COLUMNS = 64, ROWS = 8, BLUR_COLUMNS = COLUMNS + 2, BLUR_ROWS = ROWS + 2;

struct column_of_three {
    float smooth, difference;
};

static __device__ column_of_three column_at(const float* top) {
    const float above = top[0], middle = top[BLUR_COLUMNS], below = top[2 * BLUR_COLUMNS];
    return {above + middle + middle + below, below - above};
}

__global__ void conv2d_fused_kernel(float* __restrict__ out, const float* __restrict__ in, int width,
                                    int height, int filter_width, int filter_height, float threshold) {
    extern __shared__ float s_all[];
    float* const s_blurred = s_all;
    float* const s_pixels = s_all + BLUR_COLUMNS * BLUR_ROWS;
    const int pixels_width = BLUR_COLUMNS - 1 + filter_width, pixels_height = BLUR_ROWS - 1 + filter_height;
    const int left = blockIdx.x * COLUMNS - 1, top = blockIdx.y * ROWS - 1;
    const auto for_cells = [](int columns, int rows, const auto& work) {
        for (int row = threadIdx.y; row < rows; row += blockDim.y) {
            for (int column = threadIdx.x; column < columns; column += blockDim.x)
                work(column, row);
        }
        __syncthreads();
    };
    for_cells(pixels_width, pixels_height, [&](int column, int row) {
        s_pixels[row * pixels_width + column] =
            pixel_or_zero(in, left - filter_width / 2 + column, top - filter_height / 2 + row, width, height);
    });
    for_cells(BLUR_COLUMNS, BLUR_ROWS, [&](int column, int row) {
        float sum = 0.0f;
        const int x = left + column, y = top + row;
        const float* tap = c_filter;
        for (int i = 0; i < filter_height && x >= 0 && x < width && y >= 0 && y < height; i++) {
            for (int j = 0; j < filter_width; j++)
                sum = fmaf(*tap++, s_pixels[(row + i) * pixels_width + column + j], sum);
        }
        s_blurred[row * BLUR_COLUMNS + column] = sum;
    });
    const int y = top + 1 + threadIdx.y;
    for (int column = threadIdx.x; column < COLUMNS; column += blockDim.x) {
        const int x = left + 1 + column;
        if (x >= width || y >= height) return;
        const float* const corner = s_blurred + threadIdx.y * BLUR_COLUMNS + column;
        const column_of_three a = column_at(corner), b = column_at(corner + 1), c = column_at(corner + 2);
        out[y * width + x] =
            edge(c.smooth - a.smooth, a.difference + 2.0f * b.difference + c.difference, threshold);
    }
}

void conv2d_fused(std::span<float> out, std::span<const float> in, std::span<const float> filter, int width,
                  int height, int filter_width, int filter_height, float threshold) {
    const int pixels = (BLUR_COLUMNS - 1 + filter_width) * (BLUR_ROWS - 1 + filter_height);
    const size_t bytes = sizeof(float) * (size_t(pixels) + BLUR_COLUMNS * BLUR_ROWS);
    if (bytes > MAX_SHARED)
        throw std::invalid_argument("needs " + std::to_string(bytes) + " bytes, has " +
                                    std::to_string(MAX_SHARED));
    set_filter(c_filter, filter);
    device_buffer<float> d_in(in), d_out(out.size());
    const dim3 grid(ceil_div(width, COLUMNS), ceil_div(height, ROWS));
    timed_launch([&] {
        conv2d_fused_kernel<<<grid, dim3(32, 8), bytes>>>(d_out.data(), d_in.data(), width, height,
                                                          filter_width, filter_height, threshold);
    });
    d_out.copy_to(out);
}
