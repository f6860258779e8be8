// Right: each launch computes one row of blocks, two streams take turns, and the images have a pitch.
#include "conv2d_subblocks.h"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "lab/lab.h"

constexpr int OUT_TILE = 32, ROWS = 8, THREADS = 1024;
constexpr size_t MAX_TAPS = 64 * 1024 / sizeof(float);
__constant__ float c_filter[MAX_TAPS];

/// An image on the device; rows start `pitch` bytes apart.
struct picture {
    float* pixels = nullptr;
    size_t pitch = 0;
    __host__ __device__ float* row(int y) const {
        return reinterpret_cast<float*>(reinterpret_cast<char*>(pixels) + y * pitch);
    }
};

class workspace {
public:
    picture in, out;
    cudaStream_t streams[2] = {};

    workspace(int width, int height) : workspace() {  // from here on the destructor runs
        for (picture* each : {&in, &out})
            CUDA_CHECK(cudaMallocPitch(&each->pixels, &each->pitch, width * sizeof(float), height));
        for (cudaStream_t& stream : streams)
            CUDA_CHECK(cudaStreamCreate(&stream));
    }
    ~workspace() {
        for (cudaStream_t stream : streams)
            if (stream) cudaStreamDestroy(stream);
        cudaFree(in.pixels);
        cudaFree(out.pixels);
    }

private:
    workspace() = default;
};

/// Calls visit(row) for this thread's row of every subblock.
template <class visitor>
__device__ void walk_down(int rows, visitor visit) {
    for (int row = threadIdx.y; row < rows; row += blockDim.y)
        visit(row);
}

__global__ void conv2d_subblocks_kernel(picture out, picture in, int width, int height, int filter_width,
                                        int filter_height, int top) {
    extern __shared__ float s_tile[];
    const int tx = threadIdx.x, tile_width = blockDim.x;
    const int left = blockIdx.x * OUT_TILE;
    walk_down(OUT_TILE + filter_height - 1, [&](int row) {
        const int x = left + tx - filter_width / 2, y = top + row - filter_height / 2;
        const bool ghost = x < 0 || y < 0 || x >= width || y >= height;
        s_tile[row * tile_width + tx] = ghost ? 0.0f : in.row(y)[x];
    });
    __syncthreads();  // the tile is complete
    const int x = left + tx;
    if (tx >= OUT_TILE || x >= width) return;
    walk_down(min(OUT_TILE, height - top), [&](int row) {
        float sum = 0.0f;
        for (int k = 0, i = 0; i < filter_height; i++)
            for (int j = 0; j < filter_width; j++, k++)
                sum += c_filter[k] * s_tile[(row + i) * tile_width + tx + j];
        out.row(top + row)[x] = sum;
    });
}

static size_t limited(const char* what, size_t value, size_t limit) {
    if (value <= limit) return value;
    throw std::invalid_argument(std::string(what) + " " + std::to_string(value) + " > " +
                                std::to_string(limit));
}

void conv2d_subblocks(std::span<float> out, std::span<const float> in, std::span<const float> filter,
                      int width, int height, int filter_width, int filter_height) {
    limited("taps", filter.size(), MAX_TAPS);
    const int tile_width = int(limited("width of the tile", OUT_TILE + filter_width - 1, THREADS));
    int device = 0, most = 0;
    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
    const size_t bytes = limited("bytes", sizeof(float) * tile_width * (OUT_TILE + filter_height - 1), most);
    CUDA_CHECK(cudaFuncSetAttribute(conv2d_subblocks_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                    int(bytes)));

    const workspace work(width, height);
    const size_t row = width * sizeof(float);
    CUDA_CHECK(cudaMemcpyToSymbol(c_filter, filter.data(), filter.size_bytes()));
    CUDA_CHECK(
        cudaMemcpy2D(work.in.pixels, work.in.pitch, in.data(), row, row, height, cudaMemcpyHostToDevice));
    const dim3 block(tile_width, std::min(ROWS, THREADS / tile_width));
    timed_launch([&] {
        for (int top = 0, band = 0; top < height; top += OUT_TILE, band ^= 1)
            conv2d_subblocks_kernel<<<ceil_div(width, OUT_TILE), block, bytes, work.streams[band]>>>(
                work.out, work.in, width, height, filter_width, filter_height, top);
    });
    CUDA_CHECK(cudaDeviceSynchronize());
    CUDA_CHECK(
        cudaMemcpy2D(out.data(), row, work.out.pixels, work.out.pitch, row, height, cudaMemcpyDeviceToHost));
}
