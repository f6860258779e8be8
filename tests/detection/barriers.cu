// Barriers that not all threads of a block reach, or not the same one.
#include <cooperative_groups.h>

#include "detection.h"

constexpr int N = 128;

template <bool RIGHT>
__global__ void in_a_branch(float* out, const float* in) {
    __shared__ float s_tile[N];
    s_tile[threadIdx.x] = in[threadIdx.x];
    if (RIGHT || threadIdx.x < 100) __syncthreads();  // HERE in_a_branch: divergent-barrier
    out[threadIdx.x] = s_tile[threadIdx.x];
}

// Two barriers of the source are two barriers, even where the hardware counts them as one.
template <bool RIGHT>
__global__ void in_both_branches(float* out, const float* in) {
    if (RIGHT) {
        __syncthreads();
        out[threadIdx.x] = in[threadIdx.x];
    } else if (threadIdx.x < 64) {
        __syncthreads();
        out[threadIdx.x] = in[threadIdx.x];
    } else {
        out[threadIdx.x] = in[threadIdx.x];
        __syncthreads();  // HERE in_both_branches: divergent-barrier
    }
}

template <bool RIGHT>
__global__ void after_a_return(float* out, const float* in, int count) {
    __shared__ float s_tile[N];
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (!RIGHT && x >= count) return;
    s_tile[threadIdx.x] = x < count ? in[x] : 0;
    __syncthreads();  // HERE after_a_return: divergent-barrier
    if (x < count) out[x] = s_tile[threadIdx.x];
}

template <bool RIGHT>
__global__ void in_an_uneven_loop(float* out, const float* in) {
    const int rounds = RIGHT ? 3 : threadIdx.x % 3 + 1;
    for (int k = 0; k < rounds; k++)
        __syncthreads();  // HERE in_an_uneven_loop: divergent-barrier
    out[threadIdx.x] = in[threadIdx.x];
}

// Some leave the loop early and wait behind it, the others wait in it.
template <bool RIGHT>
__global__ void after_a_break(float* out, const float* in) {
    for (int k = 0; k < 4; k++) {
        if (!RIGHT && in[threadIdx.x] < k) break;
        __syncthreads();  // HERE after_a_break: divergent-barrier
    }
    __syncthreads();  // HERE after_a_break: divergent-barrier
    out[threadIdx.x] = in[threadIdx.x];
}

template <bool RIGHT>
__global__ void counting(float* out, const float* in) {
    int count = 0;
    if (RIGHT || threadIdx.x < 96) {
        count = __syncthreads_count(in[threadIdx.x] < 10);  // HERE counting: divergent-barrier
    }
    out[threadIdx.x] = float(count);
}

// The second operand is evaluated by those threads only for which the first one holds.
template <bool RIGHT>
__global__ void in_a_condition(float* out, const float* in, int count) {
    const int x = threadIdx.x;
    const bool is_small = x < count && in[x] < 10;
    bool any = false;
    if (RIGHT) {
        any = __syncthreads_or(is_small);
    } else {
        any = x < count && __syncthreads_or(is_small);  // HERE in_a_condition: divergent-barrier
    }
    if (x < count) out[x] = any;
}

__device__ __noinline__ float exchange(float* tile, float value) {
    tile[threadIdx.x] = value;
    __syncthreads();  // HERE in_a_function: divergent-barrier
    return tile[threadIdx.x ^ 1];
}
template <bool RIGHT>
__global__ void in_a_function(float* out, const float* in) {
    __shared__ float s_tile[N];
    float value = in[threadIdx.x];
    if (RIGHT || threadIdx.x < 32) value = exchange(s_tile, value);
    out[threadIdx.x] = value;
}

template <bool RIGHT>
__global__ void of_a_group(float* out, const float* in) {
    const auto block = cooperative_groups::this_thread_block();
    __shared__ float s_tile[N];
    s_tile[block.thread_rank()] = in[block.thread_rank()];
    if (RIGHT || block.thread_rank() % 2 == 0) block.sync();  // HERE of_a_group: divergent-barrier
    out[block.thread_rank()] = s_tile[block.thread_rank()];
}

// Half a warp waits for the block, the other half for the warp: nobody can go on.
template <bool RIGHT>
__global__ void against_a_warp(float* out, const float* in) {
    if (!RIGHT && threadIdx.x % 32 < 16) {
        __syncthreads();
        out[threadIdx.x] = in[threadIdx.x];
    } else {
        __syncwarp();  // HERE against_a_warp: deadlock
        out[threadIdx.x] = in[threadIdx.x];
    }
}

/// in[i ^ 1]
std::vector<float> swapped() {
    std::vector<float> values(N);
    for (int i = 0; i < N; i++)
        values[i] = float(i ^ 1);
    return values;
}

int main(int argc, char** argv) {
    return detect(
        __FILE__, argc, argv,
        {
            {"in_a_branch", [](auto right) { return computes(ramp(N), in_a_branch<right>, 1, N, ramp(N)); }},
            {"in_both_branches",
             [](auto right) { return computes(ramp(N), in_both_branches<right>, 1, N, ramp(N)); }},
            {"after_a_return",
             [](auto right) { return computes(ramp(200), after_a_return<right>, 2, N, ramp(200), 200); }},
            {"in_an_uneven_loop",
             [](auto right) { return computes(ramp(N), in_an_uneven_loop<right>, 1, N, ramp(N)); }},
            {"after_a_break",
             [](auto right) { return computes(ramp(N), after_a_break<right>, 1, N, ramp(N)); }},
            {"counting",
             [](auto right) { return computes(std::vector<float>(N, 10), counting<right>, 1, N, ramp(N)); }},
            {"in_a_condition",
             [](auto right) {
                 return computes(std::vector<float>(100, 1), in_a_condition<right>, 1, N, ramp(100), 100);
             }},
            {"in_a_function",
             [](auto right) { return computes(swapped(), in_a_function<right>, 1, N, ramp(N)); }},
            {"of_a_group", [](auto right) { return computes(ramp(N), of_a_group<right>, 1, N, ramp(N)); }},
            {"against_a_warp",
             [](auto right) { return computes(ramp(N), against_a_warp<right>, 1, N, ramp(N)); }},
        });
}
