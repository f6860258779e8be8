// Right: a warp holds 64 neighbouring cells of a row in registers; its lanes get their pixels by shuffles.
#include "conv2d_subblocks.h"

#include <stdexcept>
#include <string>

#include "lab/lab.h"

constexpr int WARP = 32, WARPS = 8, OUT_TILE = WARP;
constexpr unsigned ALL = 0xffffffffu;
__constant__ float c_filter[16384];

struct arguments {
    float* out;
    const float* in;
    int2 image, filter, tile;  // columns and rows
};

/// What a row of the tile adds to the sum of this lane, the whole warp together.
__device__ float add_row(float sum, const float* row, const float* taps, const arguments& a) {
    const int lane = threadIdx.x;
    float near = 0.0f, far = row[lane];
    for (int start = 0; start < a.filter.x; start += WARP) {
        const int next = start + WARP + lane;
        near = far;
        far = next < a.tile.x ? row[next] : 0.0f;
        const int count = min(WARP, a.filter.x - start);
        for (int j = 0; j < count; j++) {
            const int from = (lane + j) % WARP;
            const float first = __shfl_sync(ALL, near, from), second = __shfl_sync(ALL, far, from);
            sum += taps[start + j] * (lane + j < WARP ? first : second);
        }
    }
    return sum;
}

__global__ void conv2d_subblocks_kernel(arguments a) {
    extern __shared__ float s_tile[];
    const int left = blockIdx.x * OUT_TILE, top = blockIdx.y * OUT_TILE;
    const int lane = threadIdx.x, warp = threadIdx.y;
    for (int row = warp; row < a.tile.y; row += WARPS) {
        const int y = top + row - a.filter.y / 2;
        for (int column = lane; column < a.tile.x; column += WARP) {
            const int x = left + column - a.filter.x / 2;
            float pixel = 0.0f;
            if (x >= 0 && x < a.image.x && y >= 0 && y < a.image.y) pixel = a.in[y * a.image.x + x];
            s_tile[row * a.tile.x + column] = pixel;
        }
    }
    __syncthreads();  // warps read rows that other warps have loaded

    for (int row = warp; row < OUT_TILE && top + row < a.image.y;
         row += WARPS) {  // the same for a whole warp
        float sum = 0.0f;
        for (int i = 0; i < a.filter.y; i++)
            sum = add_row(sum, s_tile + (row + i) * a.tile.x, c_filter + i * a.filter.x, a);
        if (left + lane < a.image.x) a.out[(top + row) * a.image.x + left + lane] = sum;
    }
}

static void refuse_beyond(size_t limit, size_t value, const char* what) {
    if (value <= limit) return;
    throw std::invalid_argument(std::to_string(value) + " " + what + ", the limit is " +
                                std::to_string(limit));
}

void conv2d_subblocks(std::span<float> out, std::span<const float> in, std::span<const float> filter,
                      int width, int height, int filter_width, int filter_height) {
    refuse_beyond(16384, filter.size(), "taps");
    const int2 tile = make_int2(OUT_TILE + filter_width - 1, OUT_TILE + filter_height - 1);
    refuse_beyond(1024, tile.x, "columns of the tile");
    int device, limit;
    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(cudaDeviceGetAttribute(&limit, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
    const size_t bytes = size_t(tile.x) * tile.y * sizeof(float);
    refuse_beyond(limit, bytes, "bytes of shared memory");
    if (bytes > 48 * 1024)
        CUDA_CHECK(cudaFuncSetAttribute(conv2d_subblocks_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                        limit));

    set_filter(c_filter, filter);
    device_buffer<float> d_in(in), d_out(out.size());
    const arguments a{d_out.data(), d_in.data(), {width, height}, {filter_width, filter_height}, tile};
    const dim3 block(WARP, WARPS), grid(ceil_div(width, OUT_TILE), ceil_div(height, OUT_TILE));
    timed_launch([&] { conv2d_subblocks_kernel<<<grid, block, bytes>>>(a); });
    d_out.copy_to(out);
}
