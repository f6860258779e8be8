// Requests of warps whose lanes go different ways, in lock-step with reconvergence where their paths join.
#include "expect_counts.h"

__global__ void loop_of_lane_length(float* out, const float* in, int factor) {
    float sum = 0;
    for (int k = 0; k < int(threadIdx.x) * factor; k++)
        sum += in[k % 100 * 32 + threadIdx.x];
    out[threadIdx.x] = sum;
}
__global__ void if_else(float* out, const float* in) {
    float sum;
    if (threadIdx.x & 1) {
        sum = in[threadIdx.x];
    } else {
        sum = in[threadIdx.x + 64] * 2;
    }
    out[threadIdx.x] = sum + in[threadIdx.x + 128];
}
__global__ void loop_with_continue(float* out, const float* in) {
    float sum = 0;
    for (int k = 0; k < 16; k++) {
        if ((k + threadIdx.x) % 4 == 0) continue;
        sum += in[k * 32 + threadIdx.x];
        if ((k + threadIdx.x) % 4 == 1) continue;
        sum *= in[1024 + k * 32 + threadIdx.x];
    }
    out[threadIdx.x] = sum;
}
__global__ void loop_with_break(float* out, const float* in) {
    float sum = 0;
    for (int k = 0; k < 64; k++) {
        sum += in[k * 32 + threadIdx.x];
        if (k == int(threadIdx.x)) break;
    }
    out[threadIdx.x] = sum;
}
// The first turn must not be taken before the loop, by a way that meets no other lane's.
__global__ void break_at_the_first_turn(float* out, const float* in) {
    float sum = 0;
    const int turns = threadIdx.x % 4;
#pragma unroll 1
    for (int k = 0; k < 2 + int(threadIdx.x) % 2; k++) {
#pragma unroll 1
        for (int j = 0; j < turns; j++) {
            sum += in[j * 32 + threadIdx.x];
            if (threadIdx.x >= 10) break;
            sum *= in[128 + j * 32 + threadIdx.x];
        }
        sum += in[256 + k * 32 + threadIdx.x];
    }
    out[threadIdx.x] = sum;
}
__global__ void loop_with_return(float* out, const float* in) {
    float sum = 0;
    for (int k = 0; k < 64; k++) {
        sum += in[k * 32 + threadIdx.x];
        if (k == int(threadIdx.x)) {
            out[threadIdx.x] = sum;
            return;
        }
    }
    out[threadIdx.x] = -sum;
}
__device__ __noinline__ float every_second(const float* in, int k) {
    float sum = 0;
    for (int j = 0; j < 4; j++) {
        if (((j + k) & 1) == 0) sum += in[(j * 8 + k) * 32 + threadIdx.x];
    }
    return sum;
}
// The same, but behind its caller in memory, where the compiler would not put it.
__device__ __noinline__ __attribute__((section(".text.later"))) float every_second_later(const float* in,
                                                                                         int k) {
    float sum = 0;
    for (int j = 0; j < 4; j++) {
        if (((j + k) & 1) == 0) sum += in[(j * 8 + k) * 32 + threadIdx.x];
    }
    return sum;
}
__global__ void function_calls(float* out, const float* in) {
    float sum = 0;
    for (int k = 0; k < 8; k++) {
        if ((threadIdx.x + k) % 3) sum += every_second(in, k + threadIdx.x % 2);
    }
    out[threadIdx.x] = sum;
}
__global__ void calls_of_later_function(float* out, const float* in) {
    float sum = 0;
    for (int k = 0; k < 8; k++) {
        if ((threadIdx.x + k) % 3) sum += every_second_later(in, k + threadIdx.x % 2);
        sum += in[k * 32 + threadIdx.x];
    }
    out[threadIdx.x] = sum;
}
__device__ __noinline__ float loaded_by_some(const float* in, bool wanted) {
    return wanted ? *in : 0;
}
// In each call half of the lanes do nothing.
__global__ void idle_calls(float* out, const float* in) {
    float sum = 0;
    for (int k = 0; k < 8; k++) {
        if (threadIdx.x % 4 < 3) sum += loaded_by_some(in + k * 32 + threadIdx.x, (threadIdx.x + k) % 2);
        sum += in[k * 32 + threadIdx.x];
    }
    out[threadIdx.x] = sum;
}
// Longer than a log, which odd lanes fill twice as fast as even ones.
__global__ void uneven_loop(float* out, const float* in) {
    float sum = 0;
    for (int k = 0; k < 1000; k++) {
        sum += in[k % 100 * 32 + threadIdx.x];
        if (threadIdx.x % 2 == 1) {
            sum += in[k % 50 * 32 + threadIdx.x];
            sum *= in[k % 40 * 32 + threadIdx.x];
        }
    }
    out[threadIdx.x] = sum;
}
__global__ void nested_guards(float* out, const float* in) {
    float sum = 0;
    for (int i = -2; i <= 2; i++) {
        const int y = int(threadIdx.x) / 8 + i;
        if (y < 0 || y >= 4) continue;
        for (int j = -2; j <= 2; j++) {
            const int x = int(threadIdx.x) % 8 + j;
            if (x < 0 || x >= 8) continue;
            sum += in[y * 8 + x];
        }
    }
    out[threadIdx.x] = sum;
}
__global__ void switches(float* out, const float* in) {
    float sum = 0;
    for (int k = 0; k < 8; k++) {
        switch ((threadIdx.x + k) % 4) {
            case 0:
                sum += in[threadIdx.x];
                break;
            case 1:
                sum += in[32 + threadIdx.x];
                break;
            case 2:
                sum -= in[64 + threadIdx.x];
                [[fallthrough]];
            default:
                sum *= in[96 + threadIdx.x];
        }
    }
    out[threadIdx.x] = sum;
}
__global__ void conditional_operator(float* out, const float* in) {
    float sum = 0;
    for (int k = -3; k <= 3; k++) {
        const int x = int(threadIdx.x) + k;
        sum += (x >= 0 && x < 32 ? in[x] : 0.f) * in[64 + k + 3];
    }
    out[threadIdx.x] = sum;
}
__global__ void do_while(float* out, const float* in) {
    float sum = 0;
    int k = threadIdx.x % 5;
    do {
        if (k % 2 == 0) sum += in[k * 32 + threadIdx.x];
        k++;
    } while (k < 10);
    out[threadIdx.x] = sum;
}
__device__ __noinline__ int fibonacci(const int* in, int n) {
    return n < 2 ? in[n] : fibonacci(in, n - 1) + fibonacci(in, n - 2);
}
__device__ __noinline__ float pick_later(const float* in, int i) {
    return in[i];
}
__device__ __noinline__ float sum_down(const float* in, int n) {
    if (n == 0) return 1;
    const float here = in[32 * n + threadIdx.x];
    return here - 2 * sum_down(in, n - 1);
}
__global__ void recursion(int* out, const int* in) {
    out[threadIdx.x] = fibonacci(in, 5);
}
// Lanes that pass by the branch must wait before the call for those that do not.
__global__ void call_behind_branch(float* out, const float* in) {
    float sum = 0;
    if (threadIdx.x % 2 == 1) sum = in[threadIdx.x];
    out[threadIdx.x] = sum + pick_later(in, 32 + threadIdx.x);
}
__global__ void recursion_behind_branch(float* out, const float* in) {
    float sum = 0;
    if (threadIdx.x % 2 == 1) sum = in[threadIdx.x];
    out[threadIdx.x] = sum + sum_down(in, threadIdx.x % 4);
}
__global__ void tree(float* out, const float* in) {
    __shared__ float s_sum[64];
    s_sum[threadIdx.x] = in[threadIdx.x];
    s_sum[threadIdx.x + 32] = in[threadIdx.x + 32];
    __syncthreads();
    for (int d = 32; d > 0; d /= 2) {
        if (threadIdx.x < d) s_sum[threadIdx.x] += s_sum[threadIdx.x + d];
        __syncthreads();
    }
    if (threadIdx.x == 0) out[0] = s_sum[0];
}
// Threads of the first warp return; the second warp must not take them for being at another depth.
__device__ __noinline__ void barrier_then_store(float* out) {
    __syncthreads();
    out[threadIdx.x] = 1;
}
__global__ void early_return(float* out, int first_to_return) {
    if (threadIdx.x >= first_to_return) return;
    barrier_then_store(out);
    out[threadIdx.x] = 2;
}

// Few lanes enter a loop, then all meet again:
// the compiler must not move the others' way round it out of line.
__global__ void halo_loops(float* out, const float* in, int n, int radius) {
    __shared__ float s_tile[64];
    const int tile = blockDim.x, tx = threadIdx.x, begin = blockIdx.x * tile, x = begin + tx;
    for (int k = tx; k < radius; k += tile) {
        const int left = begin - radius + k;
        s_tile[k] = left < 0 ? 0.0f : in[left];
    }
    s_tile[radius + tx] = x < n ? in[x] : 0.0f;
    for (int k = tx; k < radius; k += tile) {
        const int right = begin + tile + k;
        s_tile[radius + tile + k] = right < n ? in[right] : 0.0f;
    }
    __syncthreads();
    if (x < n) out[x] = s_tile[tx] + s_tile[tx + 2 * radius];
}

void divergence() {
    // Lane l goes round l times: 31 requests, 0 + 1 + ... + 31 lanes.
    const auto loop = [](int factor) {
        return total([=] { loop_of_lane_length<<<1, 32>>>(d_out, d_in, factor); }).global.loads;
    };
    expect_requests("loop_of_lane_length", loop(1), 496, 31);
    expect_requests("loop_of_lane_length longer than a log", loop(70), 496 * 70, 31 * 70);

    const auto loads = [](auto run) { return total(run).global.loads; };
    expect_requests("if_else", loads([] { if_else<<<1, 32>>>(d_out, d_in); }), 16 + 16 + 32, 3);
    expect_requests("loop_with_continue", loads([] { loop_with_continue<<<1, 32>>>(d_out, d_in); }),
                    16 * 24 + 16 * 16, 32);
    expect_requests("loop_with_break", loads([] { loop_with_break<<<1, 32>>>(d_out, d_in); }), 528, 32);
    // A turn of the outer loop: 24 + 4 + 2 lanes load first, 7 + 4 + 2 next, 32 last. In the third turn, of odd lanes
    // alone, these are 16 + 2 + 2, 5 + 2 + 2 and 16.
    expect_requests("break_at_the_first_turn", loads([] { break_at_the_first_turn<<<1, 32>>>(d_out, d_in); }),
                    2 * (30 + 13 + 32) + 20 + 9 + 16, 3 * 7);
    const inspect::memory_traffic returning = total([] { loop_with_return<<<1, 32>>>(d_out, d_in); }).global;
    expect_requests("loop_with_return", returning.loads, 528, 32);
    expect_requests("loop_with_return, stores", returning.stores, 32, 32);

    uint64_t called = 0;  // two of the four rounds of every_second() load
    for (int lane = 0; lane < 32; lane++) {
        for (int k = 0; k < 8; k++)
            called += (lane + k) % 3 ? 2 : 0;
    }
    expect_requests("function_calls", loads([] { function_calls<<<1, 32>>>(d_out, d_in); }), called, 32);
    expect_requests("calls_of_later_function", loads([] { calls_of_later_function<<<1, 32>>>(d_out, d_in); }),
                    called + 8 * 32, 32 + 8);
    expect_requests("idle_calls", loads([] { idle_calls<<<1, 32>>>(d_out, d_in); }), 4 * (8 + 16) + 8 * 32,
                    16);
    expect_requests("uneven_loop", loads([] { uneven_loop<<<1, 32>>>(d_out, d_in); }), 1000 * 32 + 2000 * 16,
                    3000);
    expect_requests("nested_guards", loads([] { nested_guards<<<1, 32>>>(d_out, d_in); }), 34 * 14, 25);
    expect_requests("switches", loads([] { switches<<<1, 32>>>(d_out, d_in); }), 8 * 40, 32);
    expect_requests("conditional_operator", loads([] { conditional_operator<<<1, 32>>>(d_out, d_in); }),
                    32 * 7 - 12 + 32 * 7, 14);
    expect_requests("do_while", loads([] { do_while<<<1, 32>>>(d_out, d_in); }), 123, 9);
    expect_requests("recursion", loads([] {
                        recursion<<<1, 32>>>(reinterpret_cast<int*>(d_out), reinterpret_cast<int*>(d_in));
                    }),
                    8 * 32, 8);
    expect_requests("call_behind_branch", loads([] { call_behind_branch<<<1, 32>>>(d_out, d_in); }), 16 + 32,
                    2);
    expect_requests("recursion_behind_branch", loads([] { recursion_behind_branch<<<1, 32>>>(d_out, d_in); }),
                    16 + 8 * (1 + 2 + 3), 1 + 3);
    const inspect::memory_traffic summed = total([] { tree<<<1, 32>>>(d_out, d_in); }).shared;
    expect_requests("tree", summed.loads, 2 * 63 + 1, 2 * 6 + 1);
    expect_requests("tree, stores", summed.stores, 64 + 63, 2 + 6);
    // Two blocks: each has a halo of 4 on one side only; the ghost cells of the other are stored, not loaded.
    const inspect::counts halos = total([] { halo_loops<<<2, 32>>>(d_out, d_in, 64, 4); });
    expect_requests("halo_loops", halos.global.loads, 32 + 4 + 32 + 4, 4);
    expect_requests("halo_loops, stores", halos.shared.stores, 2 * (4 + 32 + 4), 6);
    expect_requests("early_return", total([] { early_return<<<1, 64>>>(d_out, 64); }).global.stores, 128, 4);
    expect_requests("early_return of some", total([] { early_return<<<1, 96>>>(d_out, 72); }).global.stores,
                    144, 6);
}

int main() {
    return check_counts({divergence});
}
