// Warp primitives: shuffles, votes, matches, reductions, partial masks,
// lanes that have returned, mistakes with masks.
#include "engine_test.h"

constexpr unsigned ALL = 0xffffffffu;

struct wide {
    double a, b;
    int c;
};

__global__ void shuffles(int* out) {
    const int lane = threadIdx.x;
    out[lane] = __shfl_sync(ALL, lane * 10, 5);
    out[32 + lane] = __shfl_sync(ALL, lane, 9, 8);  // lane 1 of every group of 8
    out[64 + lane] = __shfl_up_sync(ALL, lane, 3);
    out[96 + lane] = __shfl_down_sync(ALL, lane, 2, 16);
    out[128 + lane] = __shfl_xor_sync(ALL, lane, 7);
    out[160 + lane] = __shfl_sync(ALL, lane, lane + 33);  // modulo the width
}

__global__ void shuffle_types(double* out) {
    const int lane = threadIdx.x;
    const float f = __shfl_xor_sync(ALL, 0.5f * lane, 1);
    const double d = __shfl_down_sync(ALL, 0.25 * lane, 1);
    const long long ll = __shfl_sync(ALL, (1ll << 40) + lane, 3);
    const unsigned char byte = __shfl_sync(ALL, static_cast<unsigned char>(lane + 250), 4);
    const float4 v = __shfl_sync(ALL, make_float4(lane, 1, 2, lane + 0.5f), 7);
    const wide w = __shfl_sync(ALL, wide{lane + 0.125, 2, lane}, 31);
    if (lane != 2) return;
    out[0] = f;
    out[1] = d;
    out[2] = double(ll - (1ll << 40));
    out[3] = byte;
    out[4] = v.x + v.w;
    out[5] = w.a + w.c;
}

__global__ void votes(unsigned* out) {
    const int lane = threadIdx.x % 32;
    const unsigned ballot = __ballot_sync(ALL, lane % 3 == 0);
    const int any = __any_sync(ALL, lane == 40), some = __any_sync(ALL, lane == 4);
    const int all = __all_sync(ALL, lane < 32), not_all = __all_sync(ALL, lane != 4);
    const unsigned same = __match_any_sync(ALL, lane / 8);
    int equal = 0;
    const unsigned matched = __match_all_sync(ALL, 5, &equal);
    if (lane != 17) return;
    unsigned* mine = out + threadIdx.x / 32 * 8;
    mine[0] = ballot;
    mine[1] = any * 8 + some * 4 + all * 2 + not_all;
    mine[2] = same;
    mine[3] = matched;
    mine[4] = equal;
}

__global__ void reductions(int* out) {
    const int value = int(threadIdx.x) - 10;
    const int sum = __reduce_add_sync(ALL, value), low = __reduce_min_sync(ALL, value);
    const unsigned high = __reduce_max_sync(ALL, unsigned(value));
    const unsigned both = __reduce_and_sync(ALL, unsigned(value) | 4u),
                   parity = __reduce_xor_sync(ALL, threadIdx.x);
    if (threadIdx.x) return;
    out[0] = sum;
    out[1] = low;
    out[2] = int(high);
    out[3] = int(both);
    out[4] = int(parity);
}

/// Every lane trades with a neighbour inside its quarter of the warp, in a loop with continue and switch.
__global__ void partial_masks(int* out) {
    const int lane = threadIdx.x;
    const unsigned quarter = 0xffu << (lane / 8 * 8);
    int sum = 0;
    for (int i = 0; i < 8; i++) {
        if (lane / 8 == i % 4) continue;  // this quarter rests, the others meet among themselves
        switch (i % 3) {
            case 0:
                sum += __shfl_xor_sync(quarter, lane, 1);
                break;
            case 1:
                sum += __popc(__ballot_sync(quarter, lane & 1));
                break;
            default:
                __syncwarp(quarter);
                sum += 100;
        }
    }
    out[lane] = sum;
}

__device__ int recursive_sum(int n) {
    if (n == 0) return __shfl_sync(ALL, int(threadIdx.x), 0);
    return recursive_sum(n - 1) + __shfl_xor_sync(ALL, n, 1);
}
__global__ void recursion(int* out) {
    out[threadIdx.x] = recursive_sum(10);
}

/// Some lanes are gone before the others shuffle, some only while the others already wait.
__global__ void lanes_gone(int* out) {
    const int lane = threadIdx.x;
    if (lane < 4 || lane >= 24) return;
    const unsigned there = __ballot_sync(ALL, 1);
    __syncwarp();
    out[lane] = int(there);
}

__global__ void active_lanes(unsigned* out) {
    const int lane = threadIdx.x;
    if (lane % 2) {
        out[lane] = __activemask();
    } else if (lane % 4) {
        out[lane] = __activemask() / 2;  // else the compiler would make one call of both
    } else {
        const unsigned mask = __activemask();
        out[lane] = __shfl_sync(mask, lane, 8) + __popc(mask) * 100;
    }
}

/// The compiler makes two calls of the last question, one for the lane that it knows to be 0.
__global__ void active_again(unsigned* out) {
    const int lane = threadIdx.x;
    if (lane < 16) {
        const unsigned half = __activemask();
        if (lane == 0) out[0] = half;
    }
    const unsigned all = __activemask();
    if (lane == 0) out[1] = all;
}

__global__ void match_bytes(const unsigned char* bytes, unsigned* out) {
    out[threadIdx.x] = __match_any_sync(ALL, bytes[threadIdx.x]);
}

__global__ void shuffle_from_nobody(int* out) {
    int value = threadIdx.x;
    if (threadIdx.x < 16) value = __shfl_down_sync(0xffffu, value, 1);  // HERE from_nobody
    out[threadIdx.x] = value;
}

__global__ void not_in_own_mask(int* out) {
    out[threadIdx.x] = int(__ballot_sync(0xfffffffeu, 1));
}

__global__ void mixed_primitives(int* out) {
    if (threadIdx.x < 16) {
        out[threadIdx.x] = __shfl_sync(ALL, 1, 0);
    } else {
        out[threadIdx.x] = __any_sync(ALL, 1);
    }
}

static void check_shuffles() {
    recorder seen;
    device_array<int> out(192);
    shuffles<<<1, 32>>>(out.data);
    const auto got = out.host();
    bool right = true;
    for (int lane = 0; lane < 32; lane++) {
        right &= got[lane] == 50;
        right &= got[32 + lane] == lane / 8 * 8 + 1;
        right &= got[64 + lane] == (lane < 3 ? lane : lane - 3);
        right &= got[96 + lane] == (lane % 16 >= 14 ? lane : lane + 2);
        right &= got[128 + lane] == (lane ^ 7);
        right &= got[160 + lane] == (lane + 1) % 32;
    }
    EXPECT(right);
    EXPECT(seen.findings.empty());
}

static void check_types() {
    device_array<double> out(6);
    shuffle_types<<<1, 32>>>(out.data);
    const auto got = out.host();
    EXPECT(got[0] == 1.5 && got[1] == 0.75 && got[2] == 3 && got[3] == 254 && got[4] == 14.5 &&
           got[5] == 62.125);
}

static void check_votes() {
    device_array<unsigned> out(16);
    votes<<<1, 64>>>(out.data);
    for (int warp = 0; warp < 2; warp++) {
        const auto got = out.host();
        EXPECT(got[warp * 8] == 0x49249249u);
        EXPECT(got[warp * 8 + 1] == 6);
        EXPECT(got[warp * 8 + 2] == 0xff0000u);
        EXPECT(got[warp * 8 + 3] == ALL && got[warp * 8 + 4] == 1);
    }
}

static void check_reductions() {
    device_array<int> out(5);
    reductions<<<1, 32>>>(out.data);
    const auto got = out.host();
    EXPECT(got[0] == 176 && got[1] == -10 && got[2] == -1 && got[3] == 4 && got[4] == 0);
}

static void check_partial_masks() {
    recorder seen;
    device_array<int> out(32);
    partial_masks<<<1, 32>>>(out.data);
    const auto got = out.host();
    bool right = true;
    for (int lane = 0; lane < 32; lane++) {
        int sum = 0;
        for (int i = 0; i < 8; i++) {
            if (lane / 8 != i % 4) sum += i % 3 == 0 ? lane ^ 1 : i % 3 == 1 ? 4 : 100;
        }
        right &= got[lane] == sum;
    }
    EXPECT(right);
    EXPECT(seen.findings.empty() && seen.warp_barriers == 6);
}

static void check_recursion() {
    device_array<int> out(32);
    recursion<<<1, 32>>>(out.data);
    EXPECT(out.host()[31] == 55);
}

static void check_lanes_gone() {
    recorder seen;
    device_array<int> out(32);
    lanes_gone<<<1, 32>>>(out.data);
    EXPECT(cudaGetLastError() == cudaSuccess);
    EXPECT(out.host()[4] == 0xfffff0 && out.host()[23] == 0xfffff0);
    EXPECT(seen.findings.empty());
}

static void check_active_lanes() {
    device_array<unsigned> out(32);
    active_lanes<<<1, 32>>>(out.data);
    const auto got = out.host();
    EXPECT(got[1] == 0xaaaaaaaau && got[2] == 0x22222222u && got[4] == 808);
    active_again<<<1, 32>>>(out.data);
    EXPECT(out.at(0) == 0xffffu && out.at(1) == ALL);
}

static void check_matched_bytes() {
    const device_array<unsigned char> bytes(32);
    device_array<unsigned> out(32);
    EXPECT(cudaMemset(bytes.data + 8, 200, 16) == cudaSuccess);
    match_bytes<<<1, 32>>>(bytes.data, out.data);
    EXPECT(out.at(0) == 0xff0000ffu && out.at(9) == 0x00ffff00u);
}

static void check_mistakes() {
    device_array<int> out(32);
    {
        recorder seen;
        shuffle_from_nobody<<<1, 32>>>(out.data);
        EXPECT(seen.only("warp-mask", marked_line(__FILE__, "from_nobody")));
        EXPECT(seen.text().find("lane 16") != std::string::npos);
        EXPECT(out.host()[14] == 15);
    }
    {
        recorder seen;
        not_in_own_mask<<<1, 32>>>(out.data);
        EXPECT(seen.only("warp-mask"));
    }
    {
        recorder seen;
        mixed_primitives<<<1, 32>>>(out.data);
        EXPECT(seen.only("warp-mask"));
    }
    EXPECT(cudaGetLastError() == cudaSuccess);
}

int main() {
    return run_cases({check_shuffles, check_types, check_votes, check_reductions, check_partial_masks,
                      check_recursion, check_lanes_gone, check_active_lanes, check_matched_bytes,
                      check_mistakes});
}
