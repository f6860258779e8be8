// Shared memory and copies: poison before every block, arrays in all the usual places,
// memcpy and asynchronous copies.
#include <cuda_pipeline.h>

#include <cmath>

#include "engine_test.h"

__global__ void first_look(float* out) {
    __shared__ float s_tile[32];
    extern __shared__ float s_more[];
    out[blockIdx.x * 64 + threadIdx.x] = s_tile[threadIdx.x];
    out[blockIdx.x * 64 + 32 + threadIdx.x] = s_more[threadIdx.x];
    __syncthreads();  // all have looked
    s_tile[threadIdx.x] = 1;
    s_more[threadIdx.x] = 1;
}

// Not begun with 0: nvcc takes what the register holds.
__global__ void sum_without_a_start(float* out) {
    float sum;
    for (int i = 0; i < 4; i++)
        sum += out[i];
    out[4] = sum;
}

struct point {
    float x, y;
};
__device__ __constant__ float c_taps[3];
__constant__ float c_row[2] = {4, 5};
__device__ float table[3] = {1, 2, 3};

__device__ float exchange(float value) {
    __shared__ float s_values[32];
    s_values[threadIdx.x] = value;
    __syncthreads();  // written before it is read
    const float other = s_values[31 - threadIdx.x];
    __syncthreads();  // read before the next call writes
    return other;
}
template <class type, int size>
__device__ type exchange_any(type value) {
    __shared__ type s_values[size];
    s_values[threadIdx.x] = value;
    __syncthreads();  // written before it is read
    return s_values[size - 1 - threadIdx.x];
}
__global__ void several_places(float* out) {
    __shared__ int s_a[2][3], s_b;
    __shared__ point s_points[2];
    __shared__ __align__(16) char s_bytes[16];
    if (threadIdx.x == 0) {
        s_a[1][2] = 10;
        s_b = 20;
        s_points[1] = {1, 2};
        s_bytes[0] = 3;
    }
    __syncthreads();  // thread 0 has written
    const float mine = float(threadIdx.x);
    out[threadIdx.x] = exchange(mine) + exchange(mine * 100) + exchange_any<int, 32>(threadIdx.x) +
                       exchange_any<double, 32>(0.5) + s_a[1][2] + s_b + s_points[1].y + s_bytes[0] +
                       c_taps[2] + c_row[1] + table[2];
}

struct block_of_bytes {
    char bytes[256];
};
__global__ void copies(block_of_bytes* to, const block_of_bytes* from, char* bytes, int n) {
    // Not a constant size: the compiler would expand it into moves.
    memcpy(bytes, from, n);  // HERE memcpy
    memset(bytes + 100, 7, n - 72);
    memcpy(bytes + 128, bytes, n - 84);
    *to = *from;
}

/// Two batches in flight: the first is there after wait_prior(1), the second only after wait_prior(0).
__global__ void asynchronous(float4* out, const float4* in) {
    __shared__ float4 s_tile[64];
    const int t = threadIdx.x;
    __pipeline_memcpy_async(&s_tile[t], &in[t], sizeof(float4));
    __pipeline_commit();
    __pipeline_memcpy_async(&s_tile[32 + t], &in[32 + t], sizeof(float4), 8);
    __pipeline_commit();
    const float before = s_tile[t].x;
    __pipeline_wait_prior(1);
    const float first = s_tile[t].x, second = s_tile[32 + t].x;
    __pipeline_wait_prior(0);
    out[t] = make_float4(isnan(before), first, isnan(second), s_tile[32 + t].x);
    out[32 + t] = s_tile[32 + t];
}

__global__ void misaligned(float* in) {
    __shared__ float s_tile[8];
    __pipeline_memcpy_async(s_tile, in + 1, 8);
}

static void check_poison() {
    device_array<float> out(20 * 64);
    first_look<<<20, 32, 32 * sizeof(float)>>>(out.data);
    bool all_nan = true;
    for (const float value : out.host())
        all_nan &= std::isnan(value);
    EXPECT(all_nan);
}

static void check_unset_sum() {
    device_array<float> out(5);
    EXPECT(cudaMemset(out.data, 0, 5 * sizeof(float)) == cudaSuccess);
    sum_without_a_start<<<1, 1>>>(out.data);
#if __GNUC__ > 11  // g++ 11 begins it with 0
    EXPECT(out.host()[4] < -1e38f);
#endif
}

static void check_places() {
    device_array<float> out(32);
    const float taps[3] = {0, 0, 1000};
    EXPECT(cudaMemcpyToSymbol(c_taps, taps, sizeof taps) == cudaSuccess);
    several_places<<<3, 32>>>(out.data);
    EXPECT(cudaGetLastError() == cudaSuccess);
    EXPECT(out.host()[1] == 30 + 3000 + 30 + 0.5f + 10 + 20 + 2 + 3 + 1000 + 5 + 3);
}

static void check_names() {
    std::vector<std::string> names;
    for (const simt::variable& v : simt::shared_variables())
        names.push_back(v.name);
    const auto knows = [&](const char* name) {
        for (const std::string& known : names) {
            if (known == name) return true;
        }
        return false;
    };
    EXPECT(knows("s_tile") && knows("s_a") && knows("s_b") && knows("s_points") && knows("s_values"));
    EXPECT(!knows("threadIdx") && !knows("simt_dynsmem"));
    const auto address = [](const void* variable) { return reinterpret_cast<uintptr_t>(variable); };
    const simt::variable* constant = simt::constant_variable_at(address(&c_taps[1]));
    EXPECT(constant && constant->name == "c_taps" && constant->bytes == 12);
    const simt::variable* device = simt::device_variable_at(address(&table[2]));
    EXPECT(device && device->name == "table" && !simt::constant_variable_at(address(&table[2])));
}

static void check_copies() {
    recorder seen;
    device_array<block_of_bytes> from(1), to(1);
    device_array<char> bytes(144);
    cudaMemset(from.data, 5, 256);
    copies<<<1, 1>>>(to.data, from.data, bytes.data, 100);
    EXPECT(bytes.host()[99] == 5 && bytes.host()[127] == 7 && bytes.host()[143] == 5 &&
           to.host()[0].bytes[255] == 5);
    EXPECT(seen.accesses.size() >= 5);
    const auto first = seen.accesses[0], second = seen.accesses[1];
    EXPECT(first.kind == simt::access_kind::read && first.bytes == 100 &&
           first.line == marked_line(__FILE__, "memcpy"));
    EXPECT(second.kind == simt::access_kind::write && second.bytes == 100 &&
           second.line == marked_line(__FILE__, "memcpy"));
}

static void check_asynchronous() {
    device_array<float4> in(64), out(64);
    std::vector<float4> values(64);
    for (int i = 0; i < 64; i++)
        values[i] = make_float4(i, i, i, i);
    cudaMemcpy(in.data, values.data(), 64 * sizeof(float4), cudaMemcpyHostToDevice);
    asynchronous<<<2, 32>>>(out.data, in.data);
    const auto got = out.host();
    bool right = cudaGetLastError() == cudaSuccess;
    for (int t = 0; t < 32; t++) {
        right &= got[t].x == 1 && got[t].y == t && got[t].z == 1 && got[t].w == 32 + t;
        right &= got[32 + t].y == 32 + t && got[32 + t].z == 0 && got[32 + t].w == 0;
    }
    EXPECT(right);

    recorder seen;
    device_array<float> odd(16);
    misaligned<<<1, 1>>>(odd.data);
    EXPECT(cudaGetLastError() == cudaErrorMisalignedAddress && seen.only("misaligned"));
    in.forget();
    out.forget();
    odd.forget();
    cudaDeviceReset();
}

int main() {
    return run_cases(
        {check_poison, check_unset_sum, check_places, check_names, check_copies, check_asynchronous});
}
