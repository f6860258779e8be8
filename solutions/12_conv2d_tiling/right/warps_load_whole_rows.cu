// Right: a warp loads a row of the tile from end to end, whatever the block; one slab and its own stream.
#include "conv2d_tiling.h"

#include <stdexcept>
#include <string>

#include "lab/lab.h"

constexpr int WARP = 32, MAX_FACTOR = 4, MAX_BYTES = 48 * 1024;
__constant__ float c_filter[MAX_BYTES / 4];

struct call {
    const float* in;
    float* out;
    int2 image, filter;
    int pitch;
};

template <int FACTOR>
__global__ void conv2d_tiling_kernel(const __grid_constant__ call c) {
    extern __shared__ float s_tile[];
    const int block_width = blockDim.x, block_height = blockDim.y;
    const int id = threadIdx.y * block_width + threadIdx.x, warps = block_width * block_height / WARP;
    const int left = blockIdx.x * block_width * FACTOR, top = blockIdx.y * block_height;
    const int cells = block_width * FACTOR + c.filter.x - 1, rows = block_height + c.filter.y - 1;

    for (int row = id / WARP; row < rows; row += warps) {
        const int y = top + row - c.filter.y / 2;
        const float* pixels = y >= 0 && y < c.image.y ? c.in + ptrdiff_t(y) * c.image.x : nullptr;
        for (int column = id % WARP; column < cells; column += WARP) {
            const int x = left + column - c.filter.x / 2;
            s_tile[row * c.pitch + column] = pixels && x >= 0 && x < c.image.x ? pixels[x] : 0.0f;
        }
    }
    __syncthreads();  // the other warps have their rows, too

    const int x = left + threadIdx.x, y = top + threadIdx.y;
    if (x >= c.image.x || y >= c.image.y) return;
    float sums[FACTOR] = {};
#pragma unroll 1
    for (int k = 0; k < c.filter.x * c.filter.y; k++) {
        const float tap = c_filter[k];
        const float* cell = s_tile + (threadIdx.y + k / c.filter.x) * c.pitch + threadIdx.x + k % c.filter.x;
#pragma unroll
        for (float& sum : sums) {
            sum += tap * *cell;
            cell += block_width;
        }
    }
    float* to = c.out + ptrdiff_t(y) * c.image.x;
#pragma unroll
    for (int n = 0; n < FACTOR; n++)
        if (x + n * block_width < c.image.x) to[x + n * block_width] = sums[n];
}

/// What a call has to give back.
struct slab_and_stream {
    float* slab = nullptr;
    cudaStream_t stream = nullptr;
    ~slab_and_stream() {
        if (stream) cudaStreamDestroy(stream);
        cudaFree(slab);
    }
};

[[noreturn]] static void refuse(const char* what, long a, long b) {
    throw std::invalid_argument(std::string(what) + ": " + std::to_string(a) + ", " + std::to_string(b));
}

void conv2d_tiling(std::span<float> out, std::span<const float> in, std::span<const float> filter, int width,
                   int height, int filter_width, int filter_height, int block_width, int block_height,
                   int factor, int padding) {
    void (*const kernels[MAX_FACTOR + 1])(call) = {nullptr, conv2d_tiling_kernel<1>, conv2d_tiling_kernel<2>,
                                                   nullptr, conv2d_tiling_kernel<4>};
    if (factor < 0 || factor > MAX_FACTOR || !kernels[factor])
        refuse("factor, largest factor", factor, MAX_FACTOR);
    const bool narrow = block_width == 16 && block_height == 16;
    const bool wide = block_width == 32 && (block_height == 16 || block_height == 32);
    if (!narrow && !wide) refuse("width and height of a block", block_width, block_height);
    const int pitch = block_width * factor + filter_width - 1 + padding;
    const long bytes = 4L * pitch * (block_height + filter_height - 1);
    if (bytes > MAX_BYTES) refuse("bytes of shared memory, limit", bytes, MAX_BYTES);

    slab_and_stream own;
    CUDA_CHECK(cudaStreamCreate(&own.stream));
    CUDA_CHECK(cudaMalloc(&own.slab, in.size_bytes() + out.size_bytes()));
    const call c{own.slab + out.size(), own.slab, {width, height}, {filter_width, filter_height}, pitch};
    const auto to_device = [&](auto... copy) {
        CUDA_CHECK(cudaMemcpyAsync(copy..., cudaMemcpyHostToDevice, own.stream));
    };
    to_device(own.slab + out.size(), in.data(), in.size_bytes());
    CUDA_CHECK(cudaMemcpyToSymbolAsync(c_filter, filter.data(), filter.size_bytes(), 0,
                                       cudaMemcpyHostToDevice, own.stream));
    const dim3 grid((width + block_width * factor - 1) / (block_width * factor),
                    (height + block_height - 1) / block_height);
    timed_launch([&] { kernels[factor]<<<grid, dim3(block_width, block_height), bytes, own.stream>>>(c); });
    CUDA_CHECK(cudaMemcpyAsync(out.data(), own.slab, out.size_bytes(), cudaMemcpyDeviceToHost, own.stream));
    CUDA_CHECK(cudaStreamSynchronize(own.stream));
}
