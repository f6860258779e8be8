// Launches beyond what the device can do, calls whose errors nobody looks at, and memory nobody frees.
#include <cassert>

#include "detection.h"

constexpr int N = 64, KILOBYTE = 1024;

__global__ void copy(float* out, const float* in) {
    const int x = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    const int thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    const int i = x * blockDim.x * blockDim.y * blockDim.z + thread;
    if (i < N) out[i] = in[i];
}
__global__ void copy_by_tile(float* out, const float* in) {
    extern __shared__ float s_tile[];
    s_tile[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = s_tile[threadIdx.x];
}
__global__ void copy_by_two_tiles(float* out, const float* in) {
    extern __shared__ float s_tile[];
    __shared__ float s_large[10 * KILOBYTE];
    s_tile[threadIdx.x] = s_large[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = (s_tile[threadIdx.x] + s_large[threadIdx.x]) / 2;
}
__global__ void double_in_place(float* values) {
    values[threadIdx.x] = 2 * values[threadIdx.x];  // HERE unchecked_allocation: illegal-address
}
__global__ void checked_copy(float* out, const float* in, int count) {
    assert(int(threadIdx.x) < count);  // HERE failed_assertion: assert
    out[threadIdx.x] = in[threadIdx.x];
}
__global__ void remainders(float* out, const float* in, int divisor) {
    out[threadIdx.x] = float(int(in[threadIdx.x]) % divisor);  // HERE division_by_zero: launch-error
}

// A macro, so that all of it stands in one line, whichever of its instructions is the first beyond the stack.
#define SUM_DOWN                                                                \
    __device__ __noinline__ float sum_down(const float* in, int x, int depth) { \
        if (depth == 0) return 0;                                               \
        volatile float frame[16] = {};                                          \
        frame[depth % 16] = in[x];                                              \
        return sum_down(in, x, depth - 1) + frame[depth % 16];                  \
    }
SUM_DOWN  // HERE deep_recursion: stack-overflow
    __global__ void
    recursive(float* out, const float* in, int depth) {
    out[threadIdx.x] = sum_down(in, threadIdx.x, depth);
}

/// The data of most cases.
struct buffers {
    device_array<float> in{ramp(N)}, out{zeros(N)};
    bool are_equal() const { return out.host() == ramp(N); }
};

template <bool RIGHT>
bool too_many_threads() {
    const buffers data;
    copy<<<1, RIGHT ? 1024 : 1025>>>(data.out, data.in);  // HERE too_many_threads: launch-error
    return data.are_equal();
}

// Each side is small enough, the block is not.
template <bool RIGHT>
bool block_of_three_sides() {
    const buffers data;
    const dim3 block(16, 16, RIGHT ? 4 : 8);
    copy<<<1, block>>>(data.out, data.in);  // HERE block_of_three_sides: launch-error
    return data.are_equal();
}

template <bool RIGHT>
bool deep_block() {
    const buffers data;
    const dim3 block(1, 1, RIGHT ? 64 : 65);
    copy<<<1, block>>>(data.out, data.in);  // HERE deep_block: launch-error
    return data.are_equal();
}

// A division that should have been rounded up.
template <bool RIGHT>
bool empty_grid() {
    const buffers data;
    const int block = 256, grid = RIGHT ? (N + block - 1) / block : N / block;
    copy<<<grid, block>>>(data.out, data.in);  // HERE empty_grid: launch-error
    return data.are_equal();
}

// Rows in y: only x can count beyond 65535.
template <bool RIGHT>
bool tall_grid() {
    const buffers data;
    const dim3 grid(RIGHT ? 65536 : 1, RIGHT ? 1 : 65536);
    copy<<<grid, 1>>>(data.out, data.in);  // HERE tall_grid: launch-error
    return data.are_equal();
}

template <bool RIGHT>
bool without_permission() {
    const buffers data;
    const int bytes = 60 * KILOBYTE;
    if (RIGHT) cudaFuncSetAttribute(copy_by_tile, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
    copy_by_tile<<<1, N, bytes>>>(data.out, data.in);  // HERE without_permission: shared-limit
    cudaFuncSetAttribute(copy_by_tile, cudaFuncAttributeMaxDynamicSharedMemorySize, 48 * KILOBYTE);
    return data.are_equal();
}

// The kernel's own 40 KB count too.
template <bool RIGHT>
bool static_and_dynamic() {
    const buffers data;
    const int bytes = (RIGHT ? 8 : 9) * KILOBYTE;
    copy_by_two_tiles<<<1, N, bytes>>>(data.out, data.in);  // HERE static_and_dynamic: shared-limit
    return data.are_equal();
}

template <bool RIGHT>
bool more_than_there_is() {
    const buffers data;
    const int bytes = (RIGHT ? 60 : 600) * KILOBYTE;
    const auto attribute = cudaFuncAttributeMaxDynamicSharedMemorySize;
    cudaFuncSetAttribute(copy_by_tile, attribute, bytes);  // HERE more_than_there_is: refused-call
    copy_by_tile<<<1, N, bytes>>>(data.out, data.in);      // HERE more_than_there_is: shared-limit
    return data.are_equal();
}

template <bool RIGHT>
bool unchecked_allocation() {
    float* values = nullptr;
    std::vector<float> home(N);
    const size_t bytes = N * sizeof(float) << (RIGHT ? 0 : 48);
    cudaMalloc(&values, bytes);  // HERE unchecked_allocation: refused-call
    if (RIGHT) cudaMemset(values, 0, bytes);
    double_in_place<<<1, N>>>(values);
    if (RIGHT) cudaMemcpy(home.data(), values, bytes, cudaMemcpyDeviceToHost);
    cudaFree(values);
    return home == zeros(N);
}

template <bool RIGHT>
bool copy_too_much() {
    const device_array<float> in(ramp(N));
    std::vector<float> home(2 * N);
    const size_t bytes = (RIGHT ? N : N + 1) * sizeof(float);
    cudaMemcpy(home.data(), in, bytes, cudaMemcpyDeviceToHost);  // HERE copy_too_much: refused-call
    return home[N - 1] == N - 1;
}

template <bool RIGHT>
bool never_freed() {
    const buffers data;
    float* scratch = nullptr;
    cudaMalloc(&scratch, N * sizeof(float));  // HERE never_freed: leak
    copy<<<1, N>>>(scratch, data.in);
    copy<<<1, N>>>(data.out, scratch);
    if (RIGHT) cudaFree(scratch);
    return data.are_equal();
}

// One buffer a round, and the last one freed.
template <bool RIGHT>
bool freed_once() {
    const buffers data;
    float* scratch = nullptr;
    for (int k = 0; k < 3; k++) {
        cudaMalloc(&scratch, N * sizeof(float));  // HERE freed_once: leak
        copy<<<1, N>>>(scratch, data.in);
        copy<<<1, N>>>(data.out, scratch);
        if (RIGHT) cudaFree(scratch);
    }
    if (!RIGHT) cudaFree(scratch);
    return data.are_equal();
}

template <bool RIGHT>
bool array_never_freed() {
    cudaArray_t array = nullptr;
    const cudaChannelFormatDesc channels = cudaCreateChannelDesc<float>();
    cudaMallocArray(&array, &channels, 8, 8);  // HERE array_never_freed: leak
    if (RIGHT) cudaFreeArray(array);
    return array != nullptr;
}

int main(int argc, char** argv) {
    return detect(
        __FILE__, argc, argv,
        {
            {"too_many_threads", [](auto right) { return too_many_threads<right>(); }},
            {"block_of_three_sides", [](auto right) { return block_of_three_sides<right>(); }},
            {"deep_block", [](auto right) { return deep_block<right>(); }},
            {"empty_grid", [](auto right) { return empty_grid<right>(); }},
            {"tall_grid", [](auto right) { return tall_grid<right>(); }},
            {"without_permission", [](auto right) { return without_permission<right>(); }},
            {"static_and_dynamic", [](auto right) { return static_and_dynamic<right>(); }},
            {"more_than_there_is", [](auto right) { return more_than_there_is<right>(); }},
            {"unchecked_allocation", [](auto right) { return unchecked_allocation<right>(); }},
            {"copy_too_much", [](auto right) { return copy_too_much<right>(); }},
            {"never_freed", [](auto right) { return never_freed<right>(); }},
            {"freed_once", [](auto right) { return freed_once<right>(); }},
            {"array_never_freed", [](auto right) { return array_never_freed<right>(); }},
            {"failed_assertion",
             [](auto right) { return computes(ramp(N), checked_copy, 1, N, ramp(N), right ? N : N / 2); }},
            {"division_by_zero",
             [](auto right) { return computes(zeros(N), remainders, 1, N, zeros(N), right ? 7 : 0); }},
            {"deep_recursion",
             [](auto right) {
                 return computes(ramp(N, 0, 3), recursive, 1, N, ramp(N), right ? 3 : 100000);
             }},
        });
}
