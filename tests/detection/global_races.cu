// Races in global memory: within a block, and between blocks, which run in any order.
#include "detection.h"

constexpr int THREADS = 64, BLOCKS = 4, N = BLOCKS * THREADS;

__device__ int d_counter;
__device__ float d_table[THREADS];

__device__ int thread_in_grid() {
    return blockIdx.x * blockDim.x + threadIdx.x;
}

// A barrier orders global memory too; without one it is no better than shared memory.
template <bool RIGHT>
__global__ void neighbour_in_block(float* out, const float* in) {
    out[threadIdx.x] = in[threadIdx.x];  // HERE neighbour_in_block: race
    if (RIGHT) __syncthreads();
    out[THREADS + threadIdx.x] = out[threadIdx.x ^ 1];
}

template <bool RIGHT>
__global__ void device_variable(float* out, const float* in) {
    d_table[threadIdx.x] = in[threadIdx.x];  // HERE device_variable: race
    if (RIGHT) __syncthreads();
    out[threadIdx.x] = d_table[threadIdx.x ^ 32];
}

// Both copies touch the element in the middle of three.
template <bool RIGHT>
__global__ void overlapping_copies(float* out, const float* in) {
    const int first = (RIGHT ? 3 : 2) * threadIdx.x;
    memcpy(out + first, in + 3 * threadIdx.x, 3 * sizeof(float));  // HERE overlapping_copies: race
}

template <bool RIGHT>
__global__ void same_place(float* out, const float* in) {
    const int x = thread_in_grid();
    out[RIGHT ? x : threadIdx.x] = in[x];  // HERE same_place: race
}

// A barrier is for a block: blocks are ordered by launches only.
template <bool RIGHT>
__global__ void neighbour_block(float* out, const float* in) {
    const int x = thread_in_grid();
    out[x] = in[x];  // HERE neighbour_block: race
    __syncthreads();
    if (x > 0) out[N + x] = RIGHT ? in[x - 1] : out[x - 1];
}

template <bool RIGHT>
__global__ void same_flag(float* out, const float* in) {
    const int x = thread_in_grid();
    if (threadIdx.x == 0 && (!RIGHT || blockIdx.x == 0)) out[N] = 1;  // HERE same_flag: benign-race
    out[x] = in[x];
}

template <bool RIGHT>
__global__ void same_pair(float* out, const float* in) {
    const int x = thread_in_grid();
    const auto* pairs = reinterpret_cast<const float2*>(in);
    if (!RIGHT || x == 0) reinterpret_cast<float2*>(out)[N / 2] = pairs[1];  // HERE same_pair: benign-race
    out[x] = in[x];
}

__global__ void clear_counter() {
    d_counter = 0;
}
__global__ void read_counter(float* out) {
    out[0] = float(d_counter);
}
template <bool RIGHT>
__global__ void counter() {
    if (threadIdx.x != 0) return;
    if (RIGHT) {
        atomicAdd(&d_counter, 1);
    } else {
        d_counter++;  // HERE counter: race
    }
}

// One thread clears what the others, of other blocks too, add to.
template <bool RIGHT>
__global__ void cleared_by_a_block(float* out, const float* in) {
    const int x = thread_in_grid();
    if (!RIGHT && x == 0) out[0] = 0;  // HERE cleared_by_a_block: race
    __syncthreads();
    atomicAdd(&out[0], in[x]);
}

// The sum is not complete when a block's own part is.
template <bool RIGHT>
__global__ void sum_used_at_once(float* out, const float* in) {
    const int x = thread_in_grid();
    atomicAdd(&out[0], in[x]);  // HERE sum_used_at_once: race
    __syncthreads();
    if (!RIGHT) out[1 + x] = out[0];
}
__global__ void spread(float* out) {
    out[1 + thread_in_grid()] = out[0];
}

// The last four floats of a block are the first four of the next.
template <bool RIGHT>
__global__ void vectors(float* out, const float* in) {
    const int x = blockIdx.x * (RIGHT ? blockDim.x : blockDim.x - 1) + threadIdx.x;
    const float first = in[thread_in_grid()];
    reinterpret_cast<float4*>(out)[x] = make_float4(first, 1, 2, 3);  // HERE vectors: race
}

// Three bytes a block: two blocks share most words, and that is no race.
template <bool RIGHT>
__global__ void bytes(unsigned char* out) {
    const int block_bytes = RIGHT ? 3 : 2;
    out[blockIdx.x * block_bytes + threadIdx.x] = (unsigned char)(blockIdx.x);  // HERE bytes: race
}

std::vector<float> swapped(int mask) {
    std::vector<float> values(THREADS);
    for (int i = 0; i < THREADS; i++)
        values[i] = float(i ^ mask);
    return values;
}

std::vector<float> joined_values(std::vector<float> first, const std::vector<float>& second) {
    first.insert(first.end(), second.begin(), second.end());
    return first;
}

template <bool RIGHT>
bool count_blocks() {
    const device_array<float> out(1);
    clear_counter<<<1, 1>>>();
    counter<RIGHT><<<BLOCKS, THREADS>>>();
    read_counter<<<1, 1>>>(out);
    return out.host() == ramp(1, BLOCKS);
}

template <bool RIGHT>
bool sum_and_spread() {
    const device_array<float> in(ramp(N)), out(std::vector<float>(N + 1));
    sum_used_at_once<RIGHT><<<BLOCKS, THREADS>>>(out, in);
    if (RIGHT) spread<<<BLOCKS, THREADS>>>(out);
    return out.host() == std::vector<float>(N + 1, N * (N - 1) / 2);
}

template <bool RIGHT>
bool write_vectors() {
    const device_array<float> in(ramp(N)), out(std::vector<float>(4 * N));
    vectors<RIGHT><<<BLOCKS, THREADS>>>(out, in);
    const std::vector<float> seen = out.host();
    return seen[4 * 77] == 77 && seen[4 * 77 + 3] == 3;
}

template <bool RIGHT>
bool write_bytes() {
    const device_array<unsigned char> out(std::vector<unsigned char>(3 * BLOCKS));
    bytes<RIGHT><<<BLOCKS, 3>>>(out);
    return out.host() == std::vector<unsigned char>{0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3};
}

int main(int argc, char** argv) {
    return detect(
        __FILE__, argc, argv,
        {
            {"neighbour_in_block",
             [](auto right) {
                 const auto wanted = joined_values(ramp(THREADS), swapped(1));
                 return computes(wanted, neighbour_in_block<right>, 1, THREADS, ramp(THREADS));
             }},
            {"device_variable",
             [](auto right) {
                 return computes(swapped(32), device_variable<right>, 1, THREADS, ramp(THREADS));
             }},
            {"overlapping_copies",
             [](auto right) { return computes(ramp(96), overlapping_copies<right>, 1, 32, ramp(96)); }},
            {"same_place",
             [](auto right) { return computes(ramp(N), same_place<right>, BLOCKS, THREADS, ramp(N)); }},
            {"neighbour_block",
             [](auto right) {
                 std::vector<float> shifted = ramp(N, -1);
                 shifted[0] = 0;
                 const auto wanted = joined_values(ramp(N), shifted);
                 return computes(wanted, neighbour_block<right>, BLOCKS, THREADS, ramp(N));
             }},
            {"same_flag",
             [](auto right) {
                 const auto wanted = joined_values(ramp(N), {1});
                 return computes(wanted, same_flag<right>, BLOCKS, THREADS, ramp(N));
             }},
            {"same_pair",
             [](auto right) {
                 const auto wanted = joined_values(ramp(N), {2, 3});
                 return computes(wanted, same_pair<right>, BLOCKS, THREADS, ramp(N));
             }},
            {"counter", [](auto right) { return count_blocks<right>(); }},
            {"cleared_by_a_block",
             [](auto right) {
                 return computes({N * (N - 1) / 2}, cleared_by_a_block<right>, BLOCKS, THREADS, ramp(N));
             }},
            {"sum_used_at_once", [](auto right) { return sum_and_spread<right>(); }},
            {"vectors", [](auto right) { return write_vectors<right>(); }},
            {"bytes", [](auto right) { return write_bytes<right>(); }},
        });
}
