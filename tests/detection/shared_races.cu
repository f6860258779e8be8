// Races between the threads of a block in shared memory.
#include "detection.h"

constexpr int N = 256;

template <bool RIGHT>
__global__ void missing_barrier(float* out, const float* in) {
    __shared__ float s_tile[N];
    s_tile[threadIdx.x] = in[threadIdx.x];  // HERE missing_barrier: race
    if (RIGHT) __syncthreads();
    out[threadIdx.x] = s_tile[N - 1 - threadIdx.x];
}

// What is read before the barrier of the next round is overwritten after it.
template <bool RIGHT>
__global__ void missing_second_barrier(float* out, const float* in, int rounds) {
    __shared__ float s_tile[N];
    float sum = 0;
    for (int k = 0; k < rounds; k++) {
        s_tile[threadIdx.x] = in[threadIdx.x] + k;  // HERE missing_second_barrier: race
        __syncthreads();
        sum += s_tile[N - 1 - threadIdx.x];
        if (RIGHT) __syncthreads();
    }
    out[threadIdx.x] = sum;
}

// Lanes of one warp do not run in step.
template <bool RIGHT>
__global__ void missing_warp_barrier(float* out, const float* in) {
    __shared__ float s_tile[N];
    s_tile[threadIdx.x] = in[threadIdx.x];  // HERE missing_warp_barrier: race
    if (RIGHT) __syncwarp();
    out[threadIdx.x] = s_tile[threadIdx.x ^ 1];
}

template <bool RIGHT>
__global__ void warp_barrier_for_a_block(float* out, const float* in) {
    __shared__ float s_tile[N];
    s_tile[threadIdx.x] = in[threadIdx.x];  // HERE warp_barrier_for_a_block: race
    if (RIGHT) {
        __syncthreads();
    } else {
        __syncwarp();
    }
    out[threadIdx.x] = s_tile[threadIdx.x ^ 32];
}

// Each half of the warp waits for itself only.
template <bool RIGHT>
__global__ void half_a_mask(float* out, const float* in) {
    __shared__ float s_tile[N];
    const unsigned int half = threadIdx.x % 32 < 16 ? 0xffffu : 0xffff0000u;
    s_tile[threadIdx.x] = in[threadIdx.x];  // HERE half_a_mask: race
    __syncwarp(RIGHT ? 0xffffffffu : half);
    out[threadIdx.x] = s_tile[threadIdx.x ^ 16];
}

template <bool RIGHT>
__global__ void tree_sum(float* out, const float* in) {
    __shared__ float s_sum[N];
    s_sum[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    for (int stride = N / 2; stride > 0; stride /= 2) {
        if (threadIdx.x < stride) s_sum[threadIdx.x] += s_sum[threadIdx.x + stride];  // HERE tree_sum: race
        if (RIGHT) __syncthreads();
    }
    if (threadIdx.x == 0) out[0] = s_sum[0];
}

// Reading and writing in one pass: the neighbour may have moved on already.
template <bool RIGHT>
__global__ void shift_in_place(float* out, const float* in) {
    __shared__ float s_row[N];
    s_row[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    if (RIGHT) {
        const float next = threadIdx.x + 1 < N ? s_row[threadIdx.x + 1] : 0;
        __syncthreads();
        s_row[threadIdx.x] = next;
    } else {
        s_row[threadIdx.x] = threadIdx.x + 1 < N ? s_row[threadIdx.x + 1] : 0;  // HERE shift_in_place: race
    }
    __syncthreads();
    out[threadIdx.x] = s_row[threadIdx.x];
}

template <bool RIGHT>
__global__ void histogram(float* out, const float* in) {
    __shared__ int s_bins[8];
    if (threadIdx.x < 8) s_bins[threadIdx.x] = 0;
    __syncthreads();
    const int bin = int(in[threadIdx.x]) % 8;
    if (RIGHT) {
        atomicAdd(&s_bins[bin], 1);
    } else {
        s_bins[bin]++;  // HERE histogram: race
    }
    __syncthreads();
    if (threadIdx.x < 8) out[threadIdx.x] = float(s_bins[threadIdx.x]);
}

// Thread 0 clears the sum while others add to it.
template <bool RIGHT>
__global__ void cleared_too_late(float* out, const float* in) {
    __shared__ float s_sum;
    if (threadIdx.x == 0) s_sum = 0;  // HERE cleared_too_late: race
    if (RIGHT) __syncthreads();
    atomicAdd(&s_sum, in[threadIdx.x]);
    __syncthreads();
    if (threadIdx.x == 0) out[0] = s_sum;
}

template <bool RIGHT>
__global__ void read_too_early(float* out, const float* in) {
    __shared__ float s_sum;
    if (threadIdx.x == 0) s_sum = 0;
    __syncthreads();
    atomicAdd(&s_sum, in[threadIdx.x]);  // HERE read_too_early: race
    if (RIGHT) __syncthreads();
    out[threadIdx.x] = s_sum;
}

// Every thread stores the same: nothing goes wrong, and still nobody may rely on it.
template <bool RIGHT>
__global__ void same_value(float* out, const float* in) {
    __shared__ float s_scale;
    if (!RIGHT || threadIdx.x == 0) s_scale = 3;  // HERE same_value: benign-race
    __syncthreads();
    out[threadIdx.x] = s_scale * in[threadIdx.x];
}

// The same of four floats at once, copied from memory to memory.
template <bool RIGHT>
__global__ void same_vector(float* out, const float* in) {
    __shared__ float4 s_taps;
    const float4& taps = reinterpret_cast<const float4*>(in)[1];
    if (!RIGHT || threadIdx.x == 0) s_taps = taps;  // HERE same_vector: benign-race
    __syncthreads();
    out[threadIdx.x] = s_taps.y * in[threadIdx.x];
}

// Neighbours in a word are no neighbours in memory: bytes are apart, and race by themselves.
template <bool RIGHT>
__global__ void bytes(float* out, const float* in) {
    __shared__ unsigned char s_bytes[N];
    s_bytes[threadIdx.x] = (unsigned char)(in[threadIdx.x]);  // HERE bytes: race
    if (RIGHT) __syncthreads();
    out[threadIdx.x] = s_bytes[threadIdx.x ^ 1];
}

/// in[i ^ mask]
std::vector<float> swapped(int mask) {
    std::vector<float> values(N);
    for (int i = 0; i < N; i++)
        values[i] = float(i ^ mask);
    return values;
}
const float SUM = N * (N - 1) / 2;

int main(int argc, char** argv) {
    return detect(
        __FILE__, argc, argv,
        {
            {"missing_barrier",
             [](auto right) { return computes(swapped(N - 1), missing_barrier<right>, 1, N, ramp(N)); }},
            {"missing_second_barrier",
             [](auto right) {
                 const std::vector<float> wanted = ramp(N, 4 * (N - 1) + 6, -4);
                 return computes(wanted, missing_second_barrier<right>, 1, N, ramp(N), 4);
             }},
            {"missing_warp_barrier",
             [](auto right) { return computes(swapped(1), missing_warp_barrier<right>, 1, N, ramp(N)); }},
            {"warp_barrier_for_a_block",
             [](auto right) {
                 return computes(swapped(32), warp_barrier_for_a_block<right>, 1, N, ramp(N));
             }},
            {"half_a_mask",
             [](auto right) { return computes(swapped(16), half_a_mask<right>, 1, N, ramp(N)); }},
            {"tree_sum", [](auto right) { return computes({SUM}, tree_sum<right>, 1, N, ramp(N)); }},
            {"shift_in_place",
             [](auto right) {
                 std::vector<float> wanted = ramp(N, 1);
                 wanted.back() = 0;
                 return computes(wanted, shift_in_place<right>, 1, N, ramp(N));
             }},
            {"histogram",
             [](auto right) {
                 return computes(std::vector<float>(8, N / 8), histogram<right>, 1, N, ramp(N));
             }},
            {"cleared_too_late",
             [](auto right) { return computes({SUM}, cleared_too_late<right>, 1, N, ramp(N)); }},
            {"read_too_early",
             [](auto right) {
                 return computes(std::vector<float>(N, SUM), read_too_early<right>, 1, N, ramp(N));
             }},
            {"same_value",
             [](auto right) { return computes(ramp(N, 0, 3), same_value<right>, 1, N, ramp(N)); }},
            {"same_vector",
             [](auto right) { return computes(ramp(N, 0, 5), same_vector<right>, 1, N, ramp(N)); }},
            {"bytes", [](auto right) { return computes(swapped(1), bytes<right>, 1, N, ramp(N)); }},
        });
}
