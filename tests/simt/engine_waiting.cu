// Threads that wait for others of their block, or for blocks before theirs, get on as they do on a GPU.
#include <chrono>

#include "engine_test.h"

constexpr int THREADS = 96;

__global__ void volatile_flag(int* out) {
    __shared__ volatile int s_flag;
    if (threadIdx.x == 0) s_flag = 0;
    __syncthreads();  // the flag is down before anybody looks
    if (threadIdx.x == 70) {
        __threadfence_block();
        s_flag = 1;
    }
    while (s_flag == 0) {
    }
    out[threadIdx.x] = s_flag;
}

__global__ void atomic_flag(int* out) {
    __shared__ int s_flag;
    if (threadIdx.x == 0) s_flag = 0;
    __syncthreads();  // the flag is down before anybody looks
    if (threadIdx.x == 70) {
        __threadfence_block();
        atomicExch(&s_flag, 1);
    }
    int seen;
    do {
        seen = atomicAdd(&s_flag, 0);
    } while (seen == 0);
    out[threadIdx.x] = seen;
}

__global__ void one_after_the_other(int* out) {
    __shared__ volatile int s_turn;
    if (threadIdx.x == 0) s_turn = THREADS - 1;
    __syncthreads();  // it is the last one's turn before anybody looks
    for (;;) {
        const int turn = s_turn;
        if (turn == int(threadIdx.x)) break;
    }
    out[threadIdx.x] = 1;
    __threadfence_block();
    s_turn = int(threadIdx.x) - 1;
}

__global__ void flag_by_goto(int* out, volatile int* flag) {
    if (threadIdx.x == 70)
        *flag = 1;
    else
    again:
        if (*flag == 0) goto again;
    out[threadIdx.x] = *flag;
}

__global__ void held_lock(int* out) {
    __shared__ int s_lock, s_sum;
    if (threadIdx.x == 0) s_lock = s_sum = 0;
    __syncthreads();  // nobody has the lock
    while (atomicCAS(&s_lock, 0, 1) != 0) {
    }
    const int before = s_sum;
    __nanosleep(100);  // all others try meanwhile
    s_sum = before + 1;
    __threadfence_block();
    atomicExch(&s_lock, 0);
    __syncthreads();  // all have added
    out[threadIdx.x] = s_sum == THREADS;
}

__global__ void chain(int* out, volatile int* sums, volatile int* flags) {
    if (threadIdx.x == 0) {
        int sum = 0;
        if (blockIdx.x > 0) {
            while (flags[blockIdx.x - 1] == 0) {
            }
            sum = sums[blockIdx.x - 1];
        }
        sums[blockIdx.x] = sum + 1;
        __threadfence();
        flags[blockIdx.x] = 1;
    }
    __syncthreads();  // the sum is there
    out[threadIdx.x] = sums[blockIdx.x] == int(blockIdx.x) + 1;
}

__global__ void wait_by_clock(clock_t cycles) {
    const clock_t start = clock();
    while (clock() - start < cycles) {
    }
}
__global__ void wait_by_clock64(long long cycles) {
    const long long start = clock64();
    while (clock64() - start < cycles) {
    }
}

/// Time goes by for all threads at once: who has waited finds that all others have begun.
__global__ void wait_together(int* out, int* begun, long long cycles) {
    atomicAdd(begun, 1);
    const long long start = clock64();
    while (clock64() - start < cycles) {
    }
    out[threadIdx.x] = atomicAdd(begun, 0) == blockDim.x;
}

/// Milliseconds that a launch takes.
static double time_of(void (*launch)(int), int cycles) {
    const auto start = std::chrono::steady_clock::now();
    launch(cycles);
    EXPECT(cudaDeviceSynchronize() == cudaSuccess);
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

/// A kHz counts one in a millisecond.
static void check_clocks() {
    int khz = 0;
    EXPECT(cudaDeviceGetAttribute(&khz, cudaDevAttrClockRate, 0) == cudaSuccess);
    const double first = time_of([](int cycles) { wait_by_clock<<<1, 1>>>(cycles); }, 5 * khz);
    const double second = time_of([](int cycles) { wait_by_clock64<<<1, 1>>>(cycles); }, 5 * khz);
    // Not a measurement: by the processor's own clock, in microseconds, it would be ten seconds.
    EXPECT(first >= 5 && first < 2000 && second >= 5 && second < 2000);
}

static void check(const char* name, void (*launch)(int*)) {
    device_array<int> out(THREADS);
    launch(out.data);
    bool is_right = cudaGetLastError() == cudaSuccess;
    for (const int value : out.host())
        is_right &= value == 1;
    expect(is_right, name);
}

static void check_threads() {
    check("a volatile flag", [](int* out) { volatile_flag<<<1, THREADS>>>(out); });
    check("an atomic flag", [](int* out) { atomic_flag<<<1, THREADS>>>(out); });
    check("a flag by goto", [](int* out) {
        const device_array<int> flag(1);
        flag_by_goto<<<1, THREADS>>>(out, flag.data);
        EXPECT(cudaDeviceSynchronize() == cudaSuccess);
    });
    check("threads in turn", [](int* out) { one_after_the_other<<<1, THREADS>>>(out); });
    check("a lock that is held for long", [](int* out) { held_lock<<<1, THREADS>>>(out); });
    check("a time", [](int* out) {
        const device_array<int> begun(1);
        wait_together<<<1, THREADS>>>(out, begun.data, 10'000'000);
        EXPECT(cudaDeviceSynchronize() == cudaSuccess);
    });
}

static void check_blocks() {
    check("blocks in a chain", [](int* out) {
        constexpr int BLOCKS = 200;
        const device_array<int> sums(BLOCKS), flags(BLOCKS);
        chain<<<BLOCKS, THREADS>>>(out, sums.data, flags.data);
        EXPECT(cudaDeviceSynchronize() == cudaSuccess);
    });
}

int main() {
    return run_cases({check_threads, check_blocks, check_clocks});
}
