// Launches: indices, arguments, dynamic shared memory, and what the real runtime refuses.
#include "engine_test.h"

struct alignas(16) payload {
    float values[4];
    char tag;
};

__global__ void write_index(unsigned* out) {
    const unsigned block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
    const unsigned thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    const unsigned size = blockDim.x * blockDim.y * blockDim.z;
    out[block * size + thread] +=
        1000000u * blockIdx.z + 10000u * blockIdx.y + 100u * threadIdx.z + thread % 7;
}

__global__ void take_struct(float* out, payload p, const int n = 3, double d = 0.5) {
    out[threadIdx.x] = p.values[threadIdx.x] + float(n) + float(d) + float(p.tag);
}

__global__ void change(payload& what, const int& more) {
    what.values[threadIdx.x] += float(more);
}

template <class type>
__global__ void deduced(type* out, type value) {
    out[0] = value;
}
__global__ void overloaded(int* out) {
    out[0] = 1;
}
__global__ void overloaded(float* out) {
    out[0] = 2;
}

__global__ void reverse(int* out) {
    extern __shared__ int s_values[];
    s_values[threadIdx.x] = int(threadIdx.x) * 3;
    __syncthreads();  // all written before any is read
    out[blockIdx.x * blockDim.x + threadIdx.x] = s_values[blockDim.x - 1 - threadIdx.x];
}

__global__ void big_static(float* out) {
    __shared__ float s_tile[10000];
    extern __shared__ float s_halo[];
    s_tile[threadIdx.x] = 1;
    s_halo[threadIdx.x] = 2;
    __syncthreads();  // or the compiler would see that nobody else needs the arrays
    out[threadIdx.x] = s_tile[threadIdx.x] + s_halo[threadIdx.x];
}

__global__ void nothing(int* out) {
    out[0] = 1;
}

constexpr int FEW = 64;
template <int TIMES>
__global__ void __launch_bounds__(FEW* TIMES, 2) bounded(int* out) {
    out[threadIdx.x] = 1;
}

template <class type>
__global__ void __launch_bounds__(FEW * sizeof(type)) few_bytes(type* out) {
    out[threadIdx.x] = 1;
}

static void check_indices() {
    const dim3 grid(3, 2, 2), block(5, 4, 3);
    device_array<unsigned> out(12 * 60);
    write_index<<<grid, block>>>(out.data);
    EXPECT(cudaGetLastError() == cudaSuccess);
    const auto seen = out.host();
    bool right = true;
    for (unsigned b = 0; b < 12; b++) {
        for (unsigned t = 0; t < 60; t++) {
            right &= seen[b * 60 + t] == 1000000u * (b / 6) + 10000u * (b / 3 % 2) + 100u * (t / 20) + t % 7;
        }
    }
    EXPECT(right);
}

static void check_many_blocks() {
    device_array<unsigned> out(5000 * 33);
    write_index<<<5000, 33>>>(out.data);
    unsigned long long sum = 0;
    for (const unsigned value : out.host())
        sum += value;
    EXPECT(sum == 5000ull * (4 * 21 + 10));  // threads 0..32 modulo 7
}

static void check_arguments() {
    device_array<float> out(4);
    const payload p = {{1, 2, 3, 4}, 10};
    take_struct<<<1, 4>>>(out.data, p);
    EXPECT(out.host()[3] == 17.5f);
    take_struct<<<1, 4>>>(out.data, p, 5, 0.25);
    EXPECT(out.host()[0] == 16.25f);
    deduced<<<1, 1>>>(out.data, 7.0f);
    EXPECT(out.host()[0] == 7.0f);
    overloaded<<<1, 1>>>(out.data);
    EXPECT(out.host()[0] == 2.0f);
    void (*pointer)(float*) = overloaded;
    pointer<<<dim3{1, 1, 1}, dim3{1}>>>(out.data);
    EXPECT(cudaGetLastError() == cudaSuccess);
}

static void on_the_host(int* out) {
    out[0] = 2;
}

static void check_no_kernel() {
    recorder seen;
    device_array<int> out(1);
    void (*pointer)(int*) = on_the_host;
    pointer<<<1, 1>>>(out.data);
    EXPECT(cudaGetLastError() == cudaErrorInvalidDeviceFunction);
    EXPECT(seen.only("launch-error"));
    // Nor does the middle of a kernel begin one.
    pointer = reinterpret_cast<void (*)(int*)>(reinterpret_cast<char*>(&nothing) + 1);
    pointer<<<1, 1>>>(out.data);
    EXPECT(cudaGetLastError() == cudaErrorInvalidDeviceFunction);
    pointer = nothing;
    pointer<<<1, 1>>>(out.data);
    EXPECT(cudaGetLastError() == cudaSuccess);
    EXPECT(out.host()[0] == 1);
}

/// A host in another process may say that a closure has as many bytes as it likes.
static void check_short_closure() {
    recorder seen;
    const auto closure = [] {};
    const auto call = simt::call_by_name<decltype(closure)>;
    simt::launch(nullptr, "short", {1, 1}, call, &closure, sizeof closure);
    EXPECT(cudaGetLastError() == cudaSuccess);
    for (const size_t other : {sizeof closure - 1, sizeof closure + 1}) {
        simt::launch(nullptr, "short", {1, 1}, call, &closure, other);
        EXPECT(cudaGetLastError() == cudaErrorInvalidDeviceFunction);
    }
}

static void check_dynamic_shared() {
    device_array<int> out(2 * 64);
    reverse<<<2, 64, 64 * sizeof(int)>>>(out.data);
    EXPECT(out.host()[64] == 63 * 3 && out.host()[127] == 0);
}

static void refused(dim3 grid, dim3 block, size_t shared, cudaError_t expected, const char* kind,
                    std::source_location where = std::source_location::current()) {
    recorder seen;
    device_array<int> out(1);
    nothing<<<grid, block, shared>>>(out.data);
    expect(cudaGetLastError() == expected, "the error code of the real runtime", where);
    expect(seen.only(kind), "one finding of the right kind", where);
    expect(cudaGetLastError() == cudaSuccess, "an error that is not sticky", where);
    expect(out.host()[0] == 0, "no thread to have run", where);
}

static void check_refused() {
    const cudaError_t shape = cudaErrorInvalidConfiguration, value = cudaErrorInvalidValue;
    refused(0, 32, 0, shape, "launch-error");
    refused(1, 0, 0, shape, "launch-error");
    refused(1, 1025, 0, shape, "launch-error");
    refused(1, dim3(32, 33), 0, shape, "launch-error");
    refused(1, dim3(1, 1, 65), 0, shape, "launch-error");
    refused(dim3(1, 65536), 1, 0, shape, "launch-error");
    refused(1, -1, 0, shape, "launch-error");
    refused(1, 32, 48 * 1024 + 1, value, "shared-limit");
}

/// A parameter that is a reference is the object, whichever way the kernel is launched.
static void check_references() {
    payload* what = nullptr;
    int* more = nullptr;
    EXPECT(cudaMallocManaged(&what, sizeof *what) == cudaSuccess &&
           cudaMallocManaged(&more, sizeof *more) == cudaSuccess);
    *what = {{1, 2, 3, 4}, 'a'};
    *more = 10;
    change<<<1, 4>>>(*what, *more);
    EXPECT(cudaDeviceSynchronize() == cudaSuccess && what->values[0] == 11 && what->values[3] == 14);
    void* arguments[] = {&what, &more};
    EXPECT(cudaLaunchKernel((const void*)change, 1, 4, arguments, 0, nullptr) == cudaSuccess);
    EXPECT(cudaDeviceSynchronize() == cudaSuccess && what->values[0] == 21 && what->values[3] == 24);
    cudaFree(what);
    cudaFree(more);
}

static void check_opt_in() {
    device_array<int> out(64);
    EXPECT(cudaFuncSetAttribute(reverse, cudaFuncAttributeMaxDynamicSharedMemorySize, 227 * 1024) ==
           cudaSuccess);
    reverse<<<1, 64, 227 * 1024>>>(out.data);
    EXPECT(cudaGetLastError() == cudaSuccess && out.host()[0] == 63 * 3);
    EXPECT(cudaFuncSetAttribute(reverse, cudaFuncAttributeMaxDynamicSharedMemorySize, 227 * 1024 + 1) !=
           cudaSuccess);
    cudaGetLastError();
}

static void check_static_and_dynamic_shared() {
    recorder seen;
    device_array<float> out(32);
    big_static<<<1, 32, 9000>>>(out.data);
    EXPECT(cudaGetLastError() == cudaSuccess && out.host()[31] == 3.0f);
    big_static<<<1, 32, 10000>>>(out.data);  // HERE too_much_shared
    EXPECT(cudaGetLastError() == cudaErrorInvalidValue);
    EXPECT(seen.only("shared-limit", marked_line(__FILE__, "too_much_shared")));
}

/// A kernel is compiled for no larger blocks than it says.
static void check_launch_bounds() {
    recorder seen;
    device_array<int> out(4 * FEW);
    cudaFuncAttributes attributes;
    EXPECT(cudaFuncGetAttributes(&attributes, bounded<2>) == cudaSuccess);
    EXPECT(attributes.maxThreadsPerBlock == 2 * FEW);
    bounded<2><<<1, 2 * FEW>>>(out.data);
    EXPECT(cudaGetLastError() == cudaSuccess && out.at(2 * FEW - 1) == 1);
    bounded<2><<<1, 2 * FEW + 1>>>(out.data);  // HERE too_many_threads
    EXPECT(cudaGetLastError() == cudaErrorInvalidValue);
    EXPECT(seen.only("launch-error", marked_line(__FILE__, "too_many_threads")));
    int blocks = 0, threads = 0;
    EXPECT(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, bounded<1>, 2 * FEW, 0) == cudaSuccess);
    EXPECT(blocks == 16);
    EXPECT(cudaOccupancyMaxPotentialBlockSize(&blocks, &threads, bounded<1>) == cudaSuccess);
    EXPECT(blocks == 4224 && threads == FEW);
}

/// The same where the compiler finds out which kernel it is, from its arguments.
static void check_deduced() {
    constexpr int LIMIT = 48 * 1024;
    device_array<int> words(4 * FEW);
    device_array<char> bytes(4 * FEW);
    few_bytes<<<1, 4 * FEW>>>(words.data);
    EXPECT(cudaGetLastError() == cudaSuccess && words.at(4 * FEW - 1) == 1);
    EXPECT(cudaFuncSetAttribute(few_bytes<int>, cudaFuncAttributeMaxDynamicSharedMemorySize, LIMIT + 1) ==
           cudaSuccess);
    few_bytes<<<1, FEW, LIMIT + 1>>>(words.data);
    few_bytes<<<1, FEW, LIMIT>>>(bytes.data);
    EXPECT(cudaGetLastError() == cudaSuccess && bytes.at(FEW - 1) == 1);
    {
        recorder seen;
        few_bytes<<<1, FEW + 1>>>(bytes.data);  // HERE too_many_for_bytes
        EXPECT(cudaGetLastError() == cudaErrorInvalidValue);
        EXPECT(seen.only("launch-error", marked_line(__FILE__, "too_many_for_bytes")));
    }
    recorder seen;
    few_bytes<<<1, FEW, LIMIT + 1>>>(bytes.data);  // HERE too_much_for_bytes
    EXPECT(cudaGetLastError() == cudaErrorInvalidValue);
    EXPECT(seen.only("shared-limit", marked_line(__FILE__, "too_much_for_bytes")));
}

static void check_observer() {
    recorder seen;
    device_array<unsigned> out(100 * 40);
    write_index<<<100, 40>>>(out.data);
    EXPECT(seen.threads_finished == 4000 && seen.blocks_ended == 100 && seen.findings.empty());
}

int main() {
    return run_cases({check_indices, check_many_blocks, check_arguments, check_references, check_no_kernel,
                      check_short_closure, check_dynamic_shared, check_refused, check_opt_in,
                      check_static_and_dynamic_shared, check_launch_bounds, check_deduced, check_observer});
}
