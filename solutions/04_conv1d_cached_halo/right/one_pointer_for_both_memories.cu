// Right: a generic pointer is set to the cell or to the element, and one load takes it from there.
#include "conv1d_cached_halo.h"

#include <stdexcept>
#include <string>

#include "lab/lab.h"

constexpr int MAX_TILE = 1024;
__constant__ float c_filter[1 << 14];

template <class T>
struct two_memories {
    const T* s_tile;
    const T* in;
    int begin, tile, n;

    /// Where the element at `position` lies: shared memory, global memory or nowhere.
    __device__ const T* find(int position) const {
        const T* places[] = {nullptr, in + position, s_tile + (position - begin)};
        const int exists = position >= 0 && position < n;
        const int here = exists && position >= begin && position < begin + tile;
        return places[exists + here];
    }
};

template <class T>
__global__ void conv1d_cached_halo_kernel(T* out, const T* in, int n, int radius) {
    extern __shared__ __align__(16) unsigned char s_raw[];
    T* const s_tile = reinterpret_cast<T*>(s_raw);
    const two_memories<T> elements{s_tile, in, int(blockIdx.x * blockDim.x), int(blockDim.x), n};
    const int x = elements.begin + threadIdx.x;

    s_tile[threadIdx.x] = x < n ? in[x] : T{};
    __syncthreads();  // cells of other threads are read below
    if (x >= n) return;

    T sum{};
    for (int j = -radius; j <= radius; j++) {
        if (const T* element = elements.find(x + j)) sum += *element * c_filter[radius + j];
    }
    out[x] = sum;
}

void conv1d_cached_halo(std::span<float> out, std::span<const float> in, std::span<const float> filter,
                        int tile) {
    if (tile <= 0 || tile > MAX_TILE) {
        throw std::invalid_argument("tile = " + std::to_string(tile) + "; the limit is " +
                                    std::to_string(MAX_TILE));
    }
    set_filter(c_filter, filter);

    device_buffer<float> d_in(in);
    device_buffer<float> d_out(out.size());
    const int n = int(out.size());
    timed_launch([&] {
        conv1d_cached_halo_kernel<float><<<ceil_div(n, tile), tile, tile * sizeof(float)>>>(
            d_out.data(), d_in.data(), n, int(filter.size()) / 2);
    });
    d_out.copy_to(out);
}
