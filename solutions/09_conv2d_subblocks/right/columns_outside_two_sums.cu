// Right: a warp loads whole rows of the tile; the loop over columns is outside, even and odd ones have own sums.
#include "conv2d_subblocks.h"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "lab/lab.h"

__constant__ float c_filter[16384];

__global__ void convolve(float* out, const float* in, int2 image, int2 filter) {
    extern __shared__ float s_cells[];
    const int2 tile = make_int2(31 + filter.x, 31 + filter.y);
    const int2 first = make_int2(blockIdx.x * 32 - filter.x / 2, blockIdx.y * 32 - filter.y / 2);
    const int threads = blockDim.x * blockDim.y, me = threadIdx.y * blockDim.x + threadIdx.x;
    const int warp = me / 32, lane = me % 32, warps = threads / 32;
    if (warp < warps)
        for (int row = warp; row < tile.y; row += warps)
            for (int column = lane; column < tile.x; column += 32) {
                const int2 at = make_int2(first.x + column, first.y + row);
                float value = 0;
                if (unsigned(at.x) < unsigned(image.x) && unsigned(at.y) < unsigned(image.y))
                    value = in[at.y * image.x + at.x];
                s_cells[row * tile.x + column] = value;
            }
    __syncthreads();
    const int x = blockIdx.x * 32 + lane;
    if (warp >= warps || x >= image.x) return;
    for (int row = warp; row < 32; row += warps) {
        const int y = blockIdx.y * 32 + row;
        if (y >= image.y) break;
        float even = 0, odd = 0;
        for (int j = 0; j < filter.x; j++) {
            float& sum = j % 2 ? odd : even;
            for (int i = 0; i < filter.y; i++)
                sum += c_filter[i * filter.x + j] * s_cells[(row + i) * tile.x + lane + j];
        }
        out[y * image.x + x] = even + odd;
    }
}

void conv2d_subblocks(std::span<float> out, std::span<const float> in, std::span<const float> filter,
                      int width, int height, int filter_width, int filter_height) {
    expect_room_for(filter.size(), 16384);
    const int across = 31 + filter_width, down = 31 + filter_height;
    if (across > 1024) throw std::invalid_argument("a tile " + std::to_string(across) + " wide, of 1024");
    int device, most;
    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
    const int bytes = across * down * 4;
    if (bytes > most)
        throw std::invalid_argument("a tile of " + std::to_string(bytes) + " bytes, of " +
                                    std::to_string(most));
    CUDA_CHECK(
        cudaFuncSetAttribute((const void*)convolve, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    set_filter(c_filter, filter);
    device_buffer<float> d_in(in), d_out(out.size());
    const dim3 grid(ceil_div(width, 32), ceil_div(height, 32)), block(32, 8);
    timed_launch([&] {
        convolve<<<grid, block, bytes>>>(d_out.data(), d_in.data(), make_int2(width, height),
                                         make_int2(filter_width, filter_height));
    });
    d_out.copy_to(out);
}
