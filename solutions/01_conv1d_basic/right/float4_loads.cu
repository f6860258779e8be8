// Right: four neighbouring outputs a thread, read and written sixteen bytes at a time.
#include "conv1d_basic.h"

#include "lab/lab.h"

constexpr int BLOCK_SIZE = 32;
constexpr int OUTPUTS = 4;  // a float4

__device__ float4 load_four(const float* in, int first, int n) {
    if (first >= 0 && first + 3 < n) return *reinterpret_cast<const float4*>(in + first);
    float4 values = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    if (first >= 0 && first < n) values.x = in[first];
    if (first + 1 >= 0 && first + 1 < n) values.y = in[first + 1];
    if (first + 2 >= 0 && first + 2 < n) values.z = in[first + 2];
    if (first + 3 >= 0 && first + 3 < n) values.w = in[first + 3];
    return values;
}

__global__ void conv1d_basic_kernel(float* out, const float* in, const float* filter, int n, int radius) {
    const int x = OUTPUTS * (blockIdx.x * blockDim.x + threadIdx.x);
    if (x >= n) return;
    float sums[OUTPUTS] = {};
    const int halo = (radius + 3) / 4 * 4;  // so that every load starts at a multiple of sixteen bytes
    for (int first = x - halo; first <= x + halo; first += 4) {
        if (first + 3 < 0 || first >= n) continue;
        const float4 loaded = load_four(in, first, n);
        const float values[4] = {loaded.x, loaded.y, loaded.z, loaded.w};
        for (int k = 0; k < 4; k++) {
            if (first + k < 0 || first + k >= n) continue;
            for (int o = 0; o < OUTPUTS; o++) {
                const int j = first + k - (x + o);
                if (x + o < n && j >= -radius && j <= radius) sums[o] += values[k] * filter[j + radius];
            }
        }
    }
    if (x + 3 < n) {
        *reinterpret_cast<float4*>(out + x) = make_float4(sums[0], sums[1], sums[2], sums[3]);
    } else {
        for (int o = 0; x + o < n; o++)
            out[x + o] = sums[o];
    }
}

void conv1d_basic(std::span<float> out, std::span<const float> in, std::span<const float> filter) {
    const int n = int(out.size());
    const int radius = int(filter.size()) / 2;
    float* d_out = nullptr;
    float* d_in = nullptr;
    float* d_filter = nullptr;
    CUDA_CHECK(cudaMalloc(&d_out, out.size_bytes()));
    CUDA_CHECK(cudaMalloc(&d_in, in.size_bytes()));
    CUDA_CHECK(cudaMalloc(&d_filter, filter.size_bytes()));
    timed_copy([&] {
        CUDA_CHECK(cudaMemcpy(d_in, in.data(), in.size_bytes(), cudaMemcpyHostToDevice));
        CUDA_CHECK(cudaMemcpy(d_filter, filter.data(), filter.size_bytes(), cudaMemcpyHostToDevice));
    });
    const int blocks = ceil_div(n, BLOCK_SIZE * OUTPUTS);
    timed_launch([&] { conv1d_basic_kernel<<<blocks, BLOCK_SIZE>>>(d_out, d_in, d_filter, n, radius); });
    timed_copy([&] { CUDA_CHECK(cudaMemcpy(out.data(), d_out, out.size_bytes(), cudaMemcpyDeviceToHost)); });
    CUDA_CHECK(cudaFree(d_out));
    CUDA_CHECK(cudaFree(d_in));
    CUDA_CHECK(cudaFree(d_filter));
}
