// Order between blocks: a reduction whose last block adds up what all blocks left, and ways to get it wrong.
#include "detection.h"

constexpr int THREADS = 64, BLOCKS = 8, N = BLOCKS * THREADS;

__device__ unsigned int d_tickets;
__device__ unsigned int d_tickets_of_row[BLOCKS];

/// The sum of the block's values; thread 0 has it.
__device__ float block_sum(float value) {
    __shared__ float s_sums[THREADS];
    s_sums[threadIdx.x] = value;
    for (int half = THREADS / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half) s_sums[threadIdx.x] += s_sums[threadIdx.x + half];
    }
    return s_sums[threadIdx.x];
}
__device__ float value_of_thread(const float* in) {
    return in[blockIdx.x * THREADS + threadIdx.x];
}

// Thread 0 of a block leaves the sum, makes it visible and takes a ticket; the last block adds up.
template <bool RIGHT>
__global__ void no_fence(float* out, const float* in, float* partial) {
    __shared__ bool s_is_last;
    const float sum = block_sum(value_of_thread(in));
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = sum;  // HERE no_fence: race
        if (RIGHT) __threadfence();
        s_is_last = atomicInc(&d_tickets, BLOCKS - 1) == BLOCKS - 1;
    }
    __syncthreads();
    if (!s_is_last) return;
    const float total = block_sum(threadIdx.x < BLOCKS ? partial[threadIdx.x] : 0);
    if (threadIdx.x == 0) out[0] = total;
}

// The fence comes when the ticket is taken already.
template <bool RIGHT>
__global__ void late_fence(float* out, const float* in, float* partial) {
    __shared__ bool s_is_last;
    const float sum = block_sum(value_of_thread(in));
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = sum;  // HERE late_fence: race
        if (RIGHT) __threadfence();
        s_is_last = atomicInc(&d_tickets, BLOCKS - 1) == BLOCKS - 1;
        if (!RIGHT) __threadfence();
    }
    __syncthreads();
    if (!s_is_last) return;
    const float total = block_sum(threadIdx.x < BLOCKS ? partial[threadIdx.x] : 0);
    if (threadIdx.x == 0) out[0] = total;
}

// What is stored between the fence and the ticket is not visible either.
template <bool RIGHT>
__global__ void store_after_fence(float* out, const float* in, float* partial) {
    __shared__ bool s_is_last;
    const float sum = block_sum(value_of_thread(in));
    if (threadIdx.x == 0) {
        if (!RIGHT) __threadfence();
        partial[blockIdx.x] = sum;  // HERE store_after_fence: race
        if (RIGHT) __threadfence();
        s_is_last = atomicInc(&d_tickets, BLOCKS - 1) == BLOCKS - 1;
    }
    __syncthreads();
    if (!s_is_last) return;
    const float total = block_sum(threadIdx.x < BLOCKS ? partial[threadIdx.x] : 0);
    if (threadIdx.x == 0) out[0] = total;
}

// Nobody counts: the block with the highest number is not the last one.
template <bool RIGHT>
__global__ void no_ticket(float* out, const float* in, float* partial) {
    __shared__ bool s_is_last;
    const float sum = block_sum(value_of_thread(in));
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = sum;  // HERE no_ticket: race
        __threadfence();
        s_is_last = RIGHT ? atomicInc(&d_tickets, BLOCKS - 1) == BLOCKS - 1 : blockIdx.x == BLOCKS - 1;
    }
    __syncthreads();
    if (!s_is_last) return;
    const float total = block_sum(threadIdx.x < BLOCKS ? partial[threadIdx.x] : 0);
    if (threadIdx.x == 0) out[0] = total;
}

// A ticket too low is not the last one.
template <bool RIGHT>
__global__ void ticket_too_low(float* out, const float* in, float* partial) {
    __shared__ bool s_is_last;
    const float sum = block_sum(value_of_thread(in));
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = sum;  // HERE ticket_too_low: race
        __threadfence();
        s_is_last = atomicInc(&d_tickets, BLOCKS - 1) == BLOCKS - (RIGHT ? 1 : 2);
    }
    __syncthreads();
    if (!s_is_last) return;
    const float total = block_sum(threadIdx.x < BLOCKS ? partial[threadIdx.x] : 0);
    if (threadIdx.x == 0) out[0] = total;
}

// Every thread stores; all of them must be done before one of them takes the ticket.
template <bool RIGHT>
__global__ void ticket_before_barrier(float* out, const float* in, float* partial) {
    __shared__ bool s_is_last;
    const int x = blockIdx.x * THREADS + threadIdx.x;
    partial[x] = 2 * in[x];  // HERE ticket_before_barrier: race
    __threadfence();
    if (RIGHT) __syncthreads();
    if (threadIdx.x == 0) s_is_last = atomicInc(&d_tickets, BLOCKS - 1) == BLOCKS - 1;
    __syncthreads();
    if (!s_is_last) return;
    float sum = 0;
    for (int block = 0; block < BLOCKS; block++)
        sum += partial[block * THREADS + threadIdx.x];
    const float total = block_sum(sum);
    if (threadIdx.x == 0) out[0] = total / 2;
}

// A barrier, then one fence for all.
template <bool RIGHT>
__global__ void fence_without_barrier(float* out, const float* in, float* partial) {
    __shared__ bool s_is_last;
    const int x = blockIdx.x * THREADS + threadIdx.x;
    partial[x] = 2 * in[x];  // HERE fence_without_barrier: race
    if (RIGHT) __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        s_is_last = atomicInc(&d_tickets, BLOCKS - 1) == BLOCKS - 1;
    }
    __syncthreads();
    if (!s_is_last) return;
    float sum = 0;
    for (int block = 0; block < BLOCKS; block++)
        sum += partial[block * THREADS + threadIdx.x];
    const float total = block_sum(sum);
    if (threadIdx.x == 0) out[0] = total / 2;
}

// Two queues: the last of a row's blocks adds up its row, and not the other one.
template <bool RIGHT>
__global__ void other_row(float* out, const float* in, float* partial) {
    __shared__ bool s_is_last;
    constexpr int ROWS = 2, IN_ROW = BLOCKS / ROWS;
    const int row = blockIdx.x % ROWS;
    const float sum = block_sum(value_of_thread(in));
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = sum;  // HERE other_row: race
        __threadfence();
        s_is_last = atomicInc(&d_tickets_of_row[row], IN_ROW - 1) == IN_ROW - 1;
    }
    __syncthreads();
    if (!s_is_last || threadIdx.x != 0) return;
    float total = 0;
    for (int i = 0; i < IN_ROW; i++)
        total += partial[i * ROWS + (RIGHT ? row : 1 - row)];
    atomicAdd(&out[0], total);
}

// The last block may read and write what it likes; all blocks write here, ticket or not.
template <bool RIGHT>
__global__ void everyone_writes(float* out, const float* in, float* partial) {
    __shared__ bool s_is_last;
    const float sum = block_sum(value_of_thread(in));
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = sum;
        __threadfence();
        s_is_last = atomicInc(&d_tickets, BLOCKS - 1) == BLOCKS - 1;
    }
    __syncthreads();
    if (RIGHT && !s_is_last) return;
    const bool has_part = s_is_last && threadIdx.x < BLOCKS;
    const float total = block_sum(has_part ? partial[threadIdx.x] : 0);
    if (threadIdx.x == 0) out[0] = total;  // HERE everyone_writes: race
}

// One warp of the last block adds up; a shuffle hands it the ticket.
template <bool RIGHT>
__global__ void last_warp(float* out, const float* in, float* partial) {
    const float sum = block_sum(value_of_thread(in));
    if (threadIdx.x >= 32) return;
    unsigned int ticket = 0;
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = sum;  // HERE last_warp: race
        if (RIGHT) __threadfence();
        ticket = atomicInc(&d_tickets, BLOCKS - 1);
    }
    ticket = __shfl_sync(0xffffffff, ticket, 0);
    __syncwarp();  // a shuffle hands over its value and orders nothing else
    if (ticket != BLOCKS - 1) return;
    float total = threadIdx.x < BLOCKS ? partial[threadIdx.x] : 0;
    for (int lanes = 16; lanes > 0; lanes /= 2)
        total += __shfl_down_sync(0xffffffff, total, lanes);
    if (threadIdx.x == 0) out[0] = total;
}

// The last block adds up more partial sums than there are.
template <bool RIGHT>
__global__ void too_many(float* out, const float* in, float* partial) {
    __shared__ bool s_is_last;
    const float sum = block_sum(value_of_thread(in));
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = sum;
        __threadfence();
        s_is_last = atomicAdd(&d_tickets, 1) == BLOCKS - 1;
    }
    __syncthreads();
    if (!s_is_last || threadIdx.x != 0) return;
    float total = 0;
    for (int i = 0; i < BLOCKS + (RIGHT ? 0 : 1); i++)
        total += partial[i];  // HERE too_many: uninitialised-read
    out[0] = total;
    d_tickets = 0;  // for the next launch
}

using sum_kernel = void(float*, const float*, float*);

// Twice, because a kernel has to leave its counter as it was. Partial sums begin as the device gives them,
// or set: then a missing order shows as a race and not as something that was never written too.
bool adds_up(sum_kernel* kernel, bool is_set = true) {
    const device_array<float> in(ramp(N)), out(zeros(1));
    bool is_right = true;
    for (int turn = 0; turn < 2; turn++) {
        const device_array<float> partial(N);
        if (is_set) cudaMemset(partial, 0, N * sizeof(float));
        cudaMemset(out, 0, sizeof(float));
        kernel<<<BLOCKS, THREADS>>>(out, in, partial);
        is_right &= out.host()[0] == N * (N - 1) / 2;
    }
    return is_right;
}

int main(int argc, char** argv) {
    return detect(
        __FILE__, argc, argv,
        {
            {"no_fence", [](auto right) { return adds_up(no_fence<right>, !right); }},
            {"late_fence", [](auto right) { return adds_up(late_fence<right>, !right); }},
            {"store_after_fence", [](auto right) { return adds_up(store_after_fence<right>); }},
            {"no_ticket", [](auto right) { return adds_up(no_ticket<right>); }},
            {"ticket_too_low", [](auto right) { return adds_up(ticket_too_low<right>); }},
            {"ticket_before_barrier", [](auto right) { return adds_up(ticket_before_barrier<right>); }},
            {"fence_without_barrier",
             [](auto right) { return adds_up(fence_without_barrier<right>, !right); }},
            {"other_row", [](auto right) { return adds_up(other_row<right>); }},
            {"everyone_writes", [](auto right) { return adds_up(everyone_writes<right>); }},
            {"last_warp", [](auto right) { return adds_up(last_warp<right>, !right); }},
            {"too_many", [](auto right) { return adds_up(too_many<right>, false); }},
        });
}
