// Right: the tile is filled with zeros first; then only the part of the image that lies in it is copied.
#include "conv2d_banks.h"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "lab/lab.h"

constexpr int LIMIT = 49152;
__constant__ float c_filter[LIMIT / sizeof(float)];

struct images {
    float* out;
    const float* in;
    int width, height;
};

/// Positions from `first` up to `last` of one side of the tile: those that lie in the image.
struct range {
    int first, last;
    __device__ range(int start, int cells, int size)
        : first(max(0, -start)), last(min(cells, size - start)) {}
};

template <int SIDE>
__global__ void conv2d_banks_kernel(images a, int filter_width, int filter_height, int pitch) {
    extern __shared__ float s_tile[];
    const int columns = SIDE + filter_width - 1, rows = SIDE + filter_height - 1;
    for (int row = threadIdx.y; row < rows; row += SIDE)
        for (int column = threadIdx.x; column < columns; column += SIDE)
            s_tile[row * pitch + column] = 0.0f;
    __syncthreads();  // another thread may have cleared what this one stores next

    const int left = blockIdx.x * SIDE - filter_width / 2, top = blockIdx.y * SIDE - filter_height / 2;
    const range across(left, columns, a.width), down(top, rows, a.height);
    for (int row = down.first + threadIdx.y; row < down.last; row += SIDE) {
        const float* from = a.in + (top + row) * a.width;
        for (int column = across.first + threadIdx.x; column < across.last; column += SIDE)
            s_tile[row * pitch + column] = __ldg(from + left + column);
    }
    __syncthreads();  // the pixels are there

    const int x = blockIdx.x * SIDE + threadIdx.x, y = blockIdx.y * SIDE + threadIdx.y;
    if (!(x < a.width && y < a.height)) return;
    float sum = 0.0f;
    for (int i = 0; i < filter_height; i++) {
        float row_sum = 0.0f;
        for (int j = 0; j < filter_width; j++)
            row_sum += c_filter[i * filter_width + j] * s_tile[(threadIdx.y + i) * pitch + threadIdx.x + j];
        sum += row_sum;
    }
    a.out[y * a.width + x] = sum;
}

template <int SIDE>
static void convolve(std::span<float> out, std::span<const float> in, std::span<const float> filter,
                     int width, int height, int filter_width, int filter_height, bool gap) {
    int pitch = SIDE + filter_width - 1;
    while (gap && pitch % 32 != 16)
        pitch++;
    const long long bytes = 4LL * pitch * (SIDE + filter_height - 1);
    if (bytes > LIMIT)
        throw std::invalid_argument("conv2d_banks: " + std::to_string(bytes) +
                                    " bytes of shared memory, limit " + std::to_string(LIMIT));
    set_filter(c_filter, filter);
    device_buffer<float> d_in(in), d_out(out.size());
    const images both{d_out.data(), d_in.data(), width, height};
    timed_launch([&] {
        conv2d_banks_kernel<SIDE>
            <<<dim3(ceil_div(width, SIDE), ceil_div(height, SIDE)), dim3(SIDE, SIDE), bytes>>>(
                both, filter_width, filter_height, pitch);
    });
    d_out.copy_to(out);
}

void conv2d_banks(std::span<float> out, std::span<const float> in, std::span<const float> filter, int width,
                  int height, int filter_width, int filter_height, cure how) {
    if (how == cure::wide_blocks)
        convolve<32>(out, in, filter, width, height, filter_width, filter_height, false);
    else
        convolve<16>(out, in, filter, width, height, filter_width, filter_height, how == cure::padding);
}
