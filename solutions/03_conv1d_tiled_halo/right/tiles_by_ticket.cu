// Right: a few blocks draw the numbers of their tiles from an atomic counter until there are none left.
#include "conv1d_tiled_halo.h"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "lab/lab.h"

constexpr int MAX_BLOCKS = 24;
constexpr size_t MAX_SHARED = 48 * 1024;

__constant__ float c_filter[16384];
__device__ unsigned int next_tile;

// The ticket lies in the first cell of the tile, before there is a tile: at the limit there is no room
// beside it.
union cell {
    float value;
    unsigned int ticket;
};

__device__ unsigned int draw(cell* s_first) {
    __syncthreads();  // the sums of the last tile read the cell that the ticket goes to
    if (threadIdx.x == 0) s_first->ticket = atomicAdd(&next_tile, 1u);
    __syncthreads();  // everybody reads it
    const unsigned int ticket = s_first->ticket;
    __syncthreads();  // now the cell may be overwritten
    return ticket;
}

__global__ void conv1d_tiled_halo_kernel(float* out, const float* in, int n, int radius) {
    extern __shared__ cell s_tile[];
    const int tile = blockDim.x, cells = tile + 2 * radius;
    for (;;) {
        const long long begin = (long long)draw(s_tile) * tile;
        if (begin >= n) break;  // the whole block: all have the same ticket
        for (int k = threadIdx.x; k < cells; k += tile) {
            const long long position = begin - radius + k;
            s_tile[k].value = position >= 0 && position < n ? in[position] : 0.0f;
        }
        __syncthreads();  // the tile is complete
        const long long x = begin + threadIdx.x;
        if (x < n) {
            float sum = 0.0f;
            for (int k = 0; k <= 2 * radius; k++) {
                sum = fmaf(s_tile[threadIdx.x + k].value, c_filter[k], sum);
            }
            out[x] = sum;
        }
    }
}

static void refuse_unless(bool good, const std::string& what, size_t limit) {
    if (!good) throw std::invalid_argument(what + ", but the limit is " + std::to_string(limit));
}

void conv1d_tiled_halo(std::span<float> out, std::span<const float> in, std::span<const float> filter,
                       int tile) {
    refuse_unless(tile >= 1 && tile <= 1024, "tile " + std::to_string(tile), 1024);
    const size_t bytes = (size_t(tile) + filter.size() - 1) * sizeof(cell);
    refuse_unless(bytes <= MAX_SHARED, std::to_string(bytes) + " bytes of shared memory", MAX_SHARED);

    const int n = int(out.size()), radius = int(filter.size()) / 2;
    const int blocks = std::min(MAX_BLOCKS, ceil_div(n, tile));
    set_filter(c_filter, filter);
    device_buffer<float> d_in(in), d_out(out.size());
    void* counter = nullptr;
    CUDA_CHECK(cudaGetSymbolAddress(&counter, next_tile));
    timed_launch([&] {  // the counter starts anew with every launch
        CUDA_CHECK(cudaMemsetAsync(counter, 0, sizeof(unsigned int)));
        conv1d_tiled_halo_kernel<<<blocks, tile, bytes>>>(d_out.data(), d_in.data(), n, radius);
    });
    d_out.copy_to(out);
}
