// Right: blocks of 32 x 2 x 4; one helper fills rectangles of the tile, the four ways say which of them.
#include "conv2d_shared.h"

#include "lab/lab.h"

enum { WARP = 32, PAIR = 2, LAYERS = 4, LINES = PAIR * LAYERS, THREADS = WARP * LINES };
constexpr size_t MAX_SHARED = 48 * 1024;
__constant__ float c_filter[64 * 1024 / sizeof(float)];

struct picture {
    float* out;
    const float* in;
    int width, height, filter_width, filter_height;
};

__device__ __forceinline__ int line_of_block() {
    return threadIdx.z * PAIR + threadIdx.y;
}

__device__ __forceinline__ float pixel_or_zero(const picture& p, int x, int y) {
    if (x < 0 || y < 0) return 0.0f;
    if (x >= p.width || y >= p.height) return 0.0f;
    return __ldg(p.in + y * p.width + x);
}

struct tile {
    float* cells;
    int width, height, left, top;
};

/// Columns [x0, x1) and rows [y0, y1) of the tile, in steps.
__device__ __forceinline__ void fill(const tile& t, const picture& p, int x0, int x1, int y0, int y1,
                                     int step_x = 1, int step_y = 1) {
    for (int y = y0; y < y1; y += step_y)
        for (int x = x0; x < x1; x += step_x)
            t.cells[y * t.width + x] = pixel_or_zero(p, t.left + x, t.top + y);
}

__device__ __forceinline__ void load(loading how, const tile& t, const picture& p) {
    const int tx = threadIdx.x, ty = line_of_block();
    const int hx = (t.width - WARP) >> 1, hy = (t.height - LINES) >> 1;
    const int column = hx + tx, row = hy + ty, right = hx + WARP, below = hy + LINES;
    const bool first = tx + ty == 0;
    switch (how) {
        case loading::one_thread:
            fill(t, p, column, column + 1, row, row + 1);
            if (first) {
                fill(t, p, 0, t.width, 0, hy);
                fill(t, p, 0, hx, hy, below);
                fill(t, p, right, t.width, hy, below);
                fill(t, p, 0, t.width, below, t.height);
            }
            return;
        case loading::edge_threads:
            fill(t, p, column, column + 1, row, row + 1);
            if (tx == 0) fill(t, p, 0, hx, row, row + 1);
            if (tx == WARP - 1) fill(t, p, right, t.width, row, row + 1);
            if (ty == 0) fill(t, p, column, column + 1, 0, hy);
            if (ty == LINES - 1) fill(t, p, column, column + 1, below, t.height);
            if (first) {
                fill(t, p, 0, hx, 0, hy);
                fill(t, p, right, t.width, 0, hy);
                fill(t, p, 0, hx, below, t.height);
                fill(t, p, right, t.width, below, t.height);
            }
            return;
        case loading::swept:
            return fill(t, p, tx, t.width, ty, t.height, WARP, LINES);
        case loading::rows:  // a tile of one row: its columns are all the cells
            for (int k = ty * WARP + tx; k < t.width * t.height; k += THREADS)
                t.cells[k] = pixel_or_zero(p, t.left + k % t.width, t.top + k / t.width);
            return;
        case loading::no_tile:
            break;
    }
}

__device__ __forceinline__ void convolve_tile(loading how, const picture& p, const int filter_width) {
    extern __shared__ float s_cells[];
    const int left = blockIdx.x * WARP, top = blockIdx.y * LINES;
    const tile t{s_cells, WARP + filter_width - 1, LINES + p.filter_height - 1, left - filter_width / 2,
                 top - p.filter_height / 2};
    load(how, t, p);
    __syncthreads();  // all cells are there

    const int x = left + threadIdx.x, y = top + line_of_block();
    if (x >= p.width || y >= p.height) return;
    float sum = 0.0f;
    for (int i = 0; i < p.filter_height; i++) {
        const float* cells = &s_cells[(line_of_block() + i) * t.width + threadIdx.x];
#pragma unroll
        for (int j = 0; j < filter_width; j++)
            sum = fmaf(cells[j], c_filter[i * filter_width + j], sum);
    }
    p.out[y * p.width + x] = sum;
}

#define KERNEL(name, filter_width)                 \
    __global__ void name(loading how, picture p) { \
        convolve_tile(how, p, filter_width);       \
    }
KERNEL(any_width, p.filter_width)
KERNEL(three_wide, 3)
KERNEL(five_wide, 5)
KERNEL(seven_wide, 7)
KERNEL(nine_wide, 9)
KERNEL(eleven_wide, 11)
#undef KERNEL

__global__ void without_tile(loading, picture p) {
    const int x = blockIdx.x * WARP + threadIdx.x, y = blockIdx.y * LINES + line_of_block();
    if (x >= p.width || y >= p.height) return;
    float sum = 0.0f;
    const float* tap = c_filter;
    for (int row = y - p.filter_height / 2; row <= y + p.filter_height / 2; row++)
        for (int column = x - p.filter_width / 2; column <= x + p.filter_width / 2; column++, tap++)
            if (column >= 0 && column < p.width && row >= 0 && row < p.height)
                sum += p.in[row * p.width + column] * *tap;
    p.out[y * p.width + x] = sum;
}

static void run(void (*kernel)(loading, picture), loading how, std::span<float> out,
                std::span<const float> in, std::span<const float> filter, int width, int height,
                int filter_width, int filter_height) {
    set_filter(c_filter, filter);
    device_buffer<float> d_in(in), d_out(out.size());
    size_t bytes = sizeof(float) * (WARP + filter_width - 1) * (LINES + filter_height - 1);
    if (how == loading::no_tile || bytes > MAX_SHARED) kernel = without_tile, bytes = 0;
    const picture p{d_out.data(), d_in.data(), width, height, filter_width, filter_height};
    const dim3 grid(ceil_div(width, WARP), ceil_div(height, LINES)), block(WARP, PAIR, LAYERS);
    timed_launch([&] { kernel<<<grid, block, bytes>>>(how, p); });
    d_out.copy_to(out);
}

void conv2d_shared(std::span<float> out, std::span<const float> in, std::span<const float> filter, int width,
                   int height, int filter_width, int filter_height, loading how) {
    run(any_width, how, out, in, filter, width, height, filter_width, filter_height);
}

void conv2d_shared_unrolled(std::span<float> out, std::span<const float> in, std::span<const float> filter,
                            int width, int height, int filter_width, int filter_height) {
    auto kernel = any_width;
    if (filter_width == 3) kernel = three_wide;
    if (filter_width == 5) kernel = five_wide;
    if (filter_width == 7) kernel = seven_wide;
    if (filter_width == 9) kernel = nine_wide;
    if (filter_width == 11) kernel = eleven_wide;
    run(kernel, loading::swept, out, in, filter, width, height, filter_width, filter_height);
}
