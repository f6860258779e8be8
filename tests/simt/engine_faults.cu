// Kernels and host code that go wrong: the error codes of the real runtime,
// and a finding that names the line.
#include <sys/wait.h>
#include <unistd.h>

#include <cassert>

#include "engine_test.h"

__global__ void store(float* out, const float* in) {
    out[threadIdx.x] = in[threadIdx.x];  // HERE store
}

__global__ void copy_from(float* out, const float* in, int n) {
    memcpy(out, in, n);  // HERE copy
}

__global__ void check_below(int limit) {
    assert(int(threadIdx.x) < limit);  // HERE assert
}

__global__ void large_array(float* out, int n) {
    volatile float local[16384];  // 64 KB
    for (int i = 0; i < n; i++)
        local[i * 1024] = float(i);
    out[threadIdx.x] = local[(n - 1) * 1024];
}

__device__ int depth(int n) {
    volatile int here[64];
    here[n % 64] = n;
    return n == 0 ? here[0] : depth(n - 1) + here[n % 64];
}
__global__ void deep_recursion(int* out, int n) {
    out[threadIdx.x] = depth(n);
}

__global__ void divide(int* out, int by) {
    out[threadIdx.x] = 7 / by;
}

__global__ void trap_on(int thread) {
    if (int(threadIdx.x) == thread) __trap();
}

__global__ void fill(int* out, int value) {
    __syncthreads();
    out[blockIdx.x * blockDim.x + threadIdx.x] = value;
}

/// The launch has failed with this error, which is sticky; afterwards the device works again.
static void expect_failure(cudaError_t error, const recorder& seen, const char* kind, const char* marked,
                           std::source_location where = std::source_location::current()) {
    expect(cudaGetLastError() == error, "the error of the real runtime", where);
    expect(cudaDeviceSynchronize() == error && cudaGetLastError() == error, "a sticky error", where);
    expect(seen.only(kind, marked ? marked_line(__FILE__, marked) : 0),
           "findings of the right kind at the right line", where);
    expect(seen.text().find("thread (") != std::string::npos, "the thread's name", where);
    expect(cudaDeviceReset() == cudaSuccess && cudaGetLastError() == cudaSuccess, "a reset device", where);
    device_array<int> out(40 * 96);
    fill<<<40, 96>>>(out.data, 5);
    expect(cudaGetLastError() == cudaSuccess && out.host()[40 * 96 - 1] == 5, "a working device", where);
}

static void check_illegal_addresses() {
    {
        recorder seen;
        store<<<1, 32>>>(nullptr, nullptr);
        expect_failure(cudaErrorIllegalAddress, seen, "illegal-address", "store");
    }
    {
        recorder seen;
        device_array<float> out(32);
        store<<<100, 64>>>(out.data, reinterpret_cast<const float*>(64));
        out.forget();
        expect_failure(cudaErrorIllegalAddress, seen, "illegal-address", "store");
    }
    {
        recorder seen;
        device_array<float> out(32);
        copy_from<<<1, 1>>>(out.data, nullptr, 128);
        out.forget();
        expect_failure(cudaErrorIllegalAddress, seen, "illegal-address", "copy");
    }
}

static void check_assert() {
    recorder seen;
    check_below<<<2, 32>>>(32);
    EXPECT(cudaGetLastError() == cudaSuccess && seen.findings.empty());
    check_below<<<2, 32>>>(20);
    EXPECT(seen.text().find("assertion `int(threadIdx.x) < limit`") != std::string::npos);
    EXPECT(seen.text().find("thread (20,0,0)") != std::string::npos);
    expect_failure(cudaErrorAssert, seen, "assert", "assert");
}

static void check_stack() {
    {
        recorder seen;
        device_array<float> out(64);
        large_array<<<2, 64>>>(out.data, 16);
        out.forget();
        EXPECT(seen.text().find("SIMT_STACK_KB=") != std::string::npos);
        expect_failure(cudaErrorLaunchOutOfResources, seen, "stack-overflow", nullptr);
    }
    {
        recorder seen;
        device_array<int> out(32);
        deep_recursion<<<1, 32>>>(out.data, 20);
        EXPECT(cudaGetLastError() == cudaSuccess && out.host()[0] == 210);
        deep_recursion<<<1, 32>>>(out.data, 100000);
        out.forget();
        expect_failure(cudaErrorLaunchOutOfResources, seen, "stack-overflow", nullptr);
    }
}

static void check_arithmetic() {
    {
        recorder seen;
        device_array<int> out(32);
        divide<<<1, 32>>>(out.data, 0);
        out.forget();
        expect_failure(cudaErrorLaunchFailure, seen, "launch-error", nullptr);
    }
    {
        recorder seen;
        trap_on<<<1, 32>>>(9);
        expect_failure(cudaErrorLaunchFailure, seen, "launch-error", nullptr);
    }
}

/// Runs `crime` in a process of its own; returns the signal that ended it, and what it wrote to stderr.
template <class function>
static int signal_of(const function& crime, std::string& words) {
    int ends[2];
    EXPECT(pipe(ends) == 0);
    const pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], STDERR_FILENO);
        crime();
        _exit(0);
    }
    close(ends[1]);
    char buffer[4096];
    for (ssize_t n = read(ends[0], buffer, sizeof buffer); n > 0; n = read(ends[0], buffer, sizeof buffer)) {
        words.append(buffer, n);
    }
    close(ends[0]);
    int status = 0;
    waitpid(child, &status, 0);
    return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

static void check_host() {
    device_array<float> memory(10);
    std::string words;
    EXPECT(signal_of([&] { memory.data[3] = 1; }, words) == SIGSEGV);  // HERE host_store
    const std::string line = "engine_faults.cu:" + std::to_string(marked_line(__FILE__, "host_store"));
    EXPECT(words.find(line) != std::string::npos &&
           words.find("device-pointer-on-host") != std::string::npos);
    EXPECT(words.find("writes") != std::string::npos &&
           words.find("byte offset 12 of 40") != std::string::npos);
    EXPECT(words.find('\n') == words.size() - 1);  // one line

    std::vector<float> host(10);
    words.clear();
    // HERE host_copy
    const auto copy = [&] { memcpy(host.data(), memory.data, host.size() * sizeof(float)); };
    const std::string copy_line = "engine_faults.cu:" + std::to_string(marked_line(__FILE__, "host_copy"));
    EXPECT(signal_of(copy, words) == SIGSEGV);
    EXPECT(words.find(copy_line) != std::string::npos && words.find("reads") != std::string::npos);

    words.clear();
    volatile uintptr_t low = 16;  // hidden from the compiler, which would know better
    EXPECT(signal_of([&] { *reinterpret_cast<volatile int*>(low) = 1; }, words) == SIGSEGV);
    EXPECT(words.find("illegal-address") != std::string::npos);

    words.clear();
    EXPECT(signal_of([] { assert(failures == 12345); }, words) == SIGABRT);
}

int main() {
    return run_cases({
        check_host,  // first: a forked process has no runners
        check_illegal_addresses,
        check_assert,
        check_stack,
        check_arithmetic,
    });
}
