// Shuffles, votes and barriers of a warp whose lanes are not all there, or not named in the mask.
#include <cooperative_groups.h>

#include "detection.h"

constexpr int N = 64, LANES = 32;
constexpr unsigned int ALL = 0xffffffffu;

template <bool RIGHT>
__global__ void shuffle_in_a_branch(float* out, const float* in) {
    float value = in[threadIdx.x];
    if (RIGHT) {
        const float next = __shfl_down_sync(ALL, value, 1);
        if (threadIdx.x % LANES < 16) value = next;
    } else if (threadIdx.x % LANES < 16) {
        value = __shfl_down_sync(ALL, value, 1);  // HERE shuffle_in_a_branch: warp-mask
    }
    out[threadIdx.x] = value;
}

// Lanes that have returned have no value any more.
template <bool RIGHT>
__global__ void shuffle_after_a_return(float* out, const float* in, int count) {
    const int x = threadIdx.x;
    if (!RIGHT && x >= count) return;
    const float value = x < count ? in[x] : 0;
    const float next = __shfl_down_sync(ALL, value, 1);  // HERE shuffle_after_a_return: warp-mask
    if (x < count) out[x] = next;
}

// Forty threads are one warp and a quarter.
template <bool RIGHT>
__global__ void shuffle_in_part_of_a_warp(float* out, const float* in, int count) {
    const int x = threadIdx.x;
    float next = __shfl_down_sync(ALL, in[x], 1);  // HERE shuffle_in_part_of_a_warp: warp-mask
    if (x == count - 1) next = 0;
    out[x] = next;
}

// Lanes that need no more rounds leave; the others still ask for their values.
template <bool RIGHT>
__global__ void shuffle_in_an_uneven_loop(float* out, const float* in) {
    const int lane = threadIdx.x % LANES;
    float value = in[threadIdx.x];
    for (int k = 0; k < (RIGHT ? 4 : lane % 4); k++)
        value = __shfl_xor_sync(ALL, value, 1);  // HERE shuffle_in_an_uneven_loop: warp-mask
    out[threadIdx.x] = value;
}

// Every step of the tree needs the upper half too, as the side that gives.
template <bool RIGHT>
__global__ void tree_in_a_branch(float* out, const float* in) {
    const int lane = threadIdx.x % LANES;
    float sum = in[threadIdx.x];
    for (int stride = LANES / 2; stride > 0; stride /= 2) {
        if (RIGHT || lane < stride)
            sum += __shfl_down_sync(ALL, sum, stride);  // HERE tree_in_a_branch: warp-mask
    }
    if (lane == 0) out[threadIdx.x / LANES] = sum;
}

// The mask names the lower half; lane 15 asks lane 16.
template <bool RIGHT>
__global__ void source_outside_the_mask(float* out, const float* in) {
    const int lane = threadIdx.x % LANES;
    float value = in[threadIdx.x];
    if (lane < 16) {
        const int width = RIGHT ? 16 : LANES;
        value = __shfl_down_sync(0xffffu, value, 1, width);  // HERE source_outside_the_mask: warp-mask
    }
    out[threadIdx.x] = value;
}

template <bool RIGHT>
__global__ void outside_its_own_mask(float* out, const float* in) {
    __shared__ float s_tile[N];
    s_tile[threadIdx.x] = in[threadIdx.x];
    __syncwarp(RIGHT ? ALL : 0xffffu);  // HERE outside_its_own_mask: warp-mask
    out[threadIdx.x] = s_tile[threadIdx.x];
}

// A mask is an agreement: all lanes that it names must give the same one.
template <bool RIGHT>
__global__ void different_masks(float* out, const float* in) {
    const bool is_upper = threadIdx.x % LANES >= 16;
    const unsigned int mask = !RIGHT && is_upper ? 0xffff0000u : ALL;
    // HERE different_masks: warp-mask
    const float value = __shfl_sync(mask, in[threadIdx.x], is_upper ? 16 : 0);
    out[threadIdx.x] = value;
}

template <bool RIGHT>
__global__ void vote_against_a_shuffle(float* out, const float* in) {
    float value = in[threadIdx.x];
    if (RIGHT || threadIdx.x % LANES < 16) {
        value = __shfl_xor_sync(ALL, value, 1);
    } else {
        value = float(__ballot_sync(ALL, value > 0));  // HERE vote_against_a_shuffle: warp-mask
    }
    out[threadIdx.x] = value;
}

// __activemask() tells who happens to be here, not who will be asked.
template <bool RIGHT>
__global__ void active_lanes(float* out, const float* in) {
    float value = in[threadIdx.x];
    if (threadIdx.x % LANES < 20) {
        // HERE active_lanes: warp-mask
        const float other = __shfl_xor_sync(__activemask(), value, RIGHT ? 1 : 16);
        value = other;
    }
    out[threadIdx.x] = value;
}

template <bool RIGHT>
__global__ void tile_in_a_branch(float* out, const float* in) {
    const auto block = cooperative_groups::this_thread_block();
    const auto tile = cooperative_groups::tiled_partition<16>(block);
    float value = in[threadIdx.x];
    if (RIGHT || tile.thread_rank() < 8) value = tile.shfl_xor(value, 8);  // HERE tile_in_a_branch: warp-mask
    out[threadIdx.x] = value;
}

/// in[i ^ mask] for the lanes below `lanes`, in[i] for the others.
std::vector<float> swapped(int mask, int lanes) {
    std::vector<float> values(N);
    for (int i = 0; i < N; i++)
        values[i] = float(i % LANES < lanes ? i ^ mask : i);
    return values;
}

/// in[i + 1] for the lanes below `lanes`, in[i] for the others.
std::vector<float> shifted(int lanes) {
    std::vector<float> values(N);
    for (int i = 0; i < N; i++)
        values[i] = float(i % LANES < lanes ? i + 1 : i);
    return values;
}

int main(int argc, char** argv) {
    return detect(
        __FILE__, argc, argv,
        {
            {"shuffle_in_a_branch",
             [](auto right) { return computes(shifted(16), shuffle_in_a_branch<right>, 1, N, ramp(N)); }},
            {"shuffle_after_a_return",
             [](auto right) {
                 std::vector<float> wanted = ramp(20, 1);
                 wanted.back() = 0;
                 return computes(wanted, shuffle_after_a_return<right>, 1, LANES, ramp(20), 20);
             }},
            {"shuffle_in_part_of_a_warp",
             [](auto right) {
                 const int count = right ? 64 : 40;
                 std::vector<float> wanted = ramp(count, 1);
                 wanted[31] = 31;
                 wanted.back() = 0;
                 return computes(wanted, shuffle_in_part_of_a_warp<right>, 1, count, ramp(count), count);
             }},
            {"shuffle_in_an_uneven_loop",
             [](auto right) { return computes(ramp(N), shuffle_in_an_uneven_loop<right>, 1, N, ramp(N)); }},
            {"tree_in_a_branch",
             [](auto right) {
                 return computes({496, 1520}, tree_in_a_branch<right>, 1, N, ramp(N));
             }},
            {"source_outside_the_mask",
             [](auto right) {
                 std::vector<float> wanted = shifted(15);
                 return computes(wanted, source_outside_the_mask<right>, 1, N, ramp(N));
             }},
            {"outside_its_own_mask",
             [](auto right) { return computes(ramp(N), outside_its_own_mask<right>, 1, N, ramp(N)); }},
            {"different_masks",
             [](auto right) {
                 std::vector<float> wanted(N);
                 for (int i = 0; i < N; i++)
                     wanted[i] = float(i / 16 * 16);
                 return computes(wanted, different_masks<right>, 1, N, ramp(N));
             }},
            {"vote_against_a_shuffle",
             [](auto right) {
                 return computes(swapped(1, LANES), vote_against_a_shuffle<right>, 1, N, ramp(N));
             }},
            {"active_lanes",
             [](auto right) { return computes(swapped(1, 20), active_lanes<right>, 1, N, ramp(N)); }},
            {"tile_in_a_branch",
             [](auto right) { return computes(swapped(8, LANES), tile_in_a_branch<right>, 1, N, ramp(N)); }},
        });
}
