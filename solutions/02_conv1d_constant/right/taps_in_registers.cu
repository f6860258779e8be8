// Right: a thread copies up to nine taps from constant memory to registers, once, and then strides over
// the array.
#include "conv1d_constant.h"

#include <stdexcept>
#include <string>

#include "lab/lab.h"

constexpr size_t MAX_TAPS = 0x4000;
constexpr int BLOCKS = 3, THREADS = 64;
struct filter_memory {
    float taps[MAX_TAPS];
};
__constant__ filter_memory c_filter;

template <int TAPS>
struct register_taps {
    float taps[TAPS];
    __device__ register_taps() {
#pragma unroll
        for (int k = 0; k < TAPS; k++)
            taps[k] = c_filter.taps[k];
    }
    __device__ float sum(const float* in, int x, int n) const {
        float sum = 0.0f;
#pragma unroll
        for (int k = 0; k < TAPS; k++) {
            const int position = x + k - TAPS / 2;
            if (position >= 0 && position < n) sum += taps[k] * in[position];
        }
        return sum;
    }
};

template <int TAPS>
__global__ void short_filter_kernel(float* out, const float* in, int n) {
    const register_taps<TAPS> filter;
    for (int x = blockIdx.x * THREADS + threadIdx.x; x < n; x += BLOCKS * THREADS)
        out[x] = filter.sum(in, x, n);
}

__global__ void long_filter_kernel(float* out, const float* in, int n, int radius) {
    for (int x = blockIdx.x * THREADS + threadIdx.x; x < n; x += BLOCKS * THREADS) {
        float sum = 0.0f;
        for (int k = 0; k <= 2 * radius; k++) {
            const int position = x + k - radius;
            if (position >= 0 && position < n) sum += c_filter.taps[k] * in[position];
        }
        out[x] = sum;
    }
}

void conv1d_constant(std::span<float> out, std::span<const float> in, std::span<const float> filter) {
    const int taps = int(filter.size()), n = int(in.size());
    if (filter.size() > MAX_TAPS)
        throw std::invalid_argument(std::to_string(taps) + " taps; the limit is " + std::to_string(MAX_TAPS));
    timed_copy([&] { CUDA_CHECK(cudaMemcpyToSymbol(c_filter, filter.data(), filter.size_bytes())); });
    device_buffer<float> d_in(in), d_out(out.size());
    timed_launch([&] {
        switch (taps) {
#define TAPS(count)                                                                    \
    case count:                                                                        \
        short_filter_kernel<count><<<BLOCKS, THREADS>>>(d_out.data(), d_in.data(), n); \
        break
            TAPS(1);
            TAPS(3);
            TAPS(5);
            TAPS(7);
            TAPS(9);
            default:
                long_filter_kernel<<<BLOCKS, THREADS>>>(d_out.data(), d_in.data(), n, taps / 2);
        }
    });
    d_out.copy_to(out);
}
