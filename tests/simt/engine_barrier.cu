// Block barriers: votes, threads that skip them, barriers that can never be passed.
#include "engine_test.h"

__global__ void votes(int* out) {
    const int t = threadIdx.x;
    for (int round = 0; round < 3; round++) {
        const int count = __syncthreads_count(t < 7 + round);
        const int all = __syncthreads_and(t < 100);
        const int some = __syncthreads_or(t == 99 + round);
        if (t == round) out[round] = count * 100 + all * 10 + some;
    }
}

__global__ void rotate(int* out, int rounds) {
    __shared__ int s_values[96];
    s_values[threadIdx.x] = threadIdx.x;
    for (int i = 0; i < rounds; i++) {
        __syncthreads();  // the neighbour's value has been written
        const int next = s_values[(threadIdx.x + 1) % blockDim.x];
        __syncthreads();  // everybody has read
        s_values[threadIdx.x] = next;
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = s_values[threadIdx.x];
}

__global__ void early_return(int* out, int n) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (x >= n) return;
    out[x] = 1;
    __syncthreads();  // HERE early_return
    out[x] = 2;
}

__global__ void two_barriers(int* out) {
    if (threadIdx.x < 32) {
        out[threadIdx.x] = 1;
        __syncthreads();
    } else {
        __syncthreads();  // HERE two_barriers
        out[threadIdx.x] = 1;
    }
}

/// One barrier of the source, several copies in the machine code.
template <int rounds>
__global__ void unrolled(int* out) {
#pragma unroll
    for (int i = 0; i < rounds; i++) {
        out[threadIdx.x] += i;
        if (threadIdx.x % 2) out[threadIdx.x]++;
        __syncthreads();
    }
}

__global__ void half_waits(int* out) {
    if (threadIdx.x < 16) {
        __syncthreads();
    } else {
        __syncwarp();  // names lanes that wait at the other barrier
    }
    out[threadIdx.x] = 1;
}

static void check_votes() {
    device_array<int> out(3);
    votes<<<1, 100>>>(out.data);
    const auto seen = out.host();
    EXPECT(seen[0] == 711 && seen[1] == 810 && seen[2] == 910);
}

static void check_rotation() {
    device_array<int> out(50 * 96);
    rotate<<<50, 96>>>(out.data, 40);
    const auto seen = out.host();
    EXPECT(cudaGetLastError() == cudaSuccess);
    bool right = true;
    for (int i = 0; i < 50 * 96; i++)
        right &= seen[i] == (i % 96 + 40) % 96;
    EXPECT(right);
}

static void check_early_return() {
    recorder seen;
    device_array<int> out(512);
    early_return<<<2, 256>>>(out.data, 300);
    EXPECT(cudaGetLastError() == cudaSuccess);
    EXPECT(out.host()[299] == 2 && out.host()[300] == 0);
    EXPECT(seen.only("divergent-barrier", marked_line(__FILE__, "early_return")));
    EXPECT(seen.text().find("block (1,0,0)") != std::string::npos);
    EXPECT(seen.text().find("44 threads") != std::string::npos);
}

static void check_two_barriers() {
    recorder seen;
    device_array<int> out(64);
    two_barriers<<<1, 64>>>(out.data);
    EXPECT(cudaGetLastError() == cudaSuccess && out.host()[63] == 1);
    EXPECT(seen.only("divergent-barrier", marked_line(__FILE__, "two_barriers")));
    EXPECT(seen.findings.size() == 1);
}

static void check_copied_barriers() {
    recorder seen;
    device_array<int> out(64);
    unrolled<5><<<1, 64>>>(out.data);
    EXPECT(out.host()[1] == 15 && seen.findings.empty() && seen.block_barriers == 5);
}

static void check_deadlock() {
    recorder seen;
    device_array<int> out(64);
    half_waits<<<200, 32>>>(out.data);
    EXPECT(cudaGetLastError() == cudaErrorLaunchTimeout);
    EXPECT(seen.only("deadlock") && seen.findings.size() == 200);
    int* more = nullptr;
    EXPECT(cudaMalloc(&more, 4) == cudaErrorLaunchTimeout);  // sticky
    out.forget();
    EXPECT(cudaDeviceReset() == cudaSuccess);
    EXPECT(cudaGetLastError() == cudaSuccess);
}

int main() {
    return run_cases({
        check_votes, check_rotation, check_early_return, check_two_barriers, check_copied_barriers,
        check_deadlock,
        check_rotation,  // a block that was given up leaves nothing behind
    });
}
