// Right: the kernel gets one pointer, to a struct in device memory; sums are pairs of pairs of taps, loops
// are gotos.
#include "conv1d_basic.h"

#include "lab/lab.h"

struct convolution {
    float* out;
    const float *in, *filter;
    int n, taps;

    /// The part of the sum that tap k adds to output x.
    __device__ float term(int x, int k) const {
        const int position = x + k - taps / 2;
        return position == min(max(position, 0), n - 1) ? in[position] * filter[k] : 0.0f;
    }
    /// COUNT taps from `first` on, added up in pairs of pairs; COUNT is a power of 2.
    template <int COUNT>
    __device__ float terms(int x, int first) const {
        if constexpr (COUNT == 1)
            return term(x, first);
        else
            return terms<COUNT / 2>(x, first) + terms<COUNT / 2>(x, first + COUNT / 2);
    }
};

__global__ void conv1d_basic_kernel(const convolution* __restrict__ task) {
    const convolution local = *task;
    const int stride = gridDim.x * blockDim.x;
    int x = blockDim.x * blockIdx.x + threadIdx.x;
again:
    if (x >= local.n) return;
    float sum = 0.0f;
    int k = 0;
    for (; k + 8 <= local.taps; k += 8)
        sum += local.terms<8>(x, k);
    for (; k < local.taps; k++)
        sum += local.terms<1>(x, k);
    local.out[x] = sum;
    x += stride;
    goto again;
}

template <class T>
static T* on_device(std::span<const T> data, bool filled = true) {
    T* copy = nullptr;
    CUDA_CHECK(cudaMalloc(&copy, data.size_bytes()));
    if (filled) {
        timed_copy(
            [&] { CUDA_CHECK(cudaMemcpy(copy, data.data(), data.size_bytes(), cudaMemcpyHostToDevice)); });
    }
    return copy;
}

void conv1d_basic(std::span<float> out, std::span<const float> in, std::span<const float> filter) {
    float* const d_out = on_device<float>(out, false);
    float* const d_in = on_device(in);
    float* const d_filter = on_device(filter);
    const convolution task{d_out, d_in, d_filter, int(in.size()), int(filter.size())};
    convolution* const d_task = on_device(std::span<const convolution>(&task, 1));
    timed_launch([&] { conv1d_basic_kernel<<<6, 64>>>(d_task); });
    timed_copy([&] { CUDA_CHECK(cudaMemcpy(out.data(), d_out, out.size_bytes(), cudaMemcpyDeviceToHost)); });
    for (void* memory : {(void*)d_out, (void*)d_in, (void*)d_filter, (void*)d_task})
        CUDA_CHECK(cudaFree(memory));
}
