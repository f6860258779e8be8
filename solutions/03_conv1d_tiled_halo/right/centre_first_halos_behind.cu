// Right: three arrays in dynamic shared memory: the centre first, then the right halo, then the left one.
#include "conv1d_tiled_halo.h"

#include <stdexcept>
#include <string>

#include "lab/lab.h"

__constant__ float c_filter[64 * 1024 / sizeof(float)];

/// The three parts, cut out of one piece of shared memory, and the way to the cell of a place in the tile.
class parts {
public:
    __device__ parts(float* memory, int tile, int radius)
        : centre_(memory),
          right_(memory + tile),
          left_(memory + tile + radius),
          tile_(tile),
          radius_(radius) {}
    /// `place` counts from the first output of the block: -radius to tile + radius - 1.
    __device__ float& operator[](int place) const {
        if (place < 0) return left_[place + radius_];
        if (place >= tile_) return right_[place - tile_];
        return centre_[place];
    }

private:
    float *centre_, *right_, *left_;
    int tile_, radius_;
};

__global__ void conv1d_tiled_halo_kernel(float* out, const float* in, int n, int radius) {
    extern __shared__ float s_memory[];
    const int tile = int(blockDim.x), tx = int(threadIdx.x);
    const int begin = int(blockIdx.x) * tile;
    const parts cells(s_memory, tile, radius);

    const auto load = [=](int place) {
        const int position = begin + place;
        cells[place] = position < 0 || position >= n ? 0.0f : in[position];
    };
    load(tx);
    for (int far = tx; far < radius; far += tile) {
        load(tile + far);
        load(far - radius);
    }
    const bool somebody_computes =
        __syncthreads_or(begin + tx < n);  // a barrier that also counts, not needed here
    if (!somebody_computes || begin + tx >= n) return;

    float sum = 0.0f;
    for (int j = -radius; j <= radius; ++j)
        sum += cells[tx + j] * c_filter[j + radius];
    out[begin + tx] = sum;
}

void conv1d_tiled_halo(std::span<float> out, std::span<const float> in, std::span<const float> filter,
                       int tile) {
    if (tile < 1 || tile > 1024)
        throw std::invalid_argument("a tile of " + std::to_string(tile) + " (limit: 1024)");
    const size_t bytes = (filter.size() - 1 + size_t(tile)) * sizeof(float);
    if (bytes > 49152)
        throw std::invalid_argument("a tile of " + std::to_string(bytes) + " bytes (limit: 49152)");

    const int n = int(out.size()), radius = int(filter.size()) / 2;
    set_filter(c_filter, filter);
    device_buffer<float> d_in(in), d_out(out.size());
    timed_launch([&] {
        conv1d_tiled_halo_kernel<<<ceil_div(n, tile), tile, bytes>>>(d_out.data(), d_in.data(), n, radius);
    });
    d_out.copy_to(out);
}
