// Right: a thread computes two neighbours: an element that both need is loaded once, the pair is stored as
// float2.
#include "conv1d_constant.h"

#include <stdexcept>
#include <string>

#include "lab/lab.h"

constexpr int PAIRS_IN_BLOCK = 128;
constexpr size_t MAX_TAPS = 64 * 1024 / sizeof(float);

__constant__ float c_filter[MAX_TAPS];

__device__ float2 operator*(float2 a, float b) {
    return make_float2(a.x * b, a.y * b);
}
__device__ float2& operator+=(float2& a, float2 b) {
    a.x += b.x;
    a.y += b.y;
    return a;
}

struct array_view {
    const float* data;
    int n;
    __device__ float operator()(int k) const { return k >= 0 && k < n ? data[k] : 0.0f; }
};

__device__ float2 two_sums(array_view in, int x, int radius) {
    float2 sums = {0.0f, 0.0f};
    float2 window = {0.0f, in(x - radius)};  // what stands under the tap for the left and the right output
    for (int j = -radius; j <= radius; j++) {
        window = make_float2(window.y, in(x + j + 1));
        sums += window * c_filter[j + radius];
    }
    return sums;
}

__global__ void conv1d_constant_kernel(float* out, array_view in, int radius) {
    const int x = 2 * (blockIdx.x * blockDim.x + threadIdx.x);
    if (x >= in.n) return;
    const float2 sums = two_sums(in, x, radius);
    if (x + 1 < in.n)
        *reinterpret_cast<float2*>(out + x) = sums;
    else
        out[x] = sums.x;  // an odd length leaves the last output alone
}

void conv1d_constant(std::span<float> out, std::span<const float> in, std::span<const float> filter) {
    if (filter.size() > MAX_TAPS) {
        const std::string taps = std::to_string(filter.size()), most = std::to_string(MAX_TAPS);
        throw std::invalid_argument("filter: " + taps + " taps > " + most);
    }
    timed_copy([&] { CUDA_CHECK(cudaMemcpyToSymbol(c_filter, filter.data(), filter.size_bytes())); });

    device_buffer<float> d_in(in), d_out(out.size());
    const array_view view{d_in.data(), int(in.size())};
    const int blocks = ceil_div(ceil_div(view.n, 2), PAIRS_IN_BLOCK);
    timed_launch([&] {
        conv1d_constant_kernel<<<blocks, PAIRS_IN_BLOCK>>>(d_out.data(), view, int(filter.size()) / 2);
    });
    d_out.copy_to(out);
}
