// Groups of the whole grid: cooperative launches, grid.sync(); and groups of any kind.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>

#include "engine_test.h"

namespace cg = cooperative_groups;

/// Every block stores, all wait, every block reads what the next one stored; so a few times.
__global__ void pass_on(int* values, int* wrong, int turns) {
    const cg::grid_group grid = cg::this_grid();
    __shared__ int s_kept;
    if (threadIdx.x == 0) s_kept = int(blockIdx.x) * 7;
    const int blocks = int(grid.num_blocks()), next = (int(blockIdx.x) + 1) % blocks;
    for (int turn = 0; turn < turns; turn++) {
        if (threadIdx.x == 5) values[blockIdx.x] = turn * 1000 + int(blockIdx.x);
        grid.sync();
        if (values[next] != turn * 1000 + next) atomicAdd(wrong, 1);
        cg::sync(grid);
    }
    if (s_kept != int(blockIdx.x) * 7) atomicAdd(wrong, 1);
}

__global__ void ranks(unsigned long long* out) {
    const cg::grid_group grid = cg::this_grid();
    out[grid.thread_rank()] = grid.size() * 1000 + grid.thread_rank() + (grid.is_valid() ? 1000000 : 0);
}

__global__ void some_leave() {
    if (blockIdx.x == 0) return;
    cg::this_grid().sync();  // HERE leave
}
__global__ void not_together() {
    cg::this_grid().sync();  // HERE ordinary
}

__device__ int sum_of(const cg::thread_group& group, int* s_values, int value) {
    for (unsigned distance = group.size() / 2; distance > 0; distance /= 2) {
        s_values[group.thread_rank()] = value;
        group.sync();
        if (group.thread_rank() < distance) value += s_values[group.thread_rank() + distance];
        group.sync();
    }
    return value;
}
__global__ void any_group(int* out) {
    __shared__ int s_values[64];
    const cg::thread_block block = cg::this_thread_block();
    const int of_block = sum_of(block, s_values, int(threadIdx.x));
    if (threadIdx.x == 0) out[0] = of_block;
    const cg::thread_group tile = cg::tiled_partition(block, 16);
    const int of_tile = sum_of(tile, s_values + threadIdx.x / 16 * 16, int(threadIdx.x));
    if (tile.thread_rank() == 0) out[1 + threadIdx.x / 16] = of_tile;
    const auto warp = cg::tiled_partition<32>(block);
    const cg::coalesced_group same = cg::labeled_partition(warp, int(threadIdx.x % 5));
    const cg::coalesced_group odd = cg::binary_partition(warp, threadIdx.x % 2 == 1);
    out[8 + threadIdx.x] = int(same.size() * 100 + same.thread_rank()) + int(odd.size()) * 10000;
}

__global__ void copies(float* out, const float* in) {
    __shared__ float s_tile[100];
    const cg::thread_block block = cg::this_thread_block();
    cg::memcpy_async(block, s_tile, in, sizeof s_tile);
    cg::wait(block);
    for (unsigned i = threadIdx.x; i < 100; i += blockDim.x)
        out[i] = s_tile[99 - i];
}

static void blocks_wait_for_each_other() {
    for (const unsigned blocks : {1u, 3u, 40u}) {
        device_array<int> values(blocks), wrong(1);
        int turns = 5;
        void* arguments[] = {&values.data, &wrong.data, &turns};
        EXPECT(cudaLaunchCooperativeKernel((void*)pass_on, blocks, 64, arguments) == cudaSuccess);
        EXPECT(wrong.at(0) == 0);
    }
}

static void threads_of_the_grid_have_ranks() {
    device_array<unsigned long long> out(48);
    void* arguments[] = {&out.data};
    EXPECT(cudaLaunchCooperativeKernel(ranks, dim3(2, 3), dim3(4, 2), arguments) == cudaSuccess);
    EXPECT(out.at(0) == 1048000 && out.at(47) == 1048047);
    ranks<<<dim3(2, 3), dim3(4, 2)>>>(out.data);
    EXPECT(out.at(47) == 48047);
}

static void a_grid_that_cannot_meet() {
    recorder seen;
    EXPECT(cudaLaunchCooperativeKernel(some_leave, 3, 32, nullptr) == cudaErrorLaunchTimeout);
    EXPECT(seen.only("deadlock", marked_line(__FILE__, "leave")));
    cudaDeviceReset();
}

static void an_ordinary_launch_cannot_wait_for_its_grid() {
    recorder seen;
    not_together<<<2, 32>>>();
    EXPECT(cudaDeviceSynchronize() == cudaErrorLaunchFailure);
    EXPECT(seen.only("launch-error", marked_line(__FILE__, "ordinary")));
    cudaDeviceReset();
}

static void more_blocks_than_fit() {
    recorder seen;
    device_array<unsigned long long> out(1);
    void* arguments[] = {&out.data};
    EXPECT(cudaLaunchCooperativeKernel(ranks, 132 * 2 + 1, 1024, arguments) ==
           cudaErrorCooperativeLaunchTooLarge);
    EXPECT(cudaGetLastError() == cudaErrorCooperativeLaunchTooLarge);
    EXPECT(seen.text() ==
           "265 blocks of a cooperative launch: 264 of this kernel fit the device at the same time");
}

static void groups_of_any_kind() {
    device_array<int> out(8 + 64);
    any_group<<<1, 64>>>(out.data);
    const auto got = out.host();
    EXPECT(got[0] == 64 * 63 / 2 && got[1] == 16 * 15 / 2 && got[4] == got[1] + 16 * 48);
    EXPECT(got[8] == 160700 && got[8 + 5] == 160701 && got[8 + 31] == 160706 && got[8 + 4] == 160600);
}

static void copies_of_a_group() {
    device_array<float> in(100), out(100);
    std::vector<float> values(100);
    for (int i = 0; i < 100; i++)
        values[i] = float(i);
    cudaMemcpy(in.data, values.data(), 400, cudaMemcpyHostToDevice);
    copies<<<1, 32>>>(out.data, in.data);
    EXPECT(out.at(0) == 99 && out.at(99) == 0);
}

int main() {
    return run_cases({blocks_wait_for_each_other, threads_of_the_grid_have_ranks, a_grid_that_cannot_meet,
                      an_ordinary_launch_cannot_wait_for_its_grid, more_blocks_than_fit, groups_of_any_kind,
                      copies_of_a_group});
}
