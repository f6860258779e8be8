// Right: the sizes stand in constant memory in front of the taps, and a ghost cell is read from a variable that is 0.
#include "conv2d_tiling.h"

#include <stdexcept>
#include <string>

#include "lab/lab.h"

struct sizes {
    int width, height, filter_width, filter_height, pitch;
};
__constant__ sizes c_sizes;
__constant__ float c_filter[49152 / 4];

template <int WIDE, int HIGH, int OUTPUTS>
__global__ void __launch_bounds__(WIDE* HIGH) tiled(float* out, const float* in) {
    extern __shared__ float s_cells[];
    const unsigned tx = threadIdx.x, ty = threadIdx.y;
    const int left = blockIdx.x * (WIDE * OUTPUTS), top = blockIdx.y * HIGH;
    const float nothing = 0;
    for (int row = ty; row < HIGH + c_sizes.filter_height - 1; row += HIGH) {
        for (int column = tx; column < WIDE * OUTPUTS + c_sizes.filter_width - 1; column += WIDE) {
            const int x = left + column - c_sizes.filter_width / 2, y = top + row - c_sizes.filter_height / 2;
            const float* from = &nothing;
            if (x >= 0 && y >= 0 && x < c_sizes.width && y < c_sizes.height)
                from = in + y * c_sizes.width + x;
            s_cells[row * c_sizes.pitch + column] = *from;
        }
    }
    __syncthreads();
    float sums[OUTPUTS] = {};
    for (int i = 0; i < c_sizes.filter_height; i++) {
        for (int j = 0; j < c_sizes.filter_width; j++) {
            const float tap = c_filter[i * c_sizes.filter_width + j];
            for (int k = 0; k < OUTPUTS; k++)
                sums[k] += tap * s_cells[(ty + i) * c_sizes.pitch + tx + j + k * WIDE];
        }
    }
    for (int k = 0; k < OUTPUTS; k++) {
        const int x = left + tx + k * WIDE, y = top + ty;
        if (x < c_sizes.width && y < c_sizes.height) out[y * c_sizes.width + x] = sums[k];
    }
}

void conv2d_tiling(std::span<float> out, std::span<const float> in, std::span<const float> filter, int width,
                   int height, int filter_width, int filter_height, int block_width, int block_height,
                   int factor, int padding) {
    void (*kernel)(float*, const float*) = nullptr;
    const int shape = block_width == 16 && block_height == 16   ? 0
                      : block_width == 32 && block_height == 16 ? 1
                      : block_width == 32 && block_height == 32 ? 2
                                                                : -1;
    if (shape < 0)
        throw std::invalid_argument("no block of " + std::to_string(block_width) + " by " +
                                    std::to_string(block_height));
    if (factor == 1)
        kernel = shape == 0 ? tiled<16, 16, 1> : shape == 1 ? tiled<32, 16, 1> : tiled<32, 32, 1>;
    if (factor == 2)
        kernel = shape == 0 ? tiled<16, 16, 2> : shape == 1 ? tiled<32, 16, 2> : tiled<32, 32, 2>;
    if (factor == 4)
        kernel = shape == 0 ? tiled<16, 16, 4> : shape == 1 ? tiled<32, 16, 4> : tiled<32, 32, 4>;
    if (!kernel) throw std::invalid_argument("no factor " + std::to_string(factor));
    const int pitch = block_width * factor + filter_width - 1 + padding;
    const size_t bytes = size_t(pitch) * (block_height + filter_height - 1) * sizeof(float);
    if (bytes > 49152) throw std::invalid_argument(std::to_string(bytes) + " bytes, of 49152");
    const sizes all{width, height, filter_width, filter_height, pitch};
    CUDA_CHECK(cudaMemcpyToSymbol(c_sizes, &all, sizeof all));
    CUDA_CHECK(cudaMemcpyToSymbol(c_filter, filter.data(), filter.size_bytes()));
    device_buffer<float> d_in(in), d_out(out.size());
    const dim3 grid(ceil_div(width, block_width * factor), ceil_div(height, block_height));
    timed_launch(
        [&] { kernel<<<grid, dim3(block_width, block_height), bytes>>>(d_out.data(), d_in.data()); });
    d_out.copy_to(out);
}
