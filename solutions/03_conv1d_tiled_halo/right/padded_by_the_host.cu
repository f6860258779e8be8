// Right: the host puts ghost cells around the array, up to whole tiles; the kernel loads without a test.
#include "conv1d_tiled_halo.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include "lab/lab.h"

constexpr int MAX_TILE = 1024;
constexpr size_t MAX_SHARED = 48 * 1024;
__constant__ float c_filter[MAX_SHARED / sizeof(float)];

static size_t shared_bytes(int tile, int radius) {
    if (tile < 1 || tile > MAX_TILE)
        throw std::invalid_argument("a tile of " + std::to_string(tile) + " threads: a block has 1 to " +
                                    std::to_string(MAX_TILE));
    const size_t bytes = (size_t(tile) + 2 * size_t(radius)) * sizeof(float);
    if (bytes > MAX_SHARED)
        throw std::invalid_argument("the tile takes " + std::to_string(bytes) + " bytes: a block has " +
                                    std::to_string(MAX_SHARED));
    return bytes;
}

__global__ void conv1d_tiled_halo_kernel(float* out, const float* padded, int n, int radius) {
    extern __shared__ float s_tile[];
    const int begin = blockIdx.x * blockDim.x;
    for (int cell = threadIdx.x; cell < blockDim.x + 2 * radius; cell += blockDim.x)
        s_tile[cell] = padded[begin + cell];
    __syncthreads();  // the sums below read what other threads have stored above
    const int x = begin + threadIdx.x;
    if (x >= n) return;
    float sum = 0.0f;
    for (int j = 0; j <= 2 * radius; j++)
        sum += s_tile[threadIdx.x + j] * c_filter[j];
    out[x] = sum;
}

void conv1d_tiled_halo(std::span<float> out, std::span<const float> in, std::span<const float> filter,
                       int tile) {
    const int n = int(out.size()), radius = int(filter.size()) / 2;
    const size_t bytes = shared_bytes(tile, radius);
    const int blocks = ceil_div(n, tile);
    std::vector<float> padded(size_t(blocks) * tile + 2 * radius);
    std::copy(in.begin(), in.end(), padded.begin() + radius);

    set_filter(c_filter, filter);
    device_buffer<float> d_padded(padded), d_out(out.size());
    timed_launch(
        [&] { conv1d_tiled_halo_kernel<<<blocks, tile, bytes>>>(d_out.data(), d_padded.data(), n, radius); });
    d_out.copy_to(out);
}
