// cuda::barrier and cuda::pipeline: values, and what ends a launch.
#include <cooperative_groups.h>

#include <cuda/barrier>
#include <cuda/pipeline>

#include "engine_test.h"

namespace cg = cooperative_groups;
using block_barrier = cuda::barrier<cuda::thread_scope_block>;

constexpr int THREADS = 96;

/// Values go round the block, by a token, at once, and by parity.
__global__ void go_round(int* out) {
    __shared__ block_barrier s_barrier;
    __shared__ int s_values[THREADS];
    if (threadIdx.x == 0) init(&s_barrier, THREADS);
    __syncthreads();  // the barrier is there
    s_values[threadIdx.x] = threadIdx.x;
    for (int turn = 0; turn < 5; turn++) {
        auto token = s_barrier.arrive();
        s_barrier.wait(std::move(token));
        const int next = s_values[(threadIdx.x + 1) % THREADS];
        s_barrier.arrive_and_wait();
        s_values[threadIdx.x] = next;
    }
    static_cast<void>(s_barrier.arrive());
    s_barrier.wait_parity(0);  // the 11th phase
    out[threadIdx.x] = s_values[(threadIdx.x + 1) % THREADS];
}

/// One warp drops out after every phase.
__global__ void drop_out(int* out) {
    __shared__ block_barrier s_barrier;
    __shared__ int s_sum;
    if (threadIdx.x == 0) {
        init(&s_barrier, THREADS);
        s_sum = 0;
    }
    __syncthreads();  // barrier and sum are there
    const int warp = int(threadIdx.x) / 32;
    for (int turn = 0; turn < warp; turn++) {
        atomicAdd(&s_sum, 1);
        s_barrier.arrive_and_wait();
    }
    s_barrier.arrive_and_drop();
    if (warp == 2) out[threadIdx.x] = s_sum;
}

/// Blocks count each other in.
__global__ void of_all_blocks(int* out, cuda::barrier<cuda::thread_scope_device>* barrier) {
    if (threadIdx.x != 0) return;
    out[blockIdx.x] = blockIdx.x + 1;
    barrier->arrive_and_wait();
    int sum = 0;
    for (unsigned block = 0; block < gridDim.x; block++)
        sum += out[block];
    barrier->arrive_and_wait();
    out[blockIdx.x] = sum;
}
__global__ void begin_barrier(cuda::barrier<cuda::thread_scope_device>* barrier, int threads) {
    init(barrier, threads);
}

/// Copies of any alignment are there when the phase ends, and not before a thread has come.
__global__ void copies_by_barrier(int* out, const int* in) {
    __shared__ block_barrier s_barrier;
    __shared__ int s_tile[THREADS];
    __shared__ char s_bytes[THREADS];
    const cg::thread_block block = cg::this_thread_block();
    if (block.thread_rank() == 0) init(&s_barrier, THREADS);
    block.sync();  // the barrier is there
    cuda::memcpy_async(block, s_tile, in, sizeof s_tile, s_barrier);
    cuda::memcpy_async(block, s_bytes + 1, reinterpret_cast<const char*>(in) + 2, THREADS - 3, s_barrier);
    const bool too_early = s_tile[threadIdx.x / 32 * 32] == in[threadIdx.x / 32 * 32];
    s_barrier.arrive_and_wait();
    const int next = s_tile[(threadIdx.x + 1) % THREADS];
    const bool right = s_bytes[1 + threadIdx.x % (THREADS - 3)] ==
                       reinterpret_cast<const char*>(in)[2 + threadIdx.x % (THREADS - 3)];
    out[threadIdx.x] = too_early ? -1 : right ? next : -2;
}

/// The thread that copies is not the one that arrives.
__global__ void copies_for_another(int* out, const int* in) {
    __shared__ block_barrier s_barrier;
    __shared__ int s_tile[THREADS];
    if (threadIdx.x == 0) init(&s_barrier, 1);
    __syncthreads();  // the barrier is there
    cuda::memcpy_async(&s_tile[threadIdx.x], &in[threadIdx.x], sizeof(int), s_barrier);
    __syncthreads();  // all copies are asked for
    if (threadIdx.x == 40) static_cast<void>(s_barrier.arrive());
    s_barrier.wait_parity(false);
    out[threadIdx.x] = s_tile[(threadIdx.x + 1) % THREADS];
}

constexpr int STAGES = 3, BATCHES = 10;

/// Each thread's own pipeline: sums of what it copied.
__global__ void own_pipeline(int* out, const int* in) {
    __shared__ int s_ring[STAGES][THREADS];
    cuda::pipeline<cuda::thread_scope_thread> pipe = cuda::make_pipeline();
    int sum = 0;
    for (int batch = 0, asked = 0; batch < BATCHES; batch++) {
        for (; asked < batch + STAGES && asked < BATCHES; asked++) {
            pipe.producer_acquire();
            cuda::memcpy_async(&s_ring[asked % STAGES][threadIdx.x], &in[asked * THREADS + threadIdx.x],
                               cuda::aligned_size_t<4>(4), pipe);
            pipe.producer_commit();
        }
        pipe.consumer_wait();
        sum += s_ring[batch % STAGES][threadIdx.x];
        pipe.consumer_release();
    }
    out[threadIdx.x] = sum;
}

/// The block's: all copy and all sum, or the last warp copies for the others.
template <bool PARTED>
__global__ void block_pipeline(int* out, const int* in) {
    __shared__ int s_ring[STAGES][THREADS];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, STAGES> s_state;
    const cg::thread_block block = cg::this_thread_block();
    const bool produces = !PARTED || threadIdx.x >= THREADS - 32, consumes = !PARTED || !produces;
    const auto role = produces ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer;
    auto pipe = [&] {
        if constexpr (PARTED)
            return cuda::make_pipeline(block, &s_state, role);
        else
            return cuda::make_pipeline(block, &s_state);
    }();
    int sum = 0;
    for (int batch = 0; batch < BATCHES; batch++) {
        if (produces) {
            pipe.producer_acquire();
            for (int x = threadIdx.x % 32; x < THREADS; x += PARTED ? 32 : THREADS)
                cuda::memcpy_async(&s_ring[batch % STAGES][PARTED ? x : threadIdx.x],
                                   &in[batch * THREADS + (PARTED ? x : threadIdx.x)], sizeof(int), pipe);
            pipe.producer_commit();
        }
        if (consumes) {
            pipe.consumer_wait();
            sum += s_ring[batch % STAGES][(threadIdx.x + 1) % THREADS];
            pipe.consumer_release();
        }
    }
    out[threadIdx.x] = consumes ? sum : -1;
}

__global__ void never_begun() {
    __shared__ block_barrier s_barrier;
    static_cast<void>(s_barrier.arrive());  // HERE never_begun: launch-error
}
__global__ void too_many() {
    __shared__ block_barrier s_barrier;
    if (threadIdx.x == 0) init(&s_barrier, 40);
    __syncthreads();                          // the barrier is there
    static_cast<void>(s_barrier.arrive(41));  // HERE too_many: launch-error
}
__global__ void too_few() {
    __shared__ block_barrier s_barrier;
    if (threadIdx.x == 0) init(&s_barrier, 33);
    __syncthreads();              // the barrier is there
    s_barrier.arrive_and_wait();  // HERE too_few: deadlock
}
__global__ void for_nobody() {
    __shared__ block_barrier s_barrier;
    init(&s_barrier, 0);  // HERE for_nobody: launch-error
}
__global__ void broken_promise(const char* in) {
    __shared__ block_barrier s_barrier;
    __shared__ int s_word;
    init(&s_barrier, 1);
    auto* const to = reinterpret_cast<char*>(&s_word);
    cuda::memcpy_async(to, in + 1, cuda::aligned_size_t<4>(4), s_barrier);  // HERE broken_promise: misaligned
}
__global__ void nobody_consumes() {
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> s_state;
    auto pipe = cuda::make_pipeline(cg::this_thread_block(), &s_state, cuda::pipeline_role::producer);
    pipe.producer_acquire();
}

template <class launch_type>
static void check_values(const char* name, const launch_type& launch, int (*wanted)(int thread)) {
    std::vector<int> values(THREADS * BATCHES);
    for (size_t i = 0; i < values.size(); i++)
        values[i] = int(i * 7 + 3);
    const device_array<int> in(values.size()), out(THREADS);
    cudaMemcpy(in.data, values.data(), values.size() * sizeof(int), cudaMemcpyHostToDevice);
    launch(out.data, in.data);
    bool right = cudaGetLastError() == cudaSuccess;
    for (int thread = 0; thread < THREADS; thread++)
        right &= out.host()[size_t(thread)] == wanted(thread);
    expect(right, name);
}
static int value(int i) {
    return i * 7 + 3;
}
static int sum_of(int x) {
    int sum = 0;
    for (int batch = 0; batch < BATCHES; batch++)
        sum += value(batch * THREADS + x);
    return sum;
}
static int next_value(int thread) {
    return value((thread + 1) % THREADS);
}

static void check_barriers() {
    check_values(
        "values go round", [](int* out, const int*) { go_round<<<1, THREADS>>>(out); },
        [](int thread) { return (thread + 6) % THREADS; });
    check_values(
        "warps drop out", [](int* out, const int*) { drop_out<<<1, THREADS>>>(out); },
        [](int thread) { return thread < 64 ? 0 : 96; });
    constexpr int BLOCKS = 12;
    const device_array<int> out(BLOCKS);
    cuda::barrier<cuda::thread_scope_device>* barrier = nullptr;
    EXPECT(cudaMalloc(&barrier, sizeof *barrier) == cudaSuccess);
    begin_barrier<<<1, 1>>>(barrier, BLOCKS);
    void* arguments[] = {(void*)&out.data, &barrier};
    EXPECT(cudaLaunchCooperativeKernel(of_all_blocks, BLOCKS, 32, arguments) == cudaSuccess);
    EXPECT(out.at(0) == BLOCKS * (BLOCKS + 1) / 2 && out.at(BLOCKS - 1) == out.at(0));
    cudaFree(barrier);
}

static void check_copies() {
    check_values(
        "copies by a barrier", [](int* out, const int* in) { copies_by_barrier<<<1, THREADS>>>(out, in); },
        next_value);
    check_values(
        "copies for another thread",
        [](int* out, const int* in) { copies_for_another<<<1, THREADS>>>(out, in); }, next_value);
}

static void check_pipelines() {
    check_values(
        "a thread's pipeline", [](int* out, const int* in) { own_pipeline<<<1, THREADS>>>(out, in); },
        sum_of);
    check_values(
        "a block's pipeline", [](int* out, const int* in) { block_pipeline<false><<<1, THREADS>>>(out, in); },
        [](int thread) { return sum_of((thread + 1) % THREADS); });
    check_values(
        "producers and consumers",
        [](int* out, const int* in) { block_pipeline<true><<<1, THREADS>>>(out, in); },
        [](int thread) { return thread < 64 ? sum_of(thread + 1) : -1; });
}

template <class launch_type>
static void check_refused(const char* mark, const char* kind, const char* word, cudaError_t error,
                          const launch_type& launch) {
    {
        recorder seen;
        launch();
        expect(seen.only(kind, mark ? marked_line(__FILE__, mark) : 0) &&
                   seen.text().find(word) != std::string::npos,
               std::string(word) + ", not " + seen.text());
    }
    EXPECT(cudaGetLastError() == error);
    cudaDeviceReset();
}

static void check_mistakes() {
    const cudaError_t failed = cudaErrorLaunchFailure;
    check_refused("never_begun", "launch-error", "init() has not been called", failed,
                  [] { never_begun<<<1, 1>>>(); });
    check_refused("too_many", "launch-error", "41 threads arrive at a cuda::barrier that waits for", failed,
                  [] { too_many<<<1, 32>>>(); });
    check_refused("for_nobody", "launch-error", "a cuda::barrier for 0 threads", failed,
                  [] { for_nobody<<<1, 1>>>(); });
    check_refused("too_few", "deadlock", "32 wait for threads of the block that do not come",
                  cudaErrorLaunchTimeout, [] { too_few<<<1, 32>>>(); });
    check_refused("broken_promise", "misaligned", "must be 4, 8 or 16", cudaErrorMisalignedAddress, [] {
        char* in = nullptr;
        cudaMalloc(&in, 64);
        broken_promise<<<1, 1>>>(in);
    });
    check_refused(nullptr, "launch-error", "a cuda::pipeline needs a producer and a consumer", failed,
                  [] { nobody_consumes<<<1, 32>>>(); });
}

int main() {
    return run_cases({check_barriers, check_copies, check_pipelines, check_mistakes});
}
