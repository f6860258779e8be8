// Threads in step and out of step: a program computes the same, whether the scheduler takes every turn (an observer
// wants to know of it) or threads that do the same pass turns on.
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

/// A frame that %rbp points to, of an alignment of its own, with values of all kinds across barriers.
__global__ void frames(double* out, int values) {
    __shared__ double s_values[THREADS];
    alignas(64) double own[16];
    const int t = threadIdx.x;
    double sum = t;
    double* const more = static_cast<double*>(__builtin_alloca(values * sizeof(double)));
    for (int i = 0; i < values; i++) {
        own[i % 16] = more[i] = t + i;
        s_values[t] = own[i % 16] * 2;
        __syncthreads();
        sum += s_values[THREADS - 1 - t] / 4 + more[i / 2];
        if (i == 5 && t % 2) __syncwarp(__activemask());
        __syncthreads();
    }
    out[t] = sum + own[t % 16] + (reinterpret_cast<uintptr_t>(own) % 64);
}

/// Calls nothing: what no register holds may lie below the stack pointer.
__global__ void leaf(int* out, const int* in, int rounds) {
    const int t = threadIdx.x;
    int a = in[t], b = in[t + 1], c = in[t + 2], d = in[t + 3], e = in[t + 4], f = in[t + 5];
    for (int i = 0; i < rounds; i++) {
        __syncthreads();
        if (i == rounds - 1 && t == THREADS / 2) return;  // those before it wait, those behind it have waited
        a += b, b += c, c += d, d += e, e += f, f += a;
    }
    out[t] = a + b + c + d + e + f;
}

static void check_leaf() {
    device_array<int> in(THREADS + 5), out(THREADS);
    leaf<<<1, THREADS>>>(out, in, 9);
    std::vector<int> values(THREADS + 5);
    for (int i = 0; i < int(values.size()); i++)
        values[i] = i;
    EXPECT(cudaMemcpy(in, values.data(), values.size() * sizeof(int), cudaMemcpyHostToDevice) == cudaSuccess);
    leaf<<<1, THREADS>>>(out, in, 9);
    const auto without = out.host();
    recorder seen;
    leaf<<<1, THREADS>>>(out, in, 9);
    EXPECT(out.host() == without && without[1] != without[2]);
}

static void check_frames() {
    constexpr int VALUES = 20;
    device_array<double> out(THREADS);
    frames<<<1, THREADS>>>(out, VALUES);
    const auto seen = out.host();
    for (int t = 0; t < THREADS; t++) {
        double expected = t + t + (t % 16 < 4 ? t % 16 + 16 : t % 16);
        for (int i = 0; i < VALUES; i++)
            expected += (THREADS - 1 - t + i) / 2.0 + t + i / 2;
        EXPECT(seen[t] == expected);
    }
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
    return run_cases({check_many, check_returns, check_leaf, check_frames, check_given_up, check_many});
}
