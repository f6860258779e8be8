// Right: a block is one warp with 32 outputs of one row, so __syncwarp() is all the barrier that it needs.
#include "conv2d_shared.h"

#include <algorithm>

#include "lab/lab.h"

constexpr int WARP = 32;
constexpr size_t MAX_SHARED = 48 * 1024;
__constant__ float c_filter[64 * 1024 / sizeof(float)];

/// The cells under the outputs of the warp, filter_height rows of them, and the way to the image.
class strip {
public:
    __device__ strip(float* cells, const float* __restrict__ in, int width, int height, int x, int y,
                     int2 filter)
        : cells_(cells),
          in_(in),
          width_(width),
          height_(height),
          left_(x - filter.x / 2),
          top_(y - filter.y / 2),
          row_(WARP + filter.x - 1) {}

    __device__ int row() const { return row_; }
    __device__ void load(int column, int line) {
        const int x = left_ + column, y = top_ + line;
        const bool ghost = min(x, y) < 0 || x >= width_ || y >= height_;
        cells_[line * row_ + column] = ghost ? 0.0f : in_[y * width_ + x];
    }

private:
    float* cells_;
    const float* in_;
    int width_, height_, left_, top_, row_;
};

template <loading HOW>
__device__ void load_strip(strip& cells, int2 filter) {
    const int lane = threadIdx.x, own = filter.y / 2, halo = filter.x / 2;
    if constexpr (HOW == loading::swept) {
        for (int line = 0; line < filter.y; line++)
            for (int column = lane; column < cells.row(); column += WARP)
                cells.load(column, line);
    } else if constexpr (HOW == loading::rows) {
        int column = lane, line = 0;  // no division: a row is at least as long as the step
        while (line < filter.y) {
            cells.load(column, line);
            column += WARP;
            if (column >= cells.row()) column -= cells.row(), line++;
        }
    } else {
        constexpr bool AT_EDGES = HOW == loading::edge_threads;
        cells.load(halo + lane, own);
        if (AT_EDGES || lane == 0) {
            const int from = AT_EDGES ? halo + lane : 0, to = AT_EDGES ? from + 1 : cells.row();
            for (int line = 0; line < filter.y; line++)
                for (int column = from; line != own && column < to; column++)
                    cells.load(column, line);
        }
        for (int column = 0; column < halo; column++) {
            if (lane == 0) cells.load(column, own);
            if (lane == (AT_EDGES ? WARP - 1 : 0)) cells.load(halo + WARP + column, own);
            for (int line = 0; AT_EDGES && lane == 0 && line < filter.y; line++) {
                if (line == own) continue;
                cells.load(column, line);
                cells.load(halo + WARP + column, line);
            }
        }
    }
}

template <loading HOW, int FILTER_WIDTH = 0>
__global__ void __launch_bounds__(WARP)
    conv2d_shared_kernel(float* out, const float* in, int width, int height, int2 filter) {
    extern __shared__ float s_cells[];
    if (FILTER_WIDTH > 0) filter.x = FILTER_WIDTH;
    const int blocks_in_row = (width + WARP - 1) / WARP;  // in one line: there may be many rows
    const int left = blockIdx.x % blocks_in_row * WARP, x = left + threadIdx.x,
              y = blockIdx.x / blocks_in_row;
    float sum = 0.0f;
    if constexpr (HOW == loading::no_tile) {
        if (x >= width) return;
        const int first_row = max(0, filter.y / 2 - y), last_row = min(filter.y, height - y + filter.y / 2);
        const int first = max(0, filter.x / 2 - x), last = min(filter.x, width - x + filter.x / 2);
        for (int i = first_row; i < last_row; i++)
            for (int j = first; j < last; j++)
                sum += c_filter[i * filter.x + j] * in[(y + i - filter.y / 2) * width + x + j - filter.x / 2];
    } else {
        strip cells(s_cells, in, width, height, left, y, filter);
        load_strip<HOW>(cells, filter);
        __syncwarp();  // the sums read the cells of other lanes
        if (x >= width) return;
        for (int i = 0; i < filter.y; i++) {
#pragma unroll
            for (int j = 0; j < filter.x; j++)
                sum += s_cells[i * cells.row() + threadIdx.x + j] * c_filter[i * filter.x + j];
        }
    }
    out[y * width + x] = sum;
}

using kernel_pointer = decltype(&conv2d_shared_kernel<loading::swept>);

static void convolve(kernel_pointer kernel, std::span<float> out, std::span<const float> in,
                     std::span<const float> filter, int width, int height, int2 size) {
    set_filter(c_filter, filter);
    device_buffer<float> d_in(in), d_out(out.size());
    size_t bytes = sizeof(float) * (WARP + size.x - 1) * size.y;
    if (bytes > MAX_SHARED) kernel = conv2d_shared_kernel<loading::no_tile>;
    if (kernel == conv2d_shared_kernel<loading::no_tile>) bytes = 0;
    const int blocks = ceil_div(width, WARP) * height;
    timed_launch([&] { kernel<<<blocks, WARP, bytes>>>(d_out.data(), d_in.data(), width, height, size); });
    d_out.copy_to(out);
}

void conv2d_shared(std::span<float> out, std::span<const float> in, std::span<const float> filter, int width,
                   int height, int filter_width, int filter_height, loading how) {
    kernel_pointer kernel = conv2d_shared_kernel<loading::no_tile>;
    if (how == loading::one_thread) kernel = conv2d_shared_kernel<loading::one_thread>;
    if (how == loading::edge_threads) kernel = conv2d_shared_kernel<loading::edge_threads>;
    if (how == loading::swept) kernel = conv2d_shared_kernel<loading::swept>;
    if (how == loading::rows) kernel = conv2d_shared_kernel<loading::rows>;
    convolve(kernel, out, in, filter, width, height, make_int2(filter_width, filter_height));
}

void conv2d_shared_unrolled(std::span<float> out, std::span<const float> in, std::span<const float> filter,
                            int width, int height, int filter_width, int filter_height) {
    constexpr auto SWEPT = loading::swept;
    const kernel_pointer odd[] = {conv2d_shared_kernel<SWEPT, 3>, conv2d_shared_kernel<SWEPT, 5>,
                                  conv2d_shared_kernel<SWEPT, 7>, conv2d_shared_kernel<SWEPT, 9>,
                                  conv2d_shared_kernel<SWEPT, 11>};
    const bool known = filter_width >= 3 && filter_width <= 11;
    convolve(known ? odd[(filter_width - 3) / 2] : conv2d_shared_kernel<SWEPT>, out, in, filter, width,
             height, make_int2(filter_width, filter_height));
}
