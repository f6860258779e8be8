// Right: rows of the filter are padded to whole float4 in constant memory; a switch falls through the rest.
#include "conv2d_banks.h"

#include <stdexcept>
#include <string>
#include <vector>

#include "lab/lab.h"

constexpr size_t MAX_SHARED = 48 * 1024;
// Rows of whole quads are still shorter than the rows of the tile, which have 15 or 31 cells more than taps.
__constant__ float4 c_quads[MAX_SHARED / sizeof(float4)];

struct layout {
    int threads, pitch, tile_width, tile_height;  // the block is threads x threads
    size_t bytes() const { return sizeof(float) * pitch * tile_height; }
};

static layout layout_for(int filter_width, int filter_height, cure how) {
    layout l = {};
    switch (how) {
        case cure::wide_blocks:
            l.threads = 16;
            [[fallthrough]];
        default:
            l.threads += 16;
    }
    l.tile_width = l.pitch = l.threads + filter_width - 1;
    l.tile_height = l.threads + filter_height - 1;
    if (how == cure::padding) l.pitch = (l.tile_width + 15) / 32 * 32 + 16;
    return l;
}

__device__ float pixel(const float* in, int x, int y, int width, int height) {
    return x < 0 || x >= width || y < 0 || y >= height ? 0.0f : in[y * width + x];
}

__global__ void conv2d_banks_kernel(float* out, const float* in, int width, int height, int filter_width,
                                    int filter_height, layout tile) {
    extern __shared__ float s_tile[];
    const int n = tile.threads, tx = threadIdx.x, ty = threadIdx.y;
    const int left = blockIdx.x * n - filter_width / 2, top = blockIdx.y * n - filter_height / 2;
    for (int row = ty; row < tile.tile_height; row += n)
        for (int column = tx; column < tile.tile_width; column += n)
            s_tile[row * tile.pitch + column] = pixel(in, left + column, top + row, width, height);
    __syncthreads();  // no sum before the last cell

    const int x = blockIdx.x * n + tx, y = blockIdx.y * n + ty;
    if (x >= width || y >= height) return;
    const float4* quad = c_quads;
    float sum = 0.0f;
    for (int i = 0; i < filter_height; i++) {
        const float* cell = &s_tile[(ty + i) * tile.pitch + tx];
        for (int left_over = filter_width; left_over > 0; left_over -= 4, cell += 4, quad++) {
            const float4 taps = *quad;
            switch (left_over) {
                default:  // four or more
                    sum += taps.w * cell[3];
                    [[fallthrough]];
                case 3:
                    sum += taps.z * cell[2];
                    [[fallthrough]];
                case 2:
                    sum += taps.y * cell[1];
                    [[fallthrough]];
                case 1:
                    sum += taps.x * cell[0];
            }
        }
    }
    out[y * width + x] = sum;
}

void conv2d_banks(std::span<float> out, std::span<const float> in, std::span<const float> filter, int width,
                  int height, int filter_width, int filter_height, cure how) {
    const layout tile = layout_for(filter_width, filter_height, how);
    if (tile.bytes() > MAX_SHARED)
        throw std::invalid_argument("the tile takes " + std::to_string(tile.bytes()) + " of " +
                                    std::to_string(MAX_SHARED) + " bytes");
    const int quads = ceil_div(filter_width, 4);
    std::vector<float4> padded(size_t(quads) * filter_height, float4{});
    for (size_t k = 0; k < filter.size(); k++) {
        const size_t i = k / filter_width, j = k % filter_width;
        (&padded[i * quads + j / 4].x)[j % 4] = filter[k];
    }
    CUDA_CHECK(cudaMemcpyToSymbol(c_quads, padded.data(), padded.size() * sizeof(float4)));
    device_buffer<float> d_in(in), d_out(out.size());
    const dim3 block(tile.threads, tile.threads);
    const dim3 grid(ceil_div(width, tile.threads), ceil_div(height, tile.threads));
    timed_launch([&] {
        conv2d_banks_kernel<<<grid, block, tile.bytes()>>>(d_out.data(), d_in.data(), width, height,
                                                           filter_width, filter_height, tile);
    });
    d_out.copy_to(out);
}
