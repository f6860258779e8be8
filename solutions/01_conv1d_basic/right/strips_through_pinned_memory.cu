// Right: two strips with their halos, each in buffers and on a stream of its own, through pinned memory.
#include "conv1d_basic.h"

#include <algorithm>

#include "lab/lab.h"

constexpr int BLOCK_SIZE = 128;

/// The outputs [begin, end); `strip` begins with element `first` of the array.
__global__ void conv1d_basic_kernel(float* out, const float* strip, const float* filter, int begin, int end,
                                    int first, int n, int radius) {
    const int x = begin + blockIdx.x * blockDim.x + threadIdx.x;
    if (x >= end) return;
    float sum = 0.0f;
    for (int j = -radius; j <= radius; j++) {
        if (x + j < 0 || x + j >= n) continue;
        sum += strip[x + j - first] * filter[j + radius];
    }
    out[x - begin] = sum;
}

void conv1d_basic(std::span<float> out, std::span<const float> in, std::span<const float> filter) {
    const int n = int(out.size()), radius = int(filter.size()) / 2;
    float *pinned_in = nullptr, *pinned_out = nullptr;
    CUDA_CHECK(cudaMallocHost(&pinned_in, in.size_bytes()));
    CUDA_CHECK(cudaMallocHost(&pinned_out, out.size_bytes()));
    std::copy(in.begin(), in.end(), pinned_in);

    device_buffer<float> d_filter(filter);
    cudaStream_t streams[2] = {};
    float *strips[2] = {}, *results[2] = {};
    for (int part = 0; part < 2; part++) {
        const int begin = part * (n / 2), end = part == 0 ? n / 2 : n;
        if (begin == end) continue;  // a single element
        const int first = std::max(0, begin - radius), last = std::min(n, end + radius);
        CUDA_CHECK(cudaStreamCreate(&streams[part]));
        CUDA_CHECK(cudaMalloc(&strips[part], (last - first) * sizeof(float)));
        CUDA_CHECK(cudaMalloc(&results[part], (end - begin) * sizeof(float)));
        CUDA_CHECK(cudaMemcpyAsync(strips[part], pinned_in + first, (last - first) * sizeof(float),
                                   cudaMemcpyHostToDevice, streams[part]));
        conv1d_basic_kernel<<<ceil_div(end - begin, BLOCK_SIZE), BLOCK_SIZE, 0, streams[part]>>>(
            results[part], strips[part], d_filter.data(), begin, end, first, n, radius);
        CUDA_CHECK(cudaGetLastError());
        CUDA_CHECK(cudaMemcpyAsync(pinned_out + begin, results[part], (end - begin) * sizeof(float),
                                   cudaMemcpyDeviceToHost, streams[part]));
    }
    for (int part = 0; part < 2; part++) {
        if (!streams[part]) continue;
        CUDA_CHECK(cudaStreamSynchronize(streams[part]));
        CUDA_CHECK(cudaStreamDestroy(streams[part]));
        CUDA_CHECK(cudaFree(strips[part]));
        CUDA_CHECK(cudaFree(results[part]));
    }
    std::copy_n(pinned_out, n, out.begin());
    CUDA_CHECK(cudaFreeHost(pinned_in));
    CUDA_CHECK(cudaFreeHost(pinned_out));
}
