// Right: the halo is added up before the barrier, which nobody waits at idly; the inside follows after it.
#include "conv1d_cached_halo.h"

#include <stdexcept>
#include <string>

#include "lab/lab.h"

__constant__ float c_filter[16384];

/// Positions from `first` to before `last`.
struct stretch {
    int first, last;
};

__device__ stretch clipped(stretch s, int low, int high) {
    return {max(s.first, low), min(s.last, high)};
}

__global__ void conv1d_cached_halo_kernel(float* __restrict__ out, const float* __restrict__ in, int n,
                                          int radius) {
    extern __shared__ float s_tile[];
    const int tile = int(blockDim.x), tx = int(threadIdx.x);
    const stretch inside = clipped({int(blockIdx.x) * tile, int(blockIdx.x + 1) * tile}, 0, n);
    const int x = int(blockIdx.x) * tile + tx;
    const float* tap = c_filter + radius - x;  // tap[position] is the one above that position

    float sum = 0.0f;
    if (x < n) {
        s_tile[tx] = __ldg(in + x);
        const stretch wanted = clipped({x - radius, x + radius + 1}, 0, n);
        for (int at = wanted.first; at < inside.first; ++at)
            sum += __ldg(in + at) * tap[at];
        for (int at = inside.last; at < wanted.last; ++at)
            sum += __ldg(in + at) * tap[at];
    }
    __syncthreads();  // the rest of the sum reads cells of other threads

    if (x < n) {
        const stretch near = clipped({x - radius, x + radius + 1}, inside.first, inside.last);
        for (int at = near.first; at < near.last; ++at)
            sum += s_tile[at - inside.first] * tap[at];
        out[x] = sum;
    }
}

static void check(int tile, size_t taps) {
    const auto text = [](auto number) { return std::to_string(number); };
    if (tile < 1 || tile > 1024) throw std::invalid_argument("tile " + text(tile) + " not in 1 .. 1024");
    if (taps > 16384) throw std::invalid_argument("a filter of " + text(taps) + " taps, at most 16384 fit");
}

void conv1d_cached_halo(std::span<float> out, std::span<const float> in, std::span<const float> filter,
                        int tile) {
    check(tile, filter.size());
    timed_copy([&] { CUDA_CHECK(cudaMemcpyToSymbol(c_filter, filter.data(), filter.size_bytes())); });
    device_buffer<float> d_in(in), d_out(out.size());
    const int n = int(in.size()), radius = int(filter.size()) / 2;
    timed_launch([&] {
        conv1d_cached_halo_kernel<<<ceil_div(n, tile), tile, tile * sizeof(float)>>>(d_out.data(),
                                                                                     d_in.data(), n, radius);
    });
    d_out.copy_to(out);
}
