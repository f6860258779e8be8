// Right: a thread's sums are a float, a float2 or a float4, chosen by a trait; overloads do the arithmetic.
#include "conv2d_tiling.h"

#include <stdexcept>
#include <string>

#include "lab/lab.h"

constexpr size_t MAX_SHARED = 48 * 1024;
__constant__ float c_filter[MAX_SHARED / sizeof(float)];

// Reads the cells that lie one block width apart and adds them, multiplied by the tap.
__device__ void add(float& sum, float tap, const float* cell, int) {
    sum += tap * cell[0];
}
__device__ void add(float2& sum, float tap, const float* cell, int apart) {
    sum.x += tap * cell[0];
    sum.y += tap * cell[apart];
}
__device__ void add(float4& sum, float tap, const float* cell, int apart) {
    sum.x += tap * cell[0];
    sum.y += tap * cell[apart];
    sum.z += tap * cell[2 * apart];
    sum.w += tap * cell[3 * apart];
}

// Stores what has a pixel: `room` columns from the first output to the end of the row.
__device__ void store(float sum, float* out, int, int room) {
    if (room > 0) out[0] = sum;
}
__device__ void store(float2 sum, float* out, int apart, int room) {
    store(sum.x, out, apart, room);
    store(sum.y, out + apart, apart, room - apart);
}
__device__ void store(float4 sum, float* out, int apart, int room) {
    store(make_float2(sum.x, sum.y), out, apart, room);
    store(make_float2(sum.z, sum.w), out + 2 * apart, apart, room - 2 * apart);
}

template <class sums, int BLOCK_WIDTH, int BLOCK_HEIGHT>
__global__ void conv2d_tiling_kernel(float* out, const float* in, int width, int height, int filter_width,
                                     int filter_height, int pitch) {
    extern __shared__ float s_tile[];
    constexpr int OUTPUTS = BLOCK_WIDTH * int(sizeof(sums) / sizeof(float));  // of a row of the block
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int first_x = blockIdx.x * OUTPUTS, first_y = blockIdx.y * BLOCK_HEIGHT;
    for (int row = ty; row < BLOCK_HEIGHT + filter_height - 1; row += BLOCK_HEIGHT) {
        const int y = first_y + row - filter_height / 2;
        for (int column = tx; column < OUTPUTS + filter_width - 1; column += BLOCK_WIDTH) {
            const int x = first_x + column - filter_width / 2;
            const bool inside = x >= 0 && x < width && y >= 0 && y < height;
            s_tile[row * pitch + column] = inside ? in[y * width + x] : 0.0f;
        }
    }
    __syncthreads();  // the sums read what other threads have loaded
    const int x = first_x + tx, y = first_y + ty;
    if (x >= width || y >= height) return;

    sums sum{};
    for (int i = 0; i < filter_height; i++) {
        const float* cell = &s_tile[(ty + i) * pitch + tx];
        for (int j = 0; j < filter_width; j++)
            add(sum, c_filter[i * filter_width + j], cell + j, BLOCK_WIDTH);
    }
    store(sum, &out[y * width + x], BLOCK_WIDTH, width - x);
}

using tiling_kernel = void (*)(float*, const float*, int, int, int, int, int);

template <class sums>
static tiling_kernel for_block(int block_width, int block_height) {
    if (block_width == 16 && block_height == 16) return conv2d_tiling_kernel<sums, 16, 16>;
    if (block_width == 32 && block_height == 16) return conv2d_tiling_kernel<sums, 32, 16>;
    if (block_width == 32 && block_height == 32) return conv2d_tiling_kernel<sums, 32, 32>;
    throw std::invalid_argument("no kernel for blocks of " + std::to_string(block_width) + " x " +
                                std::to_string(block_height));
}

static tiling_kernel for_factor(int factor, int block_width, int block_height) {
    if (factor == 1) return for_block<float>(block_width, block_height);
    if (factor == 2) return for_block<float2>(block_width, block_height);
    if (factor == 4) return for_block<float4>(block_width, block_height);
    throw std::invalid_argument("no kernel for a factor of " + std::to_string(factor));
}

void conv2d_tiling(std::span<float> out, std::span<const float> in, std::span<const float> filter, int width,
                   int height, int filter_width, int filter_height, int block_width, int block_height,
                   int factor, int padding) {
    const tiling_kernel kernel = for_factor(factor, block_width, block_height);
    const int pitch = block_width * factor + filter_width - 1 + padding;
    const size_t bytes = size_t(pitch) * (block_height + filter_height - 1) * sizeof(float);
    if (bytes > MAX_SHARED)
        throw std::invalid_argument("the tile takes " + std::to_string(bytes) + " bytes, the limit is " +
                                    std::to_string(MAX_SHARED));
    set_filter(c_filter, filter);
    device_buffer<float> d_in(in), d_out(out.size());
    const dim3 block(block_width, block_height);
    const dim3 grid(ceil_div(width, block_width * factor), ceil_div(height, block_height));
    timed_launch([&] {
        kernel<<<grid, block, bytes>>>(d_out.data(), d_in.data(), width, height, filter_width, filter_height,
                                       pitch);
    });
    d_out.copy_to(out);
}
