// Right: a switch over the place of an element, two taps a round, and tiles that lie in a grid of rows and
// columns.
#include "conv1d_cached_halo.h"

#include <cooperative_groups.h>

#include <stdexcept>
#include <string>

#include "lab/lab.h"

namespace cg = cooperative_groups;

constexpr int COLUMNS = 7;  // tiles in a row of the grid
constexpr size_t MOST_TAPS = 16384;
__constant__ float c_filter[MOST_TAPS];

enum class place { nowhere, tile, halo };

__device__ constexpr place place_of(int position, int begin, int end, int n) {
    if (position < 0 || position >= n) return place::nowhere;
    return position < begin || position >= end ? place::halo : place::tile;
}

__global__ void conv1d_cached_halo_kernel(float* out, const float* in, int n, int radius) {
    extern __shared__ float s_tile[];
    const auto block = cg::this_thread_block();
    const int size = int(block.size()), rank = int(block.thread_rank());
    const int begin = int(gridDim.x * blockIdx.y + blockIdx.x) * size, end = begin + size;
    if (begin >= n) return;  // the whole block: the last row of tiles is not full
    const int x = begin + rank;
    s_tile[rank] = in[min(x, n - 1)];  // past the end anything will do: nobody reads it
    block.sync();                      // from here on cells of other threads are read

    const auto product = [=](int k) {
        const int position = x + k - radius;
        float element = 0.0f;
        switch (place_of(position, begin, end, n)) {
            case place::nowhere:
                break;
            case place::tile:
                element = s_tile[position - begin];
                break;
            case place::halo:
                element = in[position];
        }
        return element * c_filter[k];
    };
    float sum = product(2 * radius);  // the number of taps is odd: one goes first, the others in pairs
    for (int k = 0; k < 2 * radius; k += 2)
        sum += product(k) + product(k + 1);
    if (x < n) out[x] = sum;
}

void conv1d_cached_halo(std::span<float> out, std::span<const float> in, std::span<const float> filter,
                        int tile) {
    if (tile > 1024 || tile < 1)
        throw std::invalid_argument("conv1d_cached_halo: tile " + std::to_string(tile) + ", limit 1024");
    if (filter.size() > MOST_TAPS)
        throw std::invalid_argument("conv1d_cached_halo: " + std::to_string(filter.size()) + " taps, limit " +
                                    std::to_string(MOST_TAPS));
    device_buffer<float> d_in(in), d_out(out.size());
    set_filter(c_filter, filter);
    const int n = int(out.size()), tiles = ceil_div(n, tile);
    const dim3 grid(COLUMNS, ceil_div(tiles, COLUMNS));
    timed_launch([&] {
        conv1d_cached_halo_kernel<<<grid, tile, sizeof(float) * tile>>>(d_out.data(), d_in.data(), n,
                                                                        int(filter.size() / 2));
    });
    d_out.copy_to(out);
}
