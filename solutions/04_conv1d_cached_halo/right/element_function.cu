// Right: a device function decides where an element comes from; global memory through __ldg.
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

/// The element at `position`, 0 for a ghost cell.
template <class T>
__device__ __forceinline__ T element_at(const T* __restrict__ in, const T* s_tile, int begin, int tile, int n,
                                        int position) {
    if (unsigned(position - begin) < unsigned(min(tile, n - begin))) return s_tile[position - begin];
    return unsigned(position) < unsigned(n) ? __ldg(in + position) : T(0);
}

__global__ void conv1d_cached_halo_kernel(float* out, const float* in, int n, int radius) {
    extern __shared__ float s_tile[];  // the inputs below the outputs of this block (tile)
    const int tile = blockDim.x;
    const int tx = threadIdx.x;
    const int begin = blockIdx.x * tile;  // first output of this block
    const int x = begin + tx;

    if (x < n) s_tile[tx] = in[x];
    __syncthreads();  // the sums below read what other threads have stored above
    if (x >= n) return;

    float sum = 0.0f;  // in a register: one store at the end instead of one for every tap
    for (int j = -radius; j <= radius; j++) {
        sum = fmaf(element_at(in, s_tile, begin, tile, n, x + j), c_filter[j + radius], sum);
    }
    out[x] = sum;
}

void conv1d_cached_halo(std::span<float> out, std::span<const float> in, std::span<const float> filter,
                        int tile) {
    const int n = int(out.size());
    const int radius = int(filter.size()) / 2;
    const size_t bytes = shared_bytes(tile);

    set_filter(c_filter, filter);
    device_buffer<float> d_in(in), d_out(out.size());

    const int blocks = ceil_div(n, tile);
    timed_launch(
        [&] { conv1d_cached_halo_kernel<<<blocks, tile, bytes>>>(d_out.data(), d_in.data(), n, radius); });
    d_out.copy_to(out);
}
