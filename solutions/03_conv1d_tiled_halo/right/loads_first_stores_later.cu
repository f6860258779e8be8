// Right: four loads are under way before the first is stored; two sums, of the left and of the right half
// of the taps.
#include "conv1d_tiled_halo.h"

#include <stdexcept>
#include <string>

#include "lab/lab.h"

namespace limit {
constexpr int TILE = 1024;
constexpr size_t BYTES = 49152;
}  // namespace limit

constexpr int UNDER_WAY = 4;
__constant__ float c_filter[16384];

/// The cells of a thread: every `step`-th from `first` on, as long as there are any.
struct my_cells {
    int first, step, end;
    __device__ int operator()(int k) const { return first + k * step; }
    __device__ bool has(int k) const { return (*this)(k) < end; }
};

template <class from, class to>
__device__ void copy_cells(const my_cells& cells, const from& read, const to& write) {
    for (int start = 0; cells.has(start); start += UNDER_WAY) {
        float held[UNDER_WAY];
#pragma unroll
        for (int k = 0; k < UNDER_WAY; k++)
            held[k] = cells.has(start + k) ? read(cells(start + k)) : 0.0f;
#pragma unroll
        for (int k = 0; k < UNDER_WAY; k++)
            if (cells.has(start + k)) write(cells(start + k), held[k]);
    }
}

__global__ void conv1d_tiled_halo_kernel(float* out, const float* __restrict__ in, int n, int radius) {
    extern __shared__ float s_tile[];
    const int tile = blockDim.x, tx = threadIdx.x, begin = blockIdx.x * tile;
    copy_cells(
        {tx, tile, tile + 2 * radius},
        [&](int cell) {
            const int position = begin - radius + cell;
            return position >= 0 && position < n ? __ldcs(in + position) : 0.0f;
        },
        [&](int cell, float value) { s_tile[cell] = value; });
    __syncthreads();  // the tile is complete

    if (begin + tx >= n) return;
    float left = 0.0f, right = s_tile[tx + radius] * c_filter[radius];
    for (int k = 0; k < radius; k++) {
        const int mirrored = 2 * radius - k;
        left = __fmaf_rn(s_tile[tx + k], c_filter[k], left);
        right = __fmaf_rn(s_tile[tx + mirrored], c_filter[mirrored], right);
    }
    __stcs(out + begin + tx, left + right);
}

void conv1d_tiled_halo(std::span<float> out, std::span<const float> in, std::span<const float> filter,
                       int tile) {
    if (tile < 1 || tile > limit::TILE)
        throw std::invalid_argument("tile: " + std::to_string(tile) + ", not 1 to " +
                                    std::to_string(limit::TILE));
    const int n = int(out.size()), radius = int(filter.size()) / 2;
    const size_t bytes = (size_t(tile) + 2 * size_t(radius)) * sizeof(float);
    if (bytes > limit::BYTES)
        throw std::invalid_argument("bytes: " + std::to_string(bytes) + " > " + std::to_string(limit::BYTES));
    set_filter(c_filter, filter);
    device_buffer<float> d_in(in), d_out(out.size());
    timed_launch([&] {
        conv1d_tiled_halo_kernel<<<ceil_div(n, tile), tile, bytes>>>(d_out.data(), d_in.data(), n, radius);
    });
    d_out.copy_to(out);
}
