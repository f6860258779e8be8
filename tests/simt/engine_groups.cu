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

/// Tiles of several warps: rank, exchange, votes, reduction, scan.
template <int tile_size>
__global__ void large_tiles(int* out) {
    __shared__ cg::block_tile_memory<512> s_scratch;
    const auto tile = cg::tiled_partition<tile_size>(cg::this_thread_block(s_scratch));
    const auto warp = cg::tiled_partition<32>(tile);
    const cg::thread_block_tile<32> any_warp = warp;
    const int rank = int(tile.thread_rank()), value = rank % 7 + int(tile.meta_group_rank());
    int* mine = out + threadIdx.x * 8;
    mine[0] = cg::reduce(tile, value, cg::plus<int>());
    mine[1] = cg::inclusive_scan(tile, value);
    mine[2] = cg::exclusive_scan(tile, value);
    mine[3] = tile.shfl(value, 5);
    mine[4] = tile.any(rank == tile_size - 1 && tile.meta_group_rank() == 1) * 2 + tile.all(rank < tile_size);
    mine[5] = int(tile.meta_group_size() * 100 + tile.meta_group_rank());
    mine[6] = int(warp.meta_group_size() * 100 + warp.meta_group_rank());
    mine[7] = int(any_warp.meta_group_size() * 100 + any_warp.meta_group_rank());
    tile.sync();
}

template <int tile_size>
static void check_large_tiles() {
    constexpr int THREADS = 512, TILES = THREADS / tile_size;
    device_array<int> out(THREADS * 8);
    large_tiles<tile_size><<<1, THREADS>>>(out.data);
    const auto got = out.host();
    bool right = cudaGetLastError() == cudaSuccess;
    for (int tile = 0; tile < TILES; tile++) {
        int total = 0, sum = 0;
        for (int rank = 0; rank < tile_size; rank++)
            total += rank % 7 + tile;
        for (int rank = 0; rank < tile_size; rank++) {
            const int* mine = &got[size_t(tile * tile_size + rank) * 8];
            right &= mine[0] == total && mine[2] == sum && mine[1] == (sum += rank % 7 + tile);
            right &= mine[3] == 5 + tile && mine[4] == (tile == 1) * 2 + 1;
            right &= mine[5] == TILES * 100 + tile;
            right &= mine[6] == tile_size / 32 * 100 + rank / 32 && mine[7] == mine[6];
        }
    }
    EXPECT(right);
}

__global__ void unfilled_tile() {
    cg::tiled_partition<128>(cg::this_thread_block()).sync();  // HERE unfilled_tile: launch-error
}
__global__ void left_tile() {
    const auto tile = cg::tiled_partition<64>(cg::this_thread_block());
    if (threadIdx.x >= 40) return;
    tile.sync();  // HERE left_tile: deadlock
}
__global__ void small_scratch() {
    __shared__ cg::block_tile_memory<64> s_scratch;
    cg::this_thread_block(s_scratch).sync();
}

static void check_wrong_tiles() {
    {
        recorder seen;
        unfilled_tile<<<1, 192>>>();
        EXPECT(seen.only("launch-error", marked_line(__FILE__, "unfilled_tile")));
        EXPECT(seen.text().find("a tile of 128 threads in a block of 192") == 0);
    }
    EXPECT(cudaGetLastError() == cudaErrorLaunchFailure);
    cudaDeviceReset();
    {
        recorder seen;
        left_tile<<<1, 64>>>();
        EXPECT(seen.only("deadlock", marked_line(__FILE__, "left_tile")));
    }
    EXPECT(cudaGetLastError() == cudaErrorLaunchTimeout);
    cudaDeviceReset();
    {
        recorder seen;
        small_scratch<<<1, 96>>>();
        EXPECT(seen.only("launch-error"));
    }
    EXPECT(cudaGetLastError() == cudaErrorLaunchFailure);
    cudaDeviceReset();
}

int main() {
    return run_cases({check_block_group, check_tiles<32>, check_tiles<16>, check_tiles<4>, check_tiles<1>,
                      check_compaction, check_scans, check_large_tiles<64>, check_large_tiles<256>,
                      check_large_tiles<512>, check_wrong_tiles});
}
