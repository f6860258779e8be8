// Right: a warp holds 64 elements in two registers a lane and passes them round by shuffles, 32 taps long.
#include "conv1d_basic.h"

#include "lab/lab.h"

constexpr unsigned EVERYBODY = 0xffffffffu;
constexpr int WARP = 32;
constexpr int WARPS_IN_BLOCK = 4;

__device__ __forceinline__ float element_or_ghost(const float* __restrict__ in, int position, int n) {
    return position >= 0 && position < n ? __ldg(in + position) : 0.0f;
}

/// What lane `lane + k` of two rows of 32 elements holds; `first` and `second` are this lane's of either row.
__device__ __forceinline__ float from_both(float first, float second, int lane, int k) {
    const int source = (lane + k) % WARP;
    const float low = __shfl_sync(EVERYBODY, first, source);
    const float high = __shfl_sync(EVERYBODY, second, source);
    return lane + k < WARP ? low : high;
}

__global__ void conv1d_basic_kernel(float* __restrict__ out, const float* __restrict__ in,
                                    const float* __restrict__ filter, int n, int radius) {
    const int lane = threadIdx.x;
    const int begin = (blockIdx.x * WARPS_IN_BLOCK + threadIdx.y) * WARP;
    if (begin >= n) return;  // the whole warp: nobody may be missing from a shuffle

    const int taps = 2 * radius + 1;
    int position = begin - radius + lane;
    float first = element_or_ghost(in, position, n);
    float sum = 0.0f;
    for (int done = 0; done < taps; done += WARP) {
        position += WARP;
        const float second = element_or_ghost(in, position, n);
        const int now = min(WARP, taps - done);
        for (int k = 0; k < now; k++) {
            sum += from_both(first, second, lane, k) * filter[done + k];
        }
        first = second;
    }
    if (begin + lane < n) out[begin + lane] = sum;
}

void conv1d_basic(std::span<float> out, std::span<const float> in, std::span<const float> filter) {
    float *d_out = nullptr, *d_in = nullptr, *d_filter = nullptr;
    CUDA_CHECK(cudaMalloc(&d_out, out.size_bytes()));
    CUDA_CHECK(cudaMalloc(&d_in, in.size_bytes()));
    CUDA_CHECK(cudaMalloc(&d_filter, filter.size_bytes()));
    timed_copy([&] {
        CUDA_CHECK(cudaMemcpy(d_in, in.data(), in.size_bytes(), cudaMemcpyHostToDevice));
        CUDA_CHECK(cudaMemcpy(d_filter, filter.data(), filter.size_bytes(), cudaMemcpyHostToDevice));
    });
    const int n = int(in.size()), radius = int(filter.size()) / 2;
    const dim3 block(WARP, WARPS_IN_BLOCK);
    const int blocks = ceil_div(n, WARP * WARPS_IN_BLOCK);
    timed_launch([&] { conv1d_basic_kernel<<<blocks, block>>>(d_out, d_in, d_filter, n, radius); });
    timed_copy([&] { CUDA_CHECK(cudaMemcpy(out.data(), d_out, out.size_bytes(), cudaMemcpyDeviceToHost)); });
    CUDA_CHECK(cudaFree(d_filter));
    CUDA_CHECK(cudaFree(d_in));
    CUDA_CHECK(cudaFree(d_out));
}
