// Right: pixels go to the tile by asynchronous copies, without a register between; ghost cells are stored.
#include "conv2d_banks.h"

#include <cuda_pipeline.h>

#include <stdexcept>
#include <string>

#include "lab/lab.h"

constexpr unsigned MAX_SHARED = 49152;
__constant__ float c_filter[MAX_SHARED / sizeof(float)];

struct shape {
    unsigned side, pitch,
        rows;  // threads in a row of the block; the tile's rows, and how far apart they start

    shape(int filter_width, int filter_height, cure how) : side(how == cure::wide_blocks ? 32 : 16) {
        pitch = side + unsigned(filter_width) - 1;
        if (how == cure::padding) pitch += (16u - pitch) % 32u;  // unsigned: 2^32 is a multiple of 32
        rows = side + unsigned(filter_height) - 1;
        if (bytes() > MAX_SHARED)
            throw std::invalid_argument("a block needs " + std::to_string(bytes()) +
                                        " bytes of shared memory and gets " + std::to_string(MAX_SHARED));
    }
    size_t bytes() const { return size_t(pitch) * rows * sizeof(float); }
};

__global__ void conv2d_banks_kernel(float* __restrict__ out, const float* __restrict__ in, int width,
                                    int height, int filter_width, int filter_height, int pitch) {
    extern __shared__ float s_tile[];
    const int side = blockDim.x, tx = threadIdx.x, ty = threadIdx.y;
    const int left = blockIdx.x * side - filter_width / 2, top = blockIdx.y * side - filter_height / 2;
    for (int row = ty; row < side + filter_height - 1; row += side) {
        for (int column = tx; column < side + filter_width - 1; column += side) {
            const int x = left + column, y = top + row;
            float* const cell = s_tile + row * pitch + column;
            if (x < 0 || x >= width || y < 0 || y >= height)
                *cell = 0.0f;
            else
                __pipeline_memcpy_async(cell, in + y * width + x, sizeof *cell);
        }
    }
    __pipeline_commit();
    __pipeline_wait_prior(0);  // for what this thread has asked for
    __syncthreads();           // and for what the others have

    const int x = blockIdx.x * side + tx, y = blockIdx.y * side + ty;
    if (x >= width || y >= height) return;
    float sum = 0.0f;
    const float* tap = c_filter;
    for (int i = 0; i < filter_height; i++) {
        const float* cell = s_tile + (ty + i) * pitch + tx;
        const float* const end = cell + filter_width;
        while (cell != end)
            sum += *cell++ * *tap++;
    }
    out[y * width + x] = sum;
}

void conv2d_banks(std::span<float> out, std::span<const float> in, std::span<const float> filter, int width,
                  int height, int filter_width, int filter_height, cure how) {
    const shape tile(filter_width, filter_height, how);
    set_filter(c_filter, filter);
    device_buffer<float> d_in(in), d_out(out.size());
    const int side = tile.side;
    const dim3 block(side, side), grid(ceil_div(width, side), ceil_div(height, side));
    timed_launch([&] {
        conv2d_banks_kernel<<<grid, block, tile.bytes()>>>(d_out.data(), d_in.data(), width, height,
                                                           filter_width, filter_height, tile.pitch);
    });
    d_out.copy_to(out);
}
