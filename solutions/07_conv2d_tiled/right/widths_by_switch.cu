// Right: a switch chooses a kernel for each common filter width; a class owns the tile, a row of taps is
// unrolled.
#include "conv2d_tiled.h"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "lab/lab.h"

namespace {

constexpr int MAX_SIDE = 32;
constexpr size_t MAX_FLOATS = 12288;  // 48 KB
__constant__ float c_filter[MAX_FLOATS];

struct job {
    float* out;
    const float* in;
    int out_row, in_row;  // floats
    int width, height, channels;
    int filter_width, filter_height, tile;
};

template <int WIDTH>
class input_tile {
public:
    __device__ input_tile(float* cells, const job& todo)
        : cells_(cells),
          todo_(todo),
          row_(todo.tile + filter_width() - 1),
          rows_(todo.tile + todo.filter_height - 1) {}

    __device__ void load(int left, int top, int channel) {
        for_each(row_, rows_, [&](int tx, int ty) {
            const int x = left + tx - filter_width() / 2, y = top + ty - todo_.filter_height / 2;
            const bool ghost = x < 0 || y < 0 || x >= todo_.width || y >= todo_.height;
            cells_[ty * row_ + tx] = ghost ? 0.0f : todo_.in[y * todo_.in_row + x * todo_.channels + channel];
        });
    }
    __device__ float sum(int tx, int ty) const {
        const float* cell = cells_ + ty * row_ + tx;
        float sum = 0.0f;
        for (int i = 0; i < todo_.filter_height; i++, cell += row_) {
#pragma unroll
            for (int j = 0; j < filter_width(); j++)
                sum = fmaf(cell[j], c_filter[i * filter_width() + j], sum);
        }
        return sum;
    }
    template <class function>
    static __device__ void for_each(int columns, int rows, const function& work) {
        for (int ty = threadIdx.y; ty < rows; ty += blockDim.y)
            for (int tx = threadIdx.x; tx < columns; tx += blockDim.x)
                work(tx, ty);
    }

private:
    __device__ int filter_width() const {
        return WIDTH ? WIDTH : todo_.filter_width;
    }

    float* cells_;
    const job& todo_;
    int row_, rows_;
};

template <int WIDTH>
__global__ void conv2d_tiled_kernel(const job todo) {
    extern __shared__ float s_cells[];
    input_tile<WIDTH> cells(s_cells, todo);
    const int left = blockIdx.x * todo.tile, top = blockIdx.y * todo.tile, channel = blockIdx.z;
    cells.load(left, top, channel);
    __syncthreads();  // all cells are there
    cells.for_each(min(todo.tile, todo.width - left), min(todo.tile, todo.height - top), [&](int tx, int ty) {
        todo.out[(top + ty) * todo.out_row + (left + tx) * todo.channels + channel] = cells.sum(tx, ty);
    });
}

auto kernel_for(int filter_width) {
#define WIDTH(w) \
    case w:      \
        return conv2d_tiled_kernel<w>
    switch (filter_width) {
        WIDTH(1);
        WIDTH(3);
        WIDTH(5);
        WIDTH(7);
        WIDTH(9);
        default:
            return conv2d_tiled_kernel<0>;
    }
}

}  // namespace

void conv2d_tiled(std::span<float> out, std::span<const float> in, std::span<const float> filter, int width,
                  int height, int channels, int filter_width, int filter_height, int tile) {
    if (tile <= 0) throw std::invalid_argument("tile: " + std::to_string(tile) + ", at least 1 is needed");
    const auto input_width = filter_width - 1ull + tile, input_height = filter_height - 1ull + tile;
    if (const auto bytes = input_width * input_height * sizeof(float); bytes > sizeof(float) * MAX_FLOATS) {
        throw std::invalid_argument("shared memory: " + std::to_string(bytes) +
                                    " bytes needed, 49152 available");
    }
    set_filter(c_filter, filter);
    pitched_image<float> d_in(in, width * channels, height), d_out(width * channels, height);
    const job todo{d_out.data(), d_in.data(), d_out.pitch_elements(), d_in.pitch_elements(), width,
                   height,       channels,    filter_width,           filter_height,         tile};
    const dim3 block(std::min<int>(input_width, MAX_SIDE), std::min<int>(input_height, MAX_SIDE));
    const dim3 grid(ceil_div(width, tile), ceil_div(height, tile), channels);
    const auto kernel = kernel_for(filter_width);
    timed_launch([&] { kernel<<<grid, block, input_width * input_height * sizeof(float)>>>(todo); });
    d_out.copy_to(out);
}
