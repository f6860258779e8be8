// Right: a few blocks walk over all tiles; a second barrier keeps the next tile from overwriting this one.
#include "conv1d_cached_halo.h"

#include <stdexcept>
#include <string>

#include "lab/lab.h"

constexpr int MAX_TILE = 1024;                          // threads of a block
constexpr size_t MAX_TAPS = 64 * 1024 / sizeof(float);  // all the constant memory there is

__constant__ float c_filter[MAX_TAPS];

/// Bytes of shared memory that a block needs. Throws std::invalid_argument if no block can have them.
static size_t shared_bytes(int tile) {
    if (tile < 1 || tile > MAX_TILE)
        throw std::invalid_argument("a tile of " + std::to_string(tile) + " threads: a block has 1 to " +
                                    std::to_string(MAX_TILE));
    return size_t(tile) * sizeof(float);
}

__global__ void conv1d_cached_halo_kernel(float* out, const float* in, int n, int radius) {
    extern __shared__ float s_tile[];  // the inputs below the outputs of this block (tile)
    const int tile = blockDim.x;
    const int tx = threadIdx.x;
    for (int begin = blockIdx.x * tile; begin < n; begin += gridDim.x * tile) {
        const int x = begin + tx;

        if (x < n) s_tile[tx] = in[x];
        __syncthreads();  // the sums below read what other threads have stored above

        float sum = 0.0f;
        for (int j = -radius; j <= radius && x < n; j++) {
            const int position = x + j;
            if (position < 0 || position >= n) continue;
            const bool in_tile = position >= begin && position < begin + tile;
            sum += (in_tile ? s_tile[position - begin] : in[position]) * c_filter[j + radius];
        }
        if (x < n) out[x] = sum;
        __syncthreads();  // the next round stores where this one still reads
    }
}

void conv1d_cached_halo(std::span<float> out, std::span<const float> in, std::span<const float> filter,
                        int tile) {
    const int n = int(out.size());
    const int radius = int(filter.size()) / 2;
    const size_t bytes = shared_bytes(tile);

    set_filter(c_filter, filter);
    device_buffer<float> d_in(in), d_out(out.size());

    const int blocks = ceil_div(n, tile);
    timed_launch([&] {
        conv1d_cached_halo_kernel<<<min(blocks, 5), tile, bytes>>>(d_out.data(), d_in.data(), n, radius);
    });
    d_out.copy_to(out);
}
