// Right: 512 threads in a line ask for the pixels with asynchronous copies and wait once for all of them.
#include "conv2d_subblocks.h"

#include <cuda_pipeline.h>

#include <stdexcept>
#include <string>

#include "lab/lab.h"

constexpr int SIDE = 32, SUBBLOCK = 512;  // outputs across and down; pixels and threads of a subblock
constexpr int MAX_WIDTH = 1024;
__constant__ float c_filter[16384];

struct rectangle {
    int left, top, width, height;

    __device__ int size() const { return width * height; }
    __device__ int2 at(int k) const { return make_int2(left + k % width, top + k / width); }
    __device__ bool holds(int2 p) const {
        return unsigned(p.x - left) < unsigned(width) && unsigned(p.y - top) < unsigned(height);
    }
};

__global__ void __launch_bounds__(SUBBLOCK)
    conv2d_subblocks_kernel(float* out, const float* in, int width, int height, int filter_width,
                            int filter_height) {
    extern __shared__ float s_pixels[];
    const rectangle image{0, 0, width, height};
    const rectangle outputs{int(blockIdx.x) * SIDE, int(blockIdx.y) * SIDE, SIDE, SIDE};
    const rectangle tile{outputs.left - filter_width / 2, outputs.top - filter_height / 2,
                         SIDE + filter_width - 1, SIDE + filter_height - 1};
    for (int k = threadIdx.x; k < tile.size(); k += SUBBLOCK) {
        const int2 place = tile.at(k);
        if (image.holds(place))
            __pipeline_memcpy_async(&s_pixels[k], &in[place.y * width + place.x], sizeof(float));
        else
            s_pixels[k] = 0.0f;
    }
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();  // the pixels that others have asked for are there as well

    for (int k = threadIdx.x; k < outputs.size(); k += SUBBLOCK) {
        const int2 place = outputs.at(k);
        if (!image.holds(place)) continue;
        const float* window = &s_pixels[k / SIDE * tile.width + k % SIDE];
        const float* tap = c_filter;
        float sum = 0.0f;
        for (int i = filter_height; i > 0; i--, window += tile.width)
            for (int j = 0; j < filter_width; j++)
                sum = __fmaf_rn(window[j], *tap++, sum);
        out[place.y * width + place.x] = sum;
    }
}

void conv2d_subblocks(std::span<float> out, std::span<const float> in, std::span<const float> filter,
                      int width, int height, int filter_width, int filter_height) {
    set_filter(c_filter, filter);
    const auto limit = [](const std::string& what, size_t value, size_t most) {
        if (value > most)
            throw std::invalid_argument(what + std::to_string(value) + " of " + std::to_string(most));
        return value;
    };
    int device = 0, optin = 0;
    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(cudaDeviceGetAttribute(&optin, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
    const size_t tile_width = limit("tile_width ", SIDE + filter_width - 1, MAX_WIDTH);
    const size_t bytes = limit("bytes ", tile_width * (SIDE + filter_height - 1) * sizeof(float), optin);
    constexpr auto KERNEL = conv2d_subblocks_kernel;
    CUDA_CHECK(cudaFuncSetAttribute(KERNEL, cudaFuncAttributeMaxDynamicSharedMemorySize, int(bytes)));

    device_buffer<float> d_in(in), d_out(out.size());
    const dim3 grid(ceil_div(width, SIDE), ceil_div(height, SIDE));
    timed_launch([&] {
        KERNEL<<<grid, SUBBLOCK, bytes>>>(d_out.data(), d_in.data(), width, height, filter_width,
                                          filter_height);
    });
    d_out.copy_to(out);
}
