// Atomics from several blocks at the same time, and what an observer hears of them.
#include "engine_test.h"

struct totals {
    int added, least, most;
    unsigned added_unsigned, wrapped, down, anded, ored, xored;
    unsigned long long added_long;
    float added_float;
    double added_double;
    int lock, in_lock;
};

__device__ int counter;

__global__ void update(totals* t) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    atomicAdd(&t->added, 1);
    atomicSub(&t->added, -1);
    atomicMin(&t->least, 500 - x);
    atomicMax(&t->most, x);
    atomicAdd(&t->added_unsigned, 2u);
    atomicInc(&t->wrapped, 9);
    atomicDec(&t->down, 4);
    atomicAnd(&t->anded, ~(1u << x % 32));
    atomicOr(&t->ored, 1u << x % 32);
    atomicXor(&t->xored, unsigned(x));
    atomicAdd(&t->added_long, 1ull << 33);
    atomicAdd(&t->added_float, 0.5f);
    atomicAdd(&t->added_double, 0.25);
    atomicAdd(&counter, 1);
    while (atomicCAS(&t->lock, 0, 1) != 0) {
    }
    t->in_lock += 1;
    atomicExch(&t->lock, 0);
}

__global__ void one_of_each(int* global) {
    __shared__ int s_count;
    if (threadIdx.x == 0) s_count = 0;
    __syncthreads();                      // zeroed before it is counted up
    atomicAdd(&s_count, 1);               // HERE add
    atomicMax(global, int(threadIdx.x));  // HERE max
}

struct shared_totals {
    int signs, wrapped;
    unsigned long long longs;
    float floats;
    double doubles;
};

/// Thread 0 waits, adding nothing, for the last one.
__global__ void update_shared(shared_totals* out) {
    __shared__ shared_totals s_total;
    __shared__ int s_all_came;
    if (threadIdx.x == 0) {
        s_total = {0, 0x7fffffff, 0, 0, 0};
        s_all_came = 0;
    }
    __syncthreads();
    const int before = atomicAdd(&s_total.signs, -1);
    atomicAdd(&s_total.wrapped, 1);
    atomicAdd(&s_total.longs, 1ull << 33);
    atomicAdd(&s_total.floats, 0.5f);
    atomicAdd(&s_total.doubles, 0.25);
    if (before == 1 - int(blockDim.x)) atomicAdd(&s_all_came, 1);
    if (threadIdx.x == 0) {
        while (atomicAdd(&s_all_came, 0) == 0) {
        }
        out[blockIdx.x] = s_total;
    }
}

static void check_shared() {
    const int blocks = 50, threads = 200;
    device_array<shared_totals> out(blocks);
    update_shared<<<blocks, threads>>>(out.data);
    EXPECT(cudaDeviceSynchronize() == cudaSuccess);
    for (const shared_totals& got : out.host()) {
        EXPECT(got.signs == -threads && got.wrapped == -0x7fffffff - 1 + (threads - 1));
        EXPECT(got.longs == (1ull << 33) * threads);
        EXPECT(got.floats == threads * 0.5f && got.doubles == threads * 0.25);
    }
}

static void check_totals() {
    const int threads = 64 * 2000;
    device_array<totals> out(1);
    totals start = {};
    start.anded = ~0u;
    cudaMemcpy(out.data, &start, sizeof start, cudaMemcpyHostToDevice);
    update<<<2000, 64>>>(out.data);
    EXPECT(cudaGetLastError() == cudaSuccess);
    const totals got = out.host()[0];
    EXPECT(got.added == 2 * threads && got.least == 500 - threads + 1 && got.most == threads - 1);
    EXPECT(got.added_unsigned == 2u * threads && got.wrapped == threads % 10u);
    EXPECT(got.down == 0);  // a multiple of 5 steps through 4 3 2 1 0
    EXPECT(got.anded == 0 && got.ored == ~0u && got.xored == 0);
    EXPECT(got.added_long == (1ull << 33) * threads);
    EXPECT(got.added_float == threads * 0.5f && got.added_double == threads * 0.25);
    EXPECT(got.in_lock == threads);
    int counted = 0;
    EXPECT(cudaMemcpyFromSymbol(&counted, counter, sizeof counted) == cudaSuccess && counted == threads);
}

static void check_observed() {
    recorder seen;
    device_array<int> largest(1);
    one_of_each<<<1, 32>>>(largest.data);
    EXPECT(largest.host()[0] == 31);
    EXPECT(seen.accesses.size() == 64);
    EXPECT(seen.accesses[0].kind == simt::access_kind::atomic && seen.accesses[0].bytes == 4);
    EXPECT(seen.accesses[0].line == marked_line(__FILE__, "add"));
    EXPECT(seen.accesses[1].line == marked_line(__FILE__, "max"));
}

int main() {
    return run_cases({check_totals, check_shared, check_observed});
}
