// Kernels that wait for the host, or for a kernel of another stream: the host goes on, and what the order of streams puts
// behind them comes when they have ended.
#include <cooperative_groups.h>

#include <chrono>
#include <thread>

#include "api_test.h"

__device__ volatile int g_flag;

__global__ void wait(volatile int* flag, int* out) {
    while (*flag == 0) {
    }
    if (out) *out = *flag;
}
__global__ void wait_for_variable(int* out) {
    while (g_flag == 0) {
    }
    *out = g_flag;
}
__global__ void set_variable(int value) {
    g_flag = value;
}
__global__ void add(int* out, int value) {
    *out += value;
}

/// Squares what the host puts into word 0, until that is negative; the answer is word 1.
__global__ void serve(volatile int* words) {
    for (;;) {
        const int question = words[0];
        if (question < 0) return;
        if (question == 0) continue;
        words[1] = question * question;
        __threadfence_system();
        words[0] = 0;
    }
}

__global__ void rounds(volatile int* words, int* out, int count) {
    const auto grid = cooperative_groups::this_grid();
    for (int round = 1; round <= count; round++) {
        if (grid.thread_rank() == 0)
            while (words[0] < round) {
            }
        grid.sync();
        out[grid.thread_rank()] += round;
        grid.sync();
        if (grid.thread_rank() == 0) words[1] = round;
    }
}

__global__ void wait_and_fault(volatile int* flag) {
    while (*flag == 0) {
    }
    *reinterpret_cast<int*>(16 * uintptr_t(*flag)) = 1;  // where there is nothing
}

/// Two streams that wait for nobody, a flag and a number that host and device share.
struct bench {
    cudaStream_t stream = nullptr, other = nullptr;
    int* words = nullptr;
    volatile int *flag = nullptr, *out = nullptr;
    bench() {
        EXPECT_OK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
        EXPECT_OK(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
        EXPECT_OK(cudaMallocHost(&words, 64));
        memset(words, 0, 64);
        flag = words;
        out = words + 1;
    }
    ~bench() {
        EXPECT_OK(cudaFreeHost(words));
        EXPECT_OK(cudaStreamDestroy(other));
        EXPECT_OK(cudaStreamDestroy(stream));
    }
};

void the_host_talks_to_a_kernel() {
    const bench at;
    serve<<<1, 1, 0, at.stream>>>(at.words);
    for (int question = 1; question < 20; question++) {
        *at.flag = question;
        while (*at.flag != 0) {
        }
        EXPECT(*at.out == question * question);
    }
    EXPECT(cudaStreamQuery(at.stream) == cudaErrorNotReady);
    *at.flag = -1;
    EXPECT_OK(cudaStreamSynchronize(at.stream));
    EXPECT_OK(cudaStreamQuery(at.stream));
}

void work_behind_it_comes_later() {
    const bench at;
    std::vector<int> order;
    cudaEvent_t before = nullptr, after = nullptr;
    EXPECT_OK(cudaEventCreate(&before));
    EXPECT_OK(cudaEventCreate(&after));
    EXPECT_OK(cudaEventRecord(before, at.stream));
    wait<<<1, 64, 0, at.stream>>>(at.words, at.words + 1);
    add<<<1, 1, 0, at.stream>>>(at.words + 1, 10);
    EXPECT_OK(cudaMemcpyAsync(at.words + 2, at.words + 1, 4, cudaMemcpyDefault, at.stream));
    EXPECT_OK(cudaLaunchHostFunc(
        at.stream, [](void* seen) { static_cast<std::vector<int>*>(seen)->push_back(1); }, &order));
    EXPECT_OK(cudaEventRecord(after, at.stream));
    EXPECT_OK(cudaStreamWaitEvent(at.other, after));
    EXPECT_OK(cudaLaunchHostFunc(
        at.other, [](void* seen) { static_cast<std::vector<int>*>(seen)->push_back(2); }, &order));
    EXPECT(*at.out == 0 && at.words[2] == 0 && order.empty());
    float ms = 0;
    EXPECT(cudaEventQuery(after) == cudaErrorNotReady &&
           cudaEventElapsedTime(&ms, before, after) != cudaSuccess);
    EXPECT_OK(cudaEventSynchronize(before));
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    *at.flag = 3;
    EXPECT_OK(cudaStreamSynchronize(at.other));
    EXPECT(*at.out == 13 && at.words[2] == 13);
    EXPECT((order == std::vector{1, 2}));
    EXPECT_OK(cudaEventElapsedTime(&ms, before, after));
    EXPECT(ms >= 20);
    EXPECT_OK(cudaEventDestroy(before));
    EXPECT_OK(cudaEventDestroy(after));
}

void another_stream_ends_it() {
    const bench at;
    set_variable<<<1, 1>>>(0);
    wait_for_variable<<<1, 32, 0, at.stream>>>(at.words + 1);
    set_variable<<<1, 1, 0, at.other>>>(7);
    EXPECT_OK(cudaStreamSynchronize(at.stream));
    EXPECT(*at.out == 7);
    // By a copy, also of memory that is not page-locked, and to a variable.
    int *d_flag = nullptr, one = 1, zero = 0;
    EXPECT_OK(cudaMalloc(&d_flag, sizeof(int)));
    EXPECT_OK(cudaMemset(d_flag, 0, sizeof(int)));
    wait<<<5, 32, 0, at.stream>>>(d_flag, nullptr);
    EXPECT_OK(cudaMemcpyAsync(d_flag, &one, sizeof one, cudaMemcpyHostToDevice, at.other));
    EXPECT_OK(cudaStreamSynchronize(at.stream));
    EXPECT_OK(cudaMemcpyToSymbol(g_flag, &zero, sizeof zero));
    wait_for_variable<<<1, 32, 0, at.stream>>>(at.words + 1);
    one = 11;
    EXPECT_OK(cudaMemcpyToSymbolAsync(g_flag, &one, sizeof one, 0, cudaMemcpyHostToDevice, at.other));
    EXPECT_OK(cudaDeviceSynchronize());
    EXPECT(*at.out == 11);
    EXPECT_OK(cudaFree(d_flag));
}

void the_default_stream_is_behind_streams_that_block() {
    const bench at;
    cudaStream_t blocking = nullptr;
    EXPECT_OK(cudaStreamCreate(&blocking));
    wait<<<1, 1, 0, blocking>>>(at.words, at.words + 1);
    add<<<1, 1>>>(at.words + 1, 20);
    add<<<1, 1, 0, at.other>>>(at.words + 2, 1);
    EXPECT(*at.out == 0 && at.words[2] == 1);
    EXPECT_OK(cudaStreamSynchronize(at.other));
    *at.flag = 1;
    int back = 0;
    EXPECT_OK(cudaMemcpy(&back, at.words + 1, sizeof back, cudaMemcpyDefault));
    EXPECT(back == 21);
    EXPECT_OK(cudaStreamDestroy(blocking));
}

/// Sets the flag after a while.
std::thread set_later(const bench& at) {
    return std::thread([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(30));
        *at.flag = 5;
    });
}

void what_the_host_does_not_go_on_without() {
    const auto ends = [](const auto& call) {
        const bench at;
        int *d_data = nullptr, host = 0;
        EXPECT_OK(cudaMalloc(&d_data, sizeof(int)));
        wait<<<1, 1, 0, at.stream>>>(at.words, at.words + 1);
        std::thread setter = set_later(at);
        EXPECT(*at.out == 0);
        call(at, d_data, host);
        EXPECT(*at.out == 5);
        setter.join();
        EXPECT_OK(cudaFree(d_data));
    };
    ends([](const bench&, int*&, int) { EXPECT_OK(cudaDeviceSynchronize()); });
    ends([](const bench&, int*& d_data, int) {
        EXPECT_OK(cudaFree(d_data));
        d_data = nullptr;
    });
    ends([](const bench& at, int*& d_data, int host) {
        EXPECT_OK(cudaMemcpyAsync(&host, d_data, sizeof host, cudaMemcpyDeviceToHost, at.stream));
    });
    ends([](const bench& at, int*&, int host) {
        EXPECT_OK(
            cudaMemcpyFromSymbolAsync(&host, g_flag, sizeof host, 0, cudaMemcpyDeviceToHost, at.stream));
    });
    ends([](const bench& at, int*&, int) {
        while (cudaStreamQuery(at.stream) == cudaErrorNotReady)
            std::this_thread::yield();
    });
}

void one_behind_the_other() {
    const bench at;
    for (int i = 0; i < 3; i++) {
        wait<<<1, 1, 0, at.stream>>>(at.words + 4 + i, nullptr);
        add<<<1, 1, 0, at.stream>>>(at.words + 1, 1);
    }
    volatile int* const flags = at.words + 4;
    for (int i = 0; i < 3; i++) {
        EXPECT(*at.out == i);
        flags[i] = 1;
        while (*at.out == i)
            (void)cudaStreamQuery(at.stream);
    }
    EXPECT_OK(cudaStreamSynchronize(at.stream));
}

void of_two_streams_one_behind_the_other() {
    const bench at;
    int *first = at.words + 4, *second = at.words + 5;
    cudaEvent_t event = nullptr;
    EXPECT_OK(cudaEventCreate(&event));
    wait<<<1, 1, 0, at.stream>>>(first, nullptr);
    EXPECT_OK(cudaEventRecord(event, at.stream));
    EXPECT_OK(cudaStreamWaitEvent(at.other, event));
    wait<<<1, 1, 0, at.other>>>(second, nullptr);
    add<<<1, 1, 0, at.other>>>(at.words + 2, 1);
    add<<<1, 1, 0, at.stream>>>(at.words + 1, 10);
    *const_cast<volatile int*>(first) = 1;
    EXPECT_OK(cudaStreamSynchronize(at.stream));  // not behind the second one
    EXPECT(*at.out == 10 && at.words[2] == 0);
    EXPECT_OK(cudaMemcpyAsync(at.words + 3, at.words + 2, 4, cudaMemcpyDefault, at.other));
    add<<<1, 1, 0, at.stream>>>(at.words + 1, 10);
    EXPECT(*at.out == 20 && at.words[3] == 0);
    EXPECT(cudaStreamQuery(at.other) == cudaErrorNotReady);
    *const_cast<volatile int*>(second) = 1;
    EXPECT_OK(cudaStreamSynchronize(at.other));
    EXPECT(at.words[3] == 1);
    EXPECT_OK(cudaEventDestroy(event));
}

void all_blocks_of_a_grid() {
    const bench at;
    constexpr int BLOCKS = 3, THREADS = 64, ROUNDS = 4;
    int *d_out = nullptr, count = ROUNDS, back[BLOCKS * THREADS] = {};
    EXPECT_OK(cudaMalloc(&d_out, sizeof back));
    EXPECT_OK(cudaMemset(d_out, 0, sizeof back));
    volatile int* words = at.words;
    void* arguments[] = {&words, &d_out, &count};
    EXPECT_OK(cudaLaunchCooperativeKernel(rounds, BLOCKS, THREADS, arguments, 0, at.stream));
    for (int round = 1; round <= ROUNDS; round++) {
        words[0] = round;
        while (words[1] != round) {
        }
    }
    EXPECT_OK(cudaStreamSynchronize(at.stream));
    EXPECT_OK(cudaMemcpy(back, d_out, sizeof back, cudaMemcpyDeviceToHost));
    EXPECT(back[0] == 10 && back[BLOCKS * THREADS - 1] == 10);
    EXPECT_OK(cudaFree(d_out));
}

void a_fault_is_known_when_it_has_ended() {
    const child_end end = in_child([] {
        int* words = nullptr;
        cudaMallocHost(&words, sizeof(int));
        *words = 0;
        wait_and_fault<<<1, 1>>>(words);
        if (cudaGetLastError() != cudaSuccess) _exit(1);
        *words = 1;
        _exit(cudaDeviceSynchronize() == cudaErrorIllegalAddress ? 7 : 2);
    });
    EXPECT(end.code == 7);
}

int main() {
    return run_cases({a_fault_is_known_when_it_has_ended,  // first, for it forks
                      the_host_talks_to_a_kernel, work_behind_it_comes_later, another_stream_ends_it,
                      the_default_stream_is_behind_streams_that_block, what_the_host_does_not_go_on_without,
                      one_behind_the_other, of_two_streams_one_behind_the_other, all_blocks_of_a_grid});
}
