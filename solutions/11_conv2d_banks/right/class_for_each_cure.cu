// Right: a class for each cure knows blocks and rows, warps load rows, and the loop over columns stands outside.
#include "conv2d_banks.h"

#include <stdexcept>
#include <string>

#include "lab/lab.h"

__constant__ float c_filter[12288];

struct dense16 {
    static constexpr int SIDE = 16;
    __host__ __device__ static int row(int pixels) { return pixels; }
};
struct gaps16 {
    static constexpr int SIDE = 16;
    __host__ __device__ static int row(int pixels) {
        int floats = 16;
        while (floats < pixels)
            floats += 32;
        return floats;
    }
};
struct dense32 {
    static constexpr int SIDE = 32;
    __host__ __device__ static int row(int pixels) { return pixels; }
};

template <class layout>
__global__ void __launch_bounds__(layout::SIDE* layout::SIDE)
    convolve(float* __restrict__ out, const float* __restrict__ in, int width, int height, int filter_width,
             int filter_height) {
    extern __shared__ float s_cells[];
    constexpr int SIDE = layout::SIDE;
    const int across = SIDE + filter_width - 1, down = SIDE + filter_height - 1, row = layout::row(across);
    const int me = threadIdx.y * SIDE + threadIdx.x;
    for (int j = me / 32; j < down; j += SIDE * SIDE / 32) {
        for (int i = me % 32; i < across; i += 32) {
            const int x = blockIdx.x * SIDE + i - filter_width / 2,
                      y = blockIdx.y * SIDE + j - filter_height / 2;
            s_cells[j * row + i] =
                x < 0 || y < 0 || x >= width || y >= height ? 0.0f : __ldg(&in[y * width + x]);
        }
    }
    __syncthreads();
    float sum = 0, sign = 1;
    for (int j = 0; j < filter_width; j++)
        for (int i = 0; i < filter_height; i++)
            sum += sign * c_filter[i * filter_width + j] * s_cells[(threadIdx.y + i) * row + threadIdx.x + j];
    const int x = blockIdx.x * SIDE + threadIdx.x, y = blockIdx.y * SIDE + threadIdx.y;
    if (x < width && y < height) out[y * width + x] = sum;
}

template <class layout>
static void run(std::span<float> out, std::span<const float> in, std::span<const float> filter, int width,
                int height, int filter_width, int filter_height) {
    constexpr int SIDE = layout::SIDE;
    const size_t bytes = size_t(layout::row(SIDE + filter_width - 1)) * (SIDE + filter_height - 1) * 4;
    if (bytes > 49152)
        throw std::invalid_argument(std::to_string(bytes) + " bytes of shared memory, limit 49152");
    set_filter(c_filter, filter);
    device_buffer<float> d_in(in), d_out(out.size());
    timed_launch([&] {
        convolve<layout>
            <<<dim3((width + SIDE - 1) / SIDE, (height + SIDE - 1) / SIDE), dim3(SIDE, SIDE), bytes>>>(
                d_out.data(), d_in.data(), width, height, filter_width, filter_height);
    });
    d_out.copy_to(out);
}

void conv2d_banks(std::span<float> out, std::span<const float> in, std::span<const float> filter, int width,
                  int height, int filter_width, int filter_height, cure how) {
    if (how == cure::none) run<dense16>(out, in, filter, width, height, filter_width, filter_height);
    if (how == cure::padding) run<gaps16>(out, in, filter, width, height, filter_width, filter_height);
    if (how == cure::wide_blocks) run<dense32>(out, in, filter, width, height, filter_width, filter_height);
}
