// Right: the host turns the filter round, tiles are filled from their end, two sums in double take turns.
#include "conv1d_tiled_halo.h"

#include <stdexcept>
#include <string>
#include <vector>

#include "lab/lab.h"

using index_t = unsigned;

__constant__ float c_backwards[16384];

struct problem {
    float* __restrict__ out;
    const float* __restrict__ in;
    index_t n, radius;
};

template <index_t LIMIT>
static std::string beyond(const char* unit, long long asked) {
    return std::string(unit) + ": " + std::to_string(asked) + " asked for, " + std::to_string(LIMIT) +
           " allowed";
}

__global__ void __launch_bounds__(1024, 1) conv1d_tiled_halo_kernel(const problem p) {
    extern __shared__ char s_bytes[];
    float* const s_tile = reinterpret_cast<float*>(s_bytes);
    const index_t begin = blockIdx.x * blockDim.x, cells = blockDim.x + 2 * p.radius;

    // Positions below 0 wrap around to huge numbers, so one comparison sees both ends of the array.
    index_t left = cells;
    while (left > threadIdx.x) {
        const index_t cell = left - threadIdx.x - 1, position = begin + cell - p.radius;
        s_tile[cell] = position < p.n ? p.in[position] : 0.0f;
        left = left > blockDim.x ? left - blockDim.x : 0;
    }
    __syncthreads();  // cells come from all threads

    const index_t x = begin + threadIdx.x;
    if (x < p.n) {
        double sums[2] = {};
        const float* const last = s_tile + threadIdx.x + 2 * p.radius;
        for (index_t k = 0; k <= 2 * p.radius; k++)
            sums[k & 1] += double(last[-int(k)]) * c_backwards[k];
        p.out[x] = static_cast<float>(sums[0] + sums[1]);
    }
}

void conv1d_tiled_halo(std::span<float> out, std::span<const float> in, std::span<const float> filter,
                       int tile) {
    const size_t bytes = sizeof(float) * (size_t(tile) + filter.size() - 1);
    if (tile <= 0 || tile > 1024) throw std::invalid_argument(beyond<1024>("tile", tile));
    if (bytes > 48 << 10) throw std::invalid_argument(beyond<48 << 10>("bytes of shared memory", bytes));

    const std::vector<float> backwards(filter.rbegin(), filter.rend());
    set_filter(c_backwards, backwards);
    device_buffer<float> d_out(out.size());
    device_buffer<float> d_in(in);
    const problem p{d_out.data(), d_in.data(), index_t(out.size()), index_t(filter.size() / 2)};
    timed_launch([&] { conv1d_tiled_halo_kernel<<<(p.n + tile - 1) / tile, tile, bytes>>>(p); });
    d_out.copy_to(out);
}
