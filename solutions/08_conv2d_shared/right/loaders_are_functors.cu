// Right: blocks of 64 x 8; each way of loading is a function object; a row of known width sums by recursion.
#include "conv2d_shared.h"

#include <utility>

#include "lab/lab.h"

constexpr int COLUMNS = 64, ROWS = 8;
constexpr size_t MAX_SHARED = 48 * 1024;
__constant__ float c_filter[64 * 1024 / sizeof(float)];

struct task {
    float* out;
    const float* in;
    int width, height, filter_width, filter_height;

    __host__ __device__ int tile_width() const { return COLUMNS + filter_width - 1; }
    __host__ __device__ int tile_height() const { return ROWS + filter_height - 1; }
    __device__ bool has(int x, int y) const {
        return unsigned(x) < unsigned(width) && unsigned(y) < unsigned(height);
    }

    __device__ void fetch(float* cells, int column, int row) const {
        const int x = blockIdx.x * COLUMNS - filter_width / 2 + column;
        const int y = blockIdx.y * ROWS - filter_height / 2 + row;
        cells[row * tile_width() + column] = has(x, y) ? in[y * width + x] : 0.0f;
    }
};

struct by_one_thread {
    __device__ void operator()(const task& t, float* cells) const {
        const int left = t.filter_width / 2, top = t.filter_height / 2;
        t.fetch(cells, left + threadIdx.x, top + threadIdx.y);
        if (threadIdx.x + threadIdx.y > 0) return;
        for (int row = 0; row < t.tile_height(); row++)
            for (int column = 0; column < t.tile_width(); column++)
                if (unsigned(row - top) >= ROWS || unsigned(column - left) >= COLUMNS)
                    t.fetch(cells, column, row);
    }
};

struct by_edges {
    __device__ void operator()(const task& t, float* cells) const {
        const int left = t.filter_width / 2, top = t.filter_height / 2;
        const int column = left + threadIdx.x, row = top + threadIdx.y, right = left + COLUMNS,
                  below = top + ROWS;
        t.fetch(cells, column, row);
        for (int k = 0; k < left; k++) {
            if (column == left) t.fetch(cells, k, row);
            if (column == right - 1) t.fetch(cells, right + k, row);
        }
        for (int k = 0; k < top; k++) {
            if (row == top) t.fetch(cells, column, k);
            if (row == below - 1) t.fetch(cells, column, below + k);
        }
        if (column != left || row != top) return;
        for (int k = 0; k < left * top; k++) {
            const int j = k % left, i = k / left;
            t.fetch(cells, j, i), t.fetch(cells, right + j, i);
            t.fetch(cells, j, below + i), t.fetch(cells, right + j, below + i);
        }
    }
};

struct by_sweep {
    __device__ void operator()(const task& t, float* cells) const {
        for (int row = threadIdx.y; row < t.tile_height(); row += ROWS)
            for (int column = threadIdx.x; column < t.tile_width(); column += COLUMNS)
                t.fetch(cells, column, row);
    }
};

struct by_rows {
    __device__ void operator()(const task& t, float* cells) const {
        for (int k = threadIdx.y * COLUMNS + threadIdx.x; k < t.tile_width() * t.tile_height();
             k += ROWS * COLUMNS)
            t.fetch(cells, k % t.tile_width(), k / t.tile_width());
    }
};

template <int WIDTH>
__device__ float row_of(const float* cell, const float* tap, int) {
    if constexpr (WIDTH == 1)
        return cell[0] * tap[0];
    else
        return cell[0] * tap[0] + row_of<WIDTH - 1>(cell + 1, tap + 1, 0);
}

template <>
__device__ float row_of<0>(const float* cell, const float* tap, int width) {
    float sum = 0.0f;
    for (const float* end = tap + width; tap != end; sum += *cell++ * *tap++) {
    }
    return sum;
}

template <class loader, int WIDTH>
__global__ void conv2d_shared_kernel(task t) {
    extern __shared__ float s_tile[];
    if constexpr (WIDTH > 0) t.filter_width = WIDTH;
    loader()(t, s_tile);
    __syncthreads();  // the sums read what others have loaded
    const int x = blockIdx.x * COLUMNS + threadIdx.x, y = blockIdx.y * ROWS + threadIdx.y;
    if (!t.has(x, y)) return;
    const float* cell = s_tile + threadIdx.y * t.tile_width() + threadIdx.x;
    float sum = 0.0f;
    for (int i = 0; i < t.filter_height; i++, cell += t.tile_width())
        sum += row_of<WIDTH>(cell, c_filter + i * t.filter_width, t.filter_width);
    t.out[y * t.width + x] = sum;
}

__global__ void conv2d_plain_kernel(task t) {
    const int x = blockIdx.x * COLUMNS + threadIdx.x, y = blockIdx.y * ROWS + threadIdx.y;
    if (!t.has(x, y)) return;
    float sum = 0.0f;
    for (int k = 0; k < t.filter_width * t.filter_height; k++) {
        const int column = x + k % t.filter_width - t.filter_width / 2;
        const int row = y + k / t.filter_width - t.filter_height / 2;
        if (t.has(column, row)) sum += t.in[row * t.width + column] * c_filter[k];
    }
    t.out[y * t.width + x] = sum;
}

using kernel = void (*)(task);

template <int... WIDTH>
static kernel of_width(int wanted, std::integer_sequence<int, WIDTH...>) {
    kernel found = conv2d_shared_kernel<by_sweep, 0>;
    ((wanted == WIDTH ? void(found = conv2d_shared_kernel<by_sweep, WIDTH>) : void()), ...);
    return found;
}

static void launch(kernel chosen, std::span<float> out, std::span<const float> in,
                   std::span<const float> filter, int width, int height, int filter_width,
                   int filter_height) {
    set_filter(c_filter, filter);
    device_buffer<float> d_in(in), d_out(out.size());
    const task t{d_out.data(), d_in.data(), width, height, filter_width, filter_height};
    const size_t bytes = sizeof(float) * t.tile_width() * t.tile_height();
    const bool plain = chosen == conv2d_plain_kernel || bytes > MAX_SHARED;
    const dim3 grid(ceil_div(width, COLUMNS), ceil_div(height, ROWS)), block(COLUMNS, ROWS);
    timed_launch([&] {
        if (plain)
            conv2d_plain_kernel<<<grid, block>>>(t);
        else
            chosen<<<grid, block, bytes>>>(t);
    });
    d_out.copy_to(out);
}

void conv2d_shared(std::span<float> out, std::span<const float> in, std::span<const float> filter, int width,
                   int height, int filter_width, int filter_height, loading how) {
    const kernel kernels[] = {conv2d_shared_kernel<by_one_thread, 0>, conv2d_shared_kernel<by_edges, 0>,
                              conv2d_shared_kernel<by_sweep, 0>, conv2d_shared_kernel<by_rows, 0>,
                              conv2d_plain_kernel};
    launch(kernels[int(how)], out, in, filter, width, height, filter_width, filter_height);
}

void conv2d_shared_unrolled(std::span<float> out, std::span<const float> in, std::span<const float> filter,
                            int width, int height, int filter_width, int filter_height) {
    const kernel chosen = of_width(filter_width, std::integer_sequence<int, 3, 5, 7, 9, 11>());
    launch(chosen, out, in, filter, width, height, filter_width, filter_height);
}
