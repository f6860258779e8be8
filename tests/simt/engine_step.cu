// Threads in step and out of step: a program computes the same, whether the scheduler takes every turn (an observer wants to
// know of it) or threads that do the same pass turns on.
#include "engine_test.h"

constexpr int BLOCKS = 12, THREADS = 100, ROUNDS = 6;

/// What a thread does between two barriers.
enum action { NOTHING, MEET, GIVE_WAY, VOTE, RETURN, OTHER_BARRIER, ACTIONS };

__host__ __device__ unsigned mixed(unsigned a, unsigned b, unsigned c) {
    unsigned h = a * 2654435761u ^ b * 2246822519u ^ c * 3266489917u;
    h = (h ^ h >> 15) * 2246822519u;
    return (h ^ h >> 13) * 3266489917u >> 8;
}

/// Alone: one thread of the block does it in that round, all others nothing. Else whole warps or all threads do.
__device__ action chosen(unsigned seed, int round, int thread) {
    const unsigned block = mixed(seed, blockIdx.x, round);
    const auto what = action(block % ACTIONS);
    if (what == MEET) return thread / 32 >= int(block / ACTIONS % 4) ? MEET : NOTHING;  // whole warps
    if (what == VOTE || what == NOTHING) return what;
    const int first = block / ACTIONS % THREADS, number = block / ACTIONS / THREADS % 3;
    const int end = number == 0 ? first + 1 : number == 1 ? THREADS : first + 33;
    return thread >= first && thread < end ? what : NOTHING;
}

__global__ void turns(unsigned* out, unsigned seed) {
    __shared__ unsigned s_values[THREADS];
    const int t = threadIdx.x;
    unsigned value = t;
    for (int round = 0; round < ROUNDS; round++) {
        bool waits_elsewhere = false;
        switch (chosen(seed, round, t)) {
            case MEET:
                value += __reduce_add_sync(__activemask(), value);
                break;
            case GIVE_WAY:
                for (int i = 0; i < 40;) {
                    if (++i < 40) goto again;
                    break;
                again:;
                }
                value += 3;
                break;
            case VOTE:
                value += __syncthreads_count(mixed(seed, t, round) % 2);
                break;
            case RETURN:
                out[blockIdx.x * blockDim.x + t] = value + round;
                return;
            case OTHER_BARRIER:
                waits_elsewhere = true;
                break;
            default:
                break;
        }
        s_values[t] = value;
        if (waits_elsewhere)
            value += __syncthreads_and(1);
        else
            __syncthreads();
        value = value * 5 + s_values[(t + 1) % THREADS];
        __syncthreads();
    }
    out[blockIdx.x * blockDim.x + t] = value;
}

__global__ void only_returns(int* out) {
    if (threadIdx.x % 3 == 0) return;
    out[blockIdx.x * blockDim.x + threadIdx.x] = threadIdx.x + threadIdx.y * 1000;
}

/// Its blocks are given up in the middle of a meeting.
__global__ void never_ends(int* out) {
    if (threadIdx.x < 16)
        __syncthreads();
    else
        __syncwarp();
    out[threadIdx.x] = 1;
}

static std::vector<unsigned> run(unsigned seed) {
    device_array<unsigned> out(BLOCKS * THREADS);
    turns<<<BLOCKS, THREADS>>>(out, seed);
    EXPECT(cudaGetLastError() == cudaSuccess);
    return out.host();
}

static void check_same(unsigned seed) {
    const auto without = run(seed);
    recorder seen;
    EXPECT(run(seed) == without);
}

static void check_returns() {
    device_array<int> out(7 * 64);
    only_returns<<<7, 64>>>(out);
    const auto seen = out.host();
    for (int i = 0; i < 7 * 64; i++)
        EXPECT(seen[i] == (i % 64 % 3 == 0 ? 0 : i % 64));
}

static void check_many() {
    for (unsigned seed = 0; seed < 100; seed++)
        check_same(seed);
}

static void check_given_up() {
    device_array<int> out(THREADS);
    never_ends<<<20, THREADS>>>(out);
    EXPECT(cudaGetLastError() == cudaErrorLaunchTimeout);
    out.forget();
    EXPECT(cudaDeviceReset() == cudaSuccess);
}

int main() {
    return run_cases({check_many, check_returns, check_given_up, check_many});
}
