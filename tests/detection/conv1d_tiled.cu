// Mistakes of a 1D convolution with a tile in shared memory: barriers, halos, the tile's size.
#include <cuda_pipeline.h>

#include "convolution.h"

constexpr int CHANNELS = 3;

/// Loads a tile and R elements to either side of it.
__device__ void load_tile(float* tile, const float* in, int count) {
    const int left = blockIdx.x * BLOCK - R;
    for (int i = threadIdx.x; i < BLOCK + 2 * R; i += BLOCK)
        tile[i] = padded(in, left + i, count);
}

template <bool RIGHT>
__global__ void no_barrier(float* out, const float* in, int count) {
    __shared__ float s_tile[BLOCK + 2 * R];
    const int x = thread_in_grid(), left = blockIdx.x * BLOCK - R;
    for (int i = threadIdx.x; i < BLOCK + 2 * R; i += BLOCK)
        s_tile[i] = padded(in, left + i, count);  // HERE no_barrier: race
    if (RIGHT) __syncthreads();
    float sum = 0;
    for (int j = 0; j < TAPS; j++)
        sum += s_tile[threadIdx.x + j] * c_taps[j];
    if (x < count) out[x] = sum;
}

// The next channel is loaded while others still sum up this one.
template <bool RIGHT>
__global__ void no_second_barrier(float* out, const float* in, int count) {
    __shared__ float s_tile[BLOCK + 2 * R];
    const int x = thread_in_grid(), left = blockIdx.x * BLOCK - R;
    float sum = 0;
    for (int channel = 0; channel < CHANNELS; channel++) {
        for (int i = threadIdx.x; i < BLOCK + 2 * R; i += BLOCK)
            s_tile[i] = padded(in, left + i, count);  // HERE no_second_barrier: race
        __syncthreads();
        for (int j = 0; j < TAPS; j++)
            sum += s_tile[threadIdx.x + j] * c_taps[j];
        if (RIGHT) __syncthreads();
    }
    if (x < count) out[x] = sum / CHANNELS;
}

// Two buffers, and the wrong one is filled.
template <bool RIGHT>
__global__ void wrong_buffer(float* out, const float* in, int count) {
    __shared__ float s_tiles[2][BLOCK + 2 * R];
    const int x = thread_in_grid(), left = blockIdx.x * BLOCK - R;
    float sum = 0;
    load_tile(s_tiles[0], in, count);
    for (int channel = 0; channel < CHANNELS; channel++) {
        __syncthreads();
        const int now = channel % 2, next = RIGHT ? 1 - now : now;
        for (int i = threadIdx.x; i < BLOCK + 2 * R; i += BLOCK)
            s_tiles[next][i] = padded(in, left + i, count);  // HERE wrong_buffer: race
        for (int j = 0; j < TAPS; j++)
            sum += s_tiles[now][threadIdx.x + j] * c_taps[j];
    }
    if (x < count) out[x] = sum / CHANNELS;
}

template <bool RIGHT>
__global__ void no_right_halo(float* out, const float* in, int count) {
    __shared__ float s_tile[BLOCK + 2 * R];
    const int x = thread_in_grid();
    s_tile[threadIdx.x + R] = padded(in, x, count);
    if (threadIdx.x < R) {
        s_tile[threadIdx.x] = padded(in, x - R, count);
        if (RIGHT) s_tile[threadIdx.x + BLOCK + R] = padded(in, x + BLOCK, count);
    }
    __syncthreads();
    float sum = 0;
    for (int j = 0; j < TAPS; j++)
        sum += s_tile[threadIdx.x + j] * c_taps[j];  // HERE no_right_halo: uninitialised-read
    if (x < count) out[x] = sum;
}

// In the last block the halo's cells are nobody's but the zeros' outside.
template <bool RIGHT>
__global__ void no_halo_in_the_last_block(float* out, const float* in, int count) {
    __shared__ float s_tile[BLOCK + 2 * R];
    const int x = thread_in_grid(), left = blockIdx.x * BLOCK - R;
    for (int i = threadIdx.x; i < BLOCK + 2 * R; i += BLOCK) {
        if (RIGHT || left + i < count) s_tile[i] = padded(in, left + i, count);
    }
    __syncthreads();
    float sum = 0;
    for (int j = 0; j < TAPS; j++)
        sum += s_tile[threadIdx.x + j] * c_taps[j];  // HERE no_halo_in_the_last_block: uninitialised-read
    if (x < count) out[x] = sum;
}

// The threads at the right end load the left halo, but into cells that others fill.
template <bool RIGHT>
__global__ void halo_by_the_wrong_threads(float* out, const float* in, int count) {
    __shared__ float s_tile[BLOCK + 2 * R];
    const int x = thread_in_grid(), from_end = int(threadIdx.x) - (BLOCK - R);
    s_tile[threadIdx.x + R] = padded(in, x, count);  // HERE halo_by_the_wrong_threads: race
    if (threadIdx.x < R) s_tile[threadIdx.x + BLOCK + R] = padded(in, x + BLOCK, count);
    if (from_end >= 0) s_tile[RIGHT ? from_end : from_end + R] = padded(in, x - BLOCK, count);
    __syncthreads();
    float sum = 0;
    for (int j = 0; j < TAPS; j++)
        sum += s_tile[threadIdx.x + j] * c_taps[j];  // HERE halo_by_the_wrong_threads: uninitialised-read
    if (x < count) out[x] = sum;
}

template <bool RIGHT>
__global__ void return_before_the_barrier(float* out, const float* in, int count) {
    __shared__ float s_tile[BLOCK + 2 * R];
    const int x = thread_in_grid(), left = blockIdx.x * BLOCK - R;
    if (threadIdx.x < 2 * R) s_tile[BLOCK + threadIdx.x] = padded(in, left + BLOCK + int(threadIdx.x), count);
    s_tile[threadIdx.x] = padded(in, left + int(threadIdx.x), count);
    if (!RIGHT && x >= count) return;
    __syncthreads();  // HERE return_before_the_barrier: divergent-barrier
    float sum = 0;
    for (int j = 0; j < TAPS; j++)
        sum += s_tile[threadIdx.x + j] * c_taps[j];
    if (x < count) out[x] = sum;
}

// The launch asks for as many elements as threads.
template <bool RIGHT>
__global__ void small_dynamic_tile(float* out, const float* in, int count) {
    extern __shared__ float s_dynamic[];
    const int x = thread_in_grid(), left = blockIdx.x * BLOCK - R;
    for (int i = threadIdx.x; i < BLOCK + 2 * R; i += BLOCK)
        s_dynamic[i] = padded(in, left + i, count);  // HERE small_dynamic_tile: out-of-bounds
    __syncthreads();
    float sum = 0;
    for (int j = 0; j < TAPS; j++)
        sum += s_dynamic[threadIdx.x + j] * c_taps[j];  // HERE small_dynamic_tile: out-of-bounds
    if (x < count) out[x] = sum;
}

// The tile is on its way when the barrier has passed, and not there.
template <bool RIGHT>
__global__ void tile_still_coming(float* out, const float* in, int count) {
    __shared__ float s_tile[BLOCK + 2 * R];
    const int x = thread_in_grid(), left = blockIdx.x * BLOCK - R;
    for (int i = threadIdx.x; i < BLOCK + 2 * R; i += BLOCK) {
        const bool is_inside = left + i >= 0 && left + i < count;
        const float* from = is_inside ? &in[left + i] : in;
        __pipeline_memcpy_async(&s_tile[i], from, sizeof(float), is_inside ? 0 : sizeof(float));
    }
    __pipeline_commit();
    if (RIGHT) __pipeline_wait_prior(0);
    __syncthreads();
    float sum = 0;
    for (int j = 0; j < TAPS; j++)
        sum += s_tile[threadIdx.x + j] * c_taps[j];  // HERE tile_still_coming: uninitialised-read
    if (x < count) out[x] = sum;
}

// The taps' own loaders are not the only ones who need them.
template <bool RIGHT>
__global__ void taps_without_barrier(float* out, const float* in, int count) {
    __shared__ float s_taps[TAPS];
    const int x = thread_in_grid();
    if (threadIdx.x < TAPS) s_taps[threadIdx.x] = c_taps[threadIdx.x];  // HERE taps_without_barrier: race
    if (RIGHT) __syncthreads();
    float sum = 0;
    for (int j = 0; j < TAPS; j++)
        sum += padded(in, x + j - R, count) * s_taps[j];
    if (x < count) out[x] = sum;
}

int main(int argc, char** argv) {
    return detect(
        __FILE__, argc, argv,
        {
            {"no_barrier", [](auto right) { return convolves(no_barrier<right>); }},
            {"no_second_barrier", [](auto right) { return convolves(no_second_barrier<right>); }},
            {"wrong_buffer", [](auto right) { return convolves(wrong_buffer<right>); }},
            {"no_right_halo", [](auto right) { return convolves(no_right_halo<right>); }},
            {"no_halo_in_the_last_block",
             [](auto right) { return convolves(no_halo_in_the_last_block<right>); }},
            {"halo_by_the_wrong_threads",
             [](auto right) { return convolves(halo_by_the_wrong_threads<right>); }},
            {"return_before_the_barrier",
             [](auto right) { return convolves(return_before_the_barrier<right>); }},
            {"small_dynamic_tile",
             [](auto right) { return convolves(small_dynamic_tile<right>, right ? BLOCK + 2 * R : BLOCK); }},
            {"tile_still_coming", [](auto right) { return convolves(tile_still_coming<right>); }},
            {"taps_without_barrier", [](auto right) { return convolves(taps_without_barrier<right>); }},
        });
}
