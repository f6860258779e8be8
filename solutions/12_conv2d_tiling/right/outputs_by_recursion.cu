// Right: a thread's outputs are a recursive type, one sum and the outputs to its right; no array, no loop.
#include "conv2d_tiling.h"

#include <stdexcept>
#include <string>

#include "lab/lab.h"

constexpr size_t LIMIT = 49152;
__constant__ float c_filter[LIMIT / sizeof(float)];

/// COUNT outputs, APART columns from one to the next.
template <int COUNT, int APART>
struct outputs {
    float sum = 0.0f;
    outputs<COUNT - 1, APART> others;

    __device__ void add(float tap, const float* cell) {
        sum += tap * *cell;
        others.add(tap, cell + APART);
    }
    __device__ void store(float* row, int x, int width) const {
        if (x >= width) return;  // neither have the others a pixel
        row[x] = sum;
        others.store(row, x + APART, width);
    }
};

template <int APART>
struct outputs<0, APART> {
    __device__ void add(float, const float*) {}
    __device__ void store(float*, int, int) const {}
};

struct arguments {
    float* out;
    const float* in;
    int width, height, filter_width, filter_height, pitch;
};

template <int COLUMNS, int ROWS, int FACTOR>
__global__ void __launch_bounds__(COLUMNS* ROWS) conv2d_tiling_kernel(const arguments a) {
    extern __shared__ float s_tile[];
    const int left = blockIdx.x * COLUMNS * FACTOR, top = blockIdx.y * ROWS;
    const int cells = COLUMNS * FACTOR + a.filter_width - 1;
    // Columns outside: whether a column lies in the image is asked once.
    for (int column = threadIdx.x; column < cells; column += COLUMNS) {
        const int x = left + column - a.filter_width / 2;
        const bool column_exists = x >= 0 && x < a.width;
        for (int row = threadIdx.y; row < ROWS + a.filter_height - 1; row += ROWS) {
            const int y = top + row - a.filter_height / 2;
            s_tile[row * a.pitch + column] =
                column_exists && y >= 0 && y < a.height ? a.in[y * a.width + x] : 0.0f;
        }
    }
    __syncthreads();  // every cell is loaded

    outputs<FACTOR, COLUMNS> mine;
    const float* cell = s_tile + threadIdx.y * a.pitch + threadIdx.x;
    const float* tap = c_filter;
    for (int i = a.filter_height; i; --i) {
        for (int j = a.filter_width; j; --j)
            mine.add(*tap++, cell++);
        cell += a.pitch - a.filter_width;
    }
    const int y = top + threadIdx.y;
    if (y < a.height) mine.store(a.out + y * a.width, left + threadIdx.x, a.width);
}

/// Launches the kernel for FACTOR if that is what is wanted, or else asks for half of it.
template <int COLUMNS, int ROWS, int FACTOR = 4>
static void launch(int factor, dim3 grid, size_t bytes, const arguments& a) {
    if constexpr (FACTOR >= 1) {
        if (factor != FACTOR) return launch<COLUMNS, ROWS, FACTOR / 2>(factor, grid, bytes, a);
        conv2d_tiling_kernel<COLUMNS, ROWS, FACTOR><<<grid, dim3(COLUMNS, ROWS), bytes>>>(a);
    }
}

void conv2d_tiling(std::span<float> out, std::span<const float> in, std::span<const float> filter, int width,
                   int height, int filter_width, int filter_height, int block_width, int block_height,
                   int factor, int padding) {
    const auto refuse_if = [](bool refused, const std::string& why) {
        if (refused) throw std::invalid_argument("conv2d_tiling: " + why);
    };
    const int blocks = block_width * 100 + block_height;
    refuse_if(blocks != 1616 && blocks != 3216 && blocks != 3232,
              "no block of " + std::to_string(block_width) + " by " + std::to_string(block_height));
    refuse_if(factor != 1 && factor != 2 && factor != 4, "no factor of " + std::to_string(factor));
    const int pitch = block_width * factor + filter_width - 1 + padding;
    const size_t bytes = sizeof(float) * pitch * (block_height + filter_height - 1);
    refuse_if(bytes > LIMIT,
              std::to_string(bytes) + " bytes of shared memory, at most " + std::to_string(LIMIT));

    set_filter(c_filter, filter);
    device_buffer<float> d_in(in), d_out(out.size());
    const arguments a{d_out.data(), d_in.data(), width, height, filter_width, filter_height, pitch};
    const dim3 grid(ceil_div(width, block_width * factor), ceil_div(height, block_height));
    const auto run = blocks == 1616 ? launch<16, 16> : blocks == 3216 ? launch<32, 16> : launch<32, 32>;
    timed_launch([&] { run(factor, grid, bytes, a); });
    d_out.copy_to(out);
}
