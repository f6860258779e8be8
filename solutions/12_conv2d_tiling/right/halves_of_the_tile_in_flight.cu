// Right: rows of the tile arrive by asynchronous copies in two batches; the sums of a thread are a functor's.
#include "conv2d_tiling.h"

#include <cuda_pipeline.h>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>

#include "lab/lab.h"

constexpr size_t MAX_SHARED = 48 * 1024;
__constant__ float c_filter[MAX_SHARED / sizeof(float)];

template <int WIDTH, int HEIGHT, int N>
struct tile {
    static constexpr int OUTPUTS = WIDTH * N;
    float* cells;
    int pitch, columns, rows;

    __device__ tile(float* memory, int pitch_, int filter_width, int filter_height)
        : cells(memory),
          pitch(pitch_),
          columns(OUTPUTS - 1 + filter_width),
          rows(HEIGHT - 1 + filter_height) {}

    /// Asks for the rows from `first` up to `last`.
    __device__ void request(const float* in, int width, int height, int first, int last) const {
        const int left = blockIdx.x * OUTPUTS - (columns - OUTPUTS) / 2;
        const int top = blockIdx.y * HEIGHT - (rows - HEIGHT) / 2;
        for (int row = first + threadIdx.y; row < last; row += HEIGHT)
            for (int column = threadIdx.x; column < columns; column += WIDTH) {
                const int x = left + column, y = top + row;
                float* to = cells + row * pitch + column;
                if (unsigned(x) < unsigned(width) && unsigned(y) < unsigned(height))
                    __pipeline_memcpy_async(to, in + y * width + x, sizeof(float));
                else
                    *to = 0.0f;
            }
        __pipeline_commit();
    }
};

/// The sums of a thread; called with a row of taps and the cells under it.
template <int N, int APART>
struct adder {
    float sums[N] = {};
    __device__ void operator()(const float* taps, const float* cells, int count) {
        for (int j = 0; j < count; j++) {
            const float tap = taps[j];
#pragma unroll
            for (int n = 0; n < N; n++)
                sums[n] = fmaf(tap, cells[j + n * APART], sums[n]);
        }
    }
};

template <int WIDTH, int HEIGHT, int N>
__global__ void conv2d_tiling_kernel(float* out, const float* in, int width, int height, int filter_width,
                                     int filter_height, int pitch) {
    extern __shared__ float s_cells[];
    const tile<WIDTH, HEIGHT, N> pixels(s_cells, pitch, filter_width, filter_height);
    const int half = filter_height / 2, upper = HEIGHT + half;  // rows under the first half + 1 rows of taps
    pixels.request(in, width, height, 0, upper);
    pixels.request(in, width, height, upper, pixels.rows);

    adder<N, WIDTH> add;
    const float* cells = s_cells + threadIdx.y * pitch + threadIdx.x;
    __pipeline_wait_prior(1);
    __syncthreads();  // the upper rows are there
    for (int i = 0; i <= half; i++)
        add(c_filter + i * filter_width, cells + i * pitch, filter_width);
    __pipeline_wait_prior(0);
    __syncthreads();  // and the lower ones
    for (int i = half + 1; i < filter_height; i++)
        add(c_filter + i * filter_width, cells + i * pitch, filter_width);

    const int x = blockIdx.x * WIDTH * N + threadIdx.x, y = blockIdx.y * HEIGHT + threadIdx.y;
    if (y >= height) return;
#pragma unroll
    for (int n = 0; n < N; n++)
        if (x + n * WIDTH < width) out[y * width + x + n * WIDTH] = add.sums[n];
}

struct instance {
    int width, height, factor;
    void (*kernel)(float*, const float*, int, int, int, int, int);
};

#define INSTANCE(width, height, factor)                                    \
    instance {                                                             \
        width, height, factor, conv2d_tiling_kernel<width, height, factor> \
    }
#define ALL_FACTORS(width, height) \
    INSTANCE(width, height, 1), INSTANCE(width, height, 2), INSTANCE(width, height, 4)

void conv2d_tiling(std::span<float> out, std::span<const float> in, std::span<const float> filter, int width,
                   int height, int filter_width, int filter_height, int block_width, int block_height,
                   int factor, int padding) {
    const std::array instances{ALL_FACTORS(16, 16), ALL_FACTORS(32, 16), ALL_FACTORS(32, 32)};
    const auto found = std::find_if(instances.begin(), instances.end(), [&](const instance& each) {
        return each.width == block_width && each.height == block_height && each.factor == factor;
    });
    if (found == instances.end())
        throw std::invalid_argument("blocks of " + std::to_string(block_width) + " x " +
                                    std::to_string(block_height) + " with a factor of " +
                                    std::to_string(factor) + " are not compiled");
    const int pitch = block_width * factor + filter_width - 1 + padding;
    const size_t bytes = sizeof(float) * pitch * (block_height + filter_height - 1);
    if (bytes > MAX_SHARED)
        throw std::invalid_argument(std::to_string(bytes) + " bytes, " + std::to_string(MAX_SHARED) +
                                    " at most");

    set_filter(c_filter, filter);
    device_buffer<float> d_in(in), d_out(out.size());
    const dim3 grid(ceil_div(width, block_width * factor), ceil_div(height, block_height));
    timed_launch([&] {
        found->kernel<<<grid, dim3(block_width, block_height), bytes>>>(
            d_out.data(), d_in.data(), width, height, filter_width, filter_height, pitch);
    });
    d_out.copy_to(out);
}
