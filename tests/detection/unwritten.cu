// Values that nobody has written: in shared memory, in global memory, and on their way to the host.
#include <cuda_pipeline.h>

#include "detection.h"

constexpr int N = 64;

// The tile has two elements more than the block has threads.
template <bool RIGHT>
__global__ void shared_edges(float* out, const float* in) {
    __shared__ float s_tile[N + 2];
    s_tile[threadIdx.x + 1] = in[threadIdx.x];
    if (RIGHT && threadIdx.x < 2) s_tile[threadIdx.x * (N + 1)] = 0;
    __syncthreads();
    // HERE shared_edges: uninitialised-read
    out[threadIdx.x] = s_tile[threadIdx.x] + s_tile[threadIdx.x + 2];
}

// Every block has shared memory of its own; what an earlier block loaded is not there to stay.
template <bool RIGHT>
__global__ void loaded_once(float* out, const float* in) {
    __shared__ float s_table[N];
    if (RIGHT || blockIdx.x == 0) s_table[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    out[blockIdx.x * N + threadIdx.x] = s_table[threadIdx.x];  // HERE loaded_once: uninitialised-read
}

// The guard that protects the load leaves the tile as it was.
template <bool RIGHT>
__global__ void guarded_load(float* out, const float* in, int count) {
    __shared__ float s_tile[N];
    const int x = blockIdx.x * N + threadIdx.x;
    if (x < count) {
        s_tile[threadIdx.x] = in[x];
    } else if (RIGHT) {
        s_tile[threadIdx.x] = 0;
    }
    __syncthreads();
    if (x < count) out[x] = s_tile[N - 1 - threadIdx.x];  // HERE guarded_load: uninitialised-read
}

template <bool RIGHT>
__global__ void shared_sum(float* out, const float* in) {
    __shared__ float s_sum;
    if (RIGHT && threadIdx.x == 0) s_sum = 0;
    __syncthreads();
    atomicAdd(&s_sum, in[threadIdx.x]);  // HERE shared_sum: uninitialised-read
    __syncthreads();
    if (threadIdx.x == 0) out[0] = s_sum;
}

__global__ void add(float* out, const float* in) {
    out[threadIdx.x] += in[threadIdx.x];  // HERE sum_without_begin: uninitialised-read
}

__global__ void copy(float* out, const float* in) {
    out[threadIdx.x] = in[threadIdx.x];  // HERE never_copied: uninitialised-read
}

__global__ void copy_half(float* out, const float* in, int count) {
    if (threadIdx.x < count) out[threadIdx.x] = in[threadIdx.x];
}
__global__ void copy_again(float* out, const float* in) {
    out[threadIdx.x] = in[threadIdx.x];  // HERE half_written_before: uninitialised-read
}

// An asynchronous copy has arrived when somebody has waited for it.
template <bool RIGHT>
__global__ void missing_wait(float* out, const float* in) {
    __shared__ float s_tile[N];
    __pipeline_memcpy_async(&s_tile[threadIdx.x], &in[threadIdx.x], sizeof(float));
    __pipeline_commit();
    if (RIGHT) __pipeline_wait_prior(0);
    __syncthreads();
    out[threadIdx.x] = s_tile[N - 1 - threadIdx.x];  // HERE missing_wait: uninitialised-read
}

// Two batches are on their way; the first one is needed.
template <bool RIGHT>
__global__ void wait_for_too_few(float* out, const float* in) {
    __shared__ float s_tile[2][N];
    for (int k = 0; k < 2; k++) {
        float* arrived = &s_tile[k][threadIdx.x];
        __pipeline_memcpy_async(arrived, &in[threadIdx.x], sizeof(float));  // HERE wait_for_too_few: race
        __pipeline_commit();
    }
    __pipeline_wait_prior(RIGHT ? 1 : 2);
    __syncthreads();
    out[threadIdx.x] = s_tile[0][N - 1 - threadIdx.x];
    __pipeline_wait_prior(0);
}

/// Sums of in[x - 1] and in[x + 1] with zeros outside.
std::vector<float> neighbour_sums() {
    std::vector<float> values(N);
    for (int x = 0; x < N; x++)
        values[x] = float((x > 0 ? x - 1 : 0) + (x + 1 < N ? x + 1 : 0));
    return values;
}

template <bool RIGHT>
bool sum_without_begin() {
    const device_array<float> in(ramp(N)), out(N);
    if (RIGHT) cudaMemset(out, 0, N * sizeof(float));
    add<<<1, N>>>(out, in);
    return out.host() == ramp(N);
}

template <bool RIGHT>
bool never_copied() {
    const std::vector<float> values = ramp(N);
    const device_array<float> in(N), out(N);
    if (RIGHT) cudaMemcpy(in, values.data(), N * sizeof(float), cudaMemcpyHostToDevice);
    copy<<<1, N>>>(out, in);
    return out.host() == values;
}

template <bool RIGHT>
bool half_written_before() {
    const device_array<float> in(ramp(N)), middle(N), out(N);
    copy_half<<<1, N>>>(middle, in, RIGHT ? N : N / 2);
    copy_again<<<1, N>>>(out, middle);
    return out.host() == ramp(N);
}

// The kernel leaves out half of what the host takes home.
template <bool RIGHT>
bool half_a_result() {
    const device_array<float> in(ramp(N)), out(N);
    std::vector<float> home(N);
    copy_half<<<1, N>>>(out, in, RIGHT ? N : N / 2);
    cudaMemcpy(home.data(), out, 4 * N, cudaMemcpyDeviceToHost);  // HERE half_a_result: never-written
    return home == ramp(N);
}

// A launch that was refused writes nothing.
template <bool RIGHT>
bool no_result() {
    const device_array<float> in(ramp(N)), out(N);
    std::vector<float> home(N);
    copy_half<<<1, RIGHT ? N : 2 * 1024>>>(out, in, N);           // HERE no_result: launch-error
    cudaMemcpy(home.data(), out, 4 * N, cudaMemcpyDeviceToHost);  // HERE no_result: never-written
    return home == ramp(N);
}

int main(int argc, char** argv) {
    return detect(
        __FILE__, argc, argv,
        {
            {"shared_edges",
             [](auto right) { return computes(neighbour_sums(), shared_edges<right>, 1, N, ramp(N)); }},
            {"loaded_once",
             [](auto right) {
                 std::vector<float> wanted = ramp(2 * N);
                 for (int i = 0; i < N; i++)
                     wanted[N + i] = float(i);
                 return computes(wanted, loaded_once<right>, 2, N, ramp(N));
             }},
            {"guarded_load",
             [](auto right) {
                 std::vector<float> wanted(100);
                 for (int x = 0; x < 100; x++)
                     wanted[x] = float(x < N ? N - 1 - x : x < 92 ? 0 : 3 * N - 1 - x);
                 return computes(wanted, guarded_load<right>, 2, N, ramp(100), 100);
             }},
            {"shared_sum", [](auto right) { return computes({2016}, shared_sum<right>, 1, N, ramp(N)); }},
            {"sum_without_begin", [](auto right) { return sum_without_begin<right>(); }},
            {"never_copied", [](auto right) { return never_copied<right>(); }},
            {"half_written_before", [](auto right) { return half_written_before<right>(); }},
            {"missing_wait",
             [](auto right) { return computes(ramp(N, N - 1, -1), missing_wait<right>, 1, N, ramp(N)); }},
            {"wait_for_too_few",
             [](auto right) { return computes(ramp(N, N - 1, -1), wait_for_too_few<right>, 1, N, ramp(N)); }},
            {"half_a_result", [](auto right) { return half_a_result<right>(); }},
            {"no_result", [](auto right) { return no_result<right>(); }},
        });
}
