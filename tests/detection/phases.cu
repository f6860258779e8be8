// Threads that wait for each other by a cuda::barrier, a cuda::pipeline, a tile of several warps or wmma, and some
// that forget to.
#include <cooperative_groups.h>

#include <cuda/barrier>
#include <cuda/pipeline>

#include <mma.h>

#include "detection.h"

namespace cg = cooperative_groups;
using block_barrier = cuda::barrier<cuda::thread_scope_block>;

constexpr int THREADS = 128;

__device__ void begin(block_barrier& barrier) {
    if (threadIdx.x == 0) init(&barrier, THREADS);
    __syncthreads();  // the barrier is there
}

template <bool RIGHT>
__global__ void arrive_and_wait(float* out, const float* in) {
    __shared__ block_barrier s_barrier;
    __shared__ float s_tile[THREADS];
    begin(s_barrier);
    s_tile[threadIdx.x] = in[threadIdx.x];  // HERE arrive_and_wait: race
    auto token = s_barrier.arrive();
    if (RIGHT) s_barrier.wait(std::move(token));
    out[threadIdx.x] = s_tile[THREADS - 1 - threadIdx.x];
}

template <bool RIGHT>
__global__ void written_after_arrival(float* out, const float* in) {
    __shared__ block_barrier s_barrier;
    __shared__ float s_tile[THREADS];
    begin(s_barrier);
    if (RIGHT) s_tile[threadIdx.x] = in[threadIdx.x];
    auto token = s_barrier.arrive();
    if (!RIGHT) s_tile[threadIdx.x] = in[threadIdx.x];  // HERE written_after_arrival: race
    s_barrier.wait(std::move(token));
    out[threadIdx.x] = s_tile[THREADS - 1 - threadIdx.x];
}

template <bool RIGHT>
__global__ void overwritten(float* out, const float* in) {
    __shared__ block_barrier s_barrier;
    __shared__ float s_tile[THREADS];
    begin(s_barrier);
    float sum = 0;
    for (int turn = 0; turn < 2; turn++) {
        s_tile[threadIdx.x] = in[threadIdx.x] * turn;  // HERE overwritten: race
        s_barrier.arrive_and_wait();
        sum += s_tile[THREADS - 1 - threadIdx.x];
        if (RIGHT) s_barrier.arrive_and_wait();
    }
    out[threadIdx.x] = sum;
}

template <bool RIGHT>
__global__ void copied_by_barrier(float* out, const float* in) {
    __shared__ block_barrier s_barrier;
    __shared__ float s_tile[THREADS];
    begin(s_barrier);
    const auto block = cg::this_thread_block();
    cuda::memcpy_async(block, s_tile, in, sizeof s_tile, s_barrier);  // HERE copied_by_barrier: race
    auto token = s_barrier.arrive();
    if (!RIGHT) out[threadIdx.x] = s_tile[THREADS - 1 - threadIdx.x];
    s_barrier.wait(std::move(token));
    if (RIGHT) out[threadIdx.x] = s_tile[THREADS - 1 - threadIdx.x];
}

/// Each thread waits for its own copies only.
template <bool RIGHT>
__global__ void copied_by_pipeline(float* out, const float* in) {
    __shared__ float s_tile[THREADS];
    auto pipe = cuda::make_pipeline();
    pipe.producer_acquire();
    const int t = threadIdx.x;
    cuda::memcpy_async(&s_tile[t], &in[t], sizeof(float), pipe);  // HERE copied_by_pipeline: race
    pipe.producer_commit();
    pipe.consumer_wait();
    if (RIGHT) __syncthreads();  // all have waited
    out[threadIdx.x] = s_tile[THREADS - 1 - threadIdx.x];
}

template <bool RIGHT>
__global__ void of_one_tile(float* out, const float* in) {
    __shared__ float s_tile[THREADS];
    const auto tile = cg::tiled_partition<64>(cg::this_thread_block());
    s_tile[threadIdx.x] = in[threadIdx.x];  // HERE of_one_tile: race
    tile.sync();
    out[threadIdx.x] = s_tile[threadIdx.x ^ (RIGHT ? 63 : 127)];
}

/// wmma waits for the warp, but what its lanes have stored need not be there.
template <bool RIGHT>
__global__ void stored_for_wmma(float* out, const float* in) {
    using namespace nvcuda;
    __shared__ alignas(32) __half s_tile[256];
    for (int i = threadIdx.x; i < 256; i += 32)
        s_tile[i] = __float2half(in[i % 16]);  // HERE stored_for_wmma: race
    if (RIGHT) __syncwarp();                   // the tile is there
    wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> a;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::col_major> b;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sums;
    wmma::load_matrix_sync(a, s_tile, 16);
    wmma::fill_fragment(b, __float2half(1.0f));
    wmma::fill_fragment(sums, 0.0f);
    wmma::mma_sync(sums, a, b, sums);
    wmma::store_matrix_sync(out, sums, 16, wmma::mem_row_major);
}

template <class kernel_type>
bool reverses(kernel_type kernel, int most = THREADS - 1) {
    const device_array<float> in(ramp(THREADS)), out(zeros(THREADS));
    kernel<<<1, THREADS>>>(out, in);
    bool is_right = true;
    for (int i = 0; i < THREADS; i++)
        is_right &= out.host()[i] == float(i ^ most);
    return is_right;
}

int main(int argc, char** argv) {
    return detect(
        __FILE__, argc, argv,
        {
            {"arrive_and_wait", [](auto right) { return reverses(arrive_and_wait<right>); }},
            {"written_after_arrival", [](auto right) { return reverses(written_after_arrival<right>); }},
            {"overwritten", [](auto right) { return reverses(overwritten<right>); }},
            {"copied_by_barrier", [](auto right) { return reverses(copied_by_barrier<right>); }},
            {"copied_by_pipeline", [](auto right) { return reverses(copied_by_pipeline<right>); }},
            {"of_one_tile", [](auto right) { return reverses(of_one_tile<right>, 63); }},
        });
}
