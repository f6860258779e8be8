// Cooperative groups: the block, tiles, coalesced lanes, reduce.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include <algorithm>

#include "engine_test.h"

namespace cg = cooperative_groups;

__global__ void block_group(unsigned* out) {
    __shared__ unsigned s_values[64];
    const cg::thread_block block = cg::this_thread_block();
    s_values[block.thread_rank()] = block.thread_rank() * 2;
    block.sync();
    out[block.thread_rank()] = s_values[block.size() - 1 - block.thread_rank()] + block.group_index().x +
                               block.thread_index().y * 1000 + block.group_dim().x * 100000;
    cg::sync(block);
}

template <int tile_size>
__global__ void tile_sums(int* out) {
    const auto tile = cg::tiled_partition<tile_size>(cg::this_thread_block());
    const int rank = int(tile.thread_rank());
    int sum = rank + 1;
    for (int distance = tile.size() / 2; distance > 0; distance /= 2)
        sum += tile.shfl_down(sum, distance);
    const int total = cg::reduce(tile, rank + 1, cg::plus<int>());
    const int largest = cg::reduce(tile, rank, cg::greater<int>());
    const unsigned odd = tile.ballot(rank % 2);
    tile.sync();
    const bool good = tile.all(rank >= 0) && !tile.any(rank < 0) && tile.shfl(rank, 0) == 0 &&
                      tile.shfl_up(rank, 1) == (rank ? rank - 1 : 0);
    if (rank != 0) return;
    int* mine = out + tile.meta_group_rank() * 4;
    mine[0] = sum;
    mine[1] = total;
    mine[2] = largest;
    mine[3] = good ? int(odd) : -1;
}

/// One atomic for all lanes that want one, as in a textbook's filter.
__global__ void compact(int* count, int* out) {
    if (threadIdx.x % 3 != 0) return;
    const cg::coalesced_group active = cg::coalesced_threads();
    int first = 0;
    if (active.thread_rank() == 0) first = atomicAdd(count, int(active.size()));
    first = active.shfl(first, 0);
    out[first + active.thread_rank()] = threadIdx.x;
    const int sum = cg::reduce(active, int(threadIdx.x), cg::plus<int>());
    if (active.thread_rank() == active.size() - 1) count[1] = sum;
}

template <int tile_size>
static void check_tiles() {
    device_array<int> out(64 * 4);
    tile_sums<tile_size><<<1, 64>>>(out.data);
    const auto got = out.host();
    bool right = cudaGetLastError() == cudaSuccess;
    for (int tile = 0; tile < 64 / tile_size; tile++) {
        const int sum = tile_size * (tile_size + 1) / 2;
        right &= got[tile * 4] == sum && got[tile * 4 + 1] == sum && got[tile * 4 + 2] == tile_size - 1;
        right &= unsigned(got[tile * 4 + 3]) == (0xaaaaaaaau & (0xffffffffu >> (32 - tile_size)));
    }
    EXPECT(right);
}

static void check_block_group() {
    device_array<unsigned> out(64);
    block_group<<<1, dim3(16, 4)>>>(out.data);
    EXPECT(out.host()[0] == 126 + 1600000 && out.host()[63] == 3000 + 1600000);
}

static void check_compaction() {
    device_array<int> count(2), kept(32);
    compact<<<1, 32>>>(count.data, kept.data);
    EXPECT(count.host()[0] == 11 && count.host()[1] == 165);
    EXPECT(kept.host()[0] == 0 && kept.host()[10] == 30);
}

/// out: for every thread its sums with and without itself in a tile, and the largest so far of every third thread.
__global__ void scans(int* out) {
    const auto tile = cg::tiled_partition<8>(cg::this_thread_block());
    const int value = int(threadIdx.x) % 5 + 1;
    out[3 * threadIdx.x] = cg::inclusive_scan(tile, value);
    out[3 * threadIdx.x + 1] = cg::exclusive_scan(tile, value, cg::plus<int>());
    if (threadIdx.x % 3 != 0) return;
    const cg::coalesced_group active = cg::coalesced_threads();
    out[3 * threadIdx.x + 2] = cg::inclusive_scan(active, value, cg::greater<int>());
}

static void check_scans() {
    device_array<int> out(96);
    scans<<<1, 32>>>(out.data);
    int sum = 0, largest = 0;
    for (int i = 0; i < 32; i++) {
        const int value = i % 5 + 1;
        if (i % 8 == 0) sum = 0;
        EXPECT(out.at(3 * i + 1) == sum);
        EXPECT(out.at(3 * i) == (sum += value));
        if (i % 3 == 0) EXPECT(out.at(3 * i + 2) == (largest = std::max(largest, value)));
    }
}

int main() {
    return run_cases({check_block_group, check_tiles<32>, check_tiles<16>, check_tiles<4>, check_tiles<1>,
                      check_compaction, check_scans});
}
