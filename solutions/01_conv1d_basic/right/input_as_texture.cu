// Right: the input is a texture over plain memory, which gives 0 for elements that are not there.
#include "conv1d_basic.h"

#include "lab/lab.h"

constexpr int BLOCK_SIZE = 256;

__global__ void conv1d_basic_kernel(float* out, cudaTextureObject_t in, const float* filter, int n,
                                    int radius) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (x >= n) return;
    float sum = 0.0f;
    for (int j = -radius; j <= radius; j++) {
        sum += filter[j + radius] * tex1Dfetch<float>(in, x + j);
    }
    out[x] = sum;
}

void conv1d_basic(std::span<float> out, std::span<const float> in, std::span<const float> filter) {
    const int n = int(out.size()), radius = int(filter.size()) / 2;
    device_buffer<float> d_in(in), d_filter(filter), d_out(out.size());

    cudaResourceDesc memory = {};
    memory.resType = cudaResourceTypeLinear;
    memory.res.linear.devPtr = d_in.data();
    memory.res.linear.desc = cudaCreateChannelDesc<float>();
    memory.res.linear.sizeInBytes = in.size_bytes();
    cudaTextureDesc how = {};
    how.readMode = cudaReadModeElementType;
    cudaTextureObject_t texture = 0;
    CUDA_CHECK(cudaCreateTextureObject(&texture, &memory, &how, nullptr));
    timed_launch([&] {
        conv1d_basic_kernel<<<ceil_div(n, BLOCK_SIZE), BLOCK_SIZE>>>(d_out.data(), texture, d_filter.data(),
                                                                     n, radius);
    });
    CUDA_CHECK(cudaDestroyTextureObject(texture));
    d_out.copy_to(out);
}
