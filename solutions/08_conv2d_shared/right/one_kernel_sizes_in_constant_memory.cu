// Right: one kernel that asks at run time how to load, whose sizes stand in constant memory, with blocks of 16 x 16.
#include "conv2d_shared.h"

#include <stdexcept>
#include <string>

#include "lab/lab.h"

__constant__ unsigned short c_sizes[2];  // of the filter: the word that the longest one leaves
__constant__ float c_filter[16384 - 1];

constexpr int SIDE = 16;

struct source {
    const float* in;
    int width, height, left, top;
    __device__ float at(int column, int row) const {
        const unsigned x = left + column, y = top + row;
        return x < unsigned(width) && y < unsigned(height) ? in[y * width + x] : 0.0f;
    }
};

template <int WIDTH>
__device__ void convolve_tile(float* out, const source& from, float* tile, int filter_width_at_run_time,
                              int filter_height, int how) {
    const int filter_width = WIDTH ? WIDTH : filter_width_at_run_time;
    const int row_length = SIDE + filter_width - 1, rows = SIDE + filter_height - 1;
    const int hx = filter_width / 2, hy = filter_height / 2;
    const int tx = threadIdx.x, ty = threadIdx.y;
    const auto load = [&](int column, int row) { tile[row * row_length + column] = from.at(column, row); };
    switch (how) {
        case 0:
            load(hx + tx, hy + ty);
            if (tx + ty == 0)
                for (int row = 0; row < rows; row++)
                    for (int column = 0; column < row_length; column++)
                        if (row < hy || row >= hy + SIDE || column < hx || column >= hx + SIDE)
                            load(column, row);
            break;
        case 1:
            load(hx + tx, hy + ty);
            if (tx == 0)
                for (int k = 0; k < hx; k++)
                    load(k, hy + ty);
            if (tx == SIDE - 1)
                for (int k = 0; k < hx; k++)
                    load(hx + SIDE + k, hy + ty);
            if (ty == 0)
                for (int k = 0; k < hy; k++)
                    load(hx + tx, k);
            if (ty == SIDE - 1)
                for (int k = 0; k < hy; k++)
                    load(hx + tx, hy + SIDE + k);
            if (tx + ty == 0)
                for (int row = 0; row < rows; row = row == hy - 1 ? hy + SIDE : row + 1)
                    for (int column = 0; column < row_length;
                         column = column == hx - 1 ? hx + SIDE : column + 1)
                        if ((row < hy || row >= hy + SIDE) && (column < hx || column >= hx + SIDE))
                            load(column, row);
            break;
        case 2:
            for (int row = ty; row < rows; row += SIDE)
                for (int column = tx; column < row_length; column += SIDE)
                    load(column, row);
            break;
        default:
            for (int k = ty * SIDE + tx; k < rows * row_length; k += SIDE * SIDE)
                load(k % row_length, k / row_length);
    }
    __syncthreads();
    const int x = from.left + hx + tx, y = from.top + hy + ty;
    if (x >= from.width || y >= from.height) return;
    float sum = 0;
    for (int i = 0; i < filter_height; i++)
#pragma unroll
        for (int j = 0; j < filter_width; j++)
            sum += tile[(ty + i) * row_length + tx + j] * c_filter[i * filter_width + j];
    out[y * from.width + x] = sum;
}

template <int WIDTH>
__global__ void shared_kernel(float* out, const float* in, int width, int height, int how) {
    extern __shared__ float s_tile[];
    const int filter_width = WIDTH ? WIDTH : c_sizes[0], filter_height = c_sizes[1];
    const source from{in, width, height, int(blockIdx.x) * SIDE - filter_width / 2,
                      int(blockIdx.y) * SIDE - filter_height / 2};
    convolve_tile<WIDTH>(out, from, s_tile, filter_width, filter_height, how);
}

__global__ void plain_kernel(float* out, const float* in, int width, int height, int) {
    const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    if (x >= width || y >= height) return;
    const int filter_width = c_sizes[0], filter_height = c_sizes[1];
    float sum = 0;
    for (int i = 0; i < filter_height; i++) {
        const int row = y + i - filter_height / 2;
        if (row < 0 || row >= height) continue;
        for (int j = 0; j < filter_width; j++) {
            const int column = x + j - filter_width / 2;
            if (column >= 0 && column < width)
                sum += in[row * width + column] * c_filter[i * filter_width + j];
        }
    }
    out[y * width + x] = sum;
}

using kernel = void (*)(float*, const float*, int, int, int);

static void convolve(std::span<float> out, std::span<const float> in, std::span<const float> filter,
                     int width, int height, int filter_width, int filter_height, int how, kernel wanted) {
    expect_room_for(filter.size(), 16384);
    device_buffer<float> d_in(in), d_out(out.size());
    const size_t bytes = size_t(SIDE + filter_width - 1) * (SIDE + filter_height - 1) * sizeof(float);
    const bool plain = how == 4 || bytes > 49152;
    const unsigned short sizes[2] = {(unsigned short)filter_width, (unsigned short)filter_height};
    CUDA_CHECK(cudaMemcpyToSymbol(c_sizes, sizes, sizeof sizes));
    CUDA_CHECK(cudaMemcpyToSymbol(c_filter, filter.data(), filter.size_bytes()));
    timed_launch([&] {
        if (plain)
            plain_kernel<<<dim3(ceil_div(width, 32), ceil_div(height, 8)), dim3(32, 8)>>>(
                d_out.data(), d_in.data(), width, height, how);
        else
            wanted<<<dim3(ceil_div(width, SIDE), ceil_div(height, SIDE)), dim3(SIDE, SIDE), bytes>>>(
                d_out.data(), d_in.data(), width, height, how);
    });
    d_out.copy_to(out);
}

void conv2d_shared(std::span<float> out, std::span<const float> in, std::span<const float> filter, int width,
                   int height, int filter_width, int filter_height, loading how) {
    const int number = int(how);
    if (number < 0 || number > 4) throw std::invalid_argument("loading " + std::to_string(number));
    convolve(out, in, filter, width, height, filter_width, filter_height, number, shared_kernel<0>);
}

void conv2d_shared_unrolled(std::span<float> out, std::span<const float> in, std::span<const float> filter,
                            int width, int height, int filter_width, int filter_height) {
    const kernel kernels[] = {shared_kernel<3>, shared_kernel<5>, shared_kernel<7>, shared_kernel<9>,
                              shared_kernel<11>};
    const bool own = filter_width >= 3 && filter_width <= 11;
    convolve(out, in, filter, width, height, filter_width, filter_height, 2,
             own ? kernels[filter_width / 2 - 1] : shared_kernel<0>);
}
