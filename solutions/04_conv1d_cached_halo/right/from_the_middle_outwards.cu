// Right: the sum grows from the middle tap to both sides, and a block that has the whole array tests only
// its ends.
#include "conv1d_cached_halo.h"

#include <stdexcept>
#include <string>

#include "lab/lab.h"

using uint = unsigned int;
__constant__ float c_filter[64 * 1024 / sizeof(float)];

union element_bits {
    float value;
    uint bits;
};

/// What lies at a position. Below 0 an unsigned position is larger than any length.
class elements {
public:
    __device__ elements(float* s_tile, const float* in, uint begin, uint length)
        : s_tile_(s_tile), in_(in), begin_(begin), length_(length) {}
    __device__ void fill(uint position) {
        if (position < length_) s_tile_[position - begin_] = __ldcg(&in_[position]);
        alone_ = __syncthreads_and(length_ <= blockDim.x);  // also: the tile is complete
    }
    __device__ float operator[](uint position) const {
        element_bits element;
        element.bits = 0;
        if (position < length_) {
            if (alone_ || position - begin_ < blockDim.x)
                element.value = s_tile_[position - begin_];
            else
                element.value = __ldcg(&in_[position]);
        }
        return element.value;
    }

private:
    float* s_tile_;
    const float* in_;
    uint begin_, length_;
    bool alone_ = false;
};

__global__ void conv1d_cached_halo_kernel(float* out, const float* in, uint n, uint radius) {
    extern __shared__ float s_tile[];
    const uint begin = blockIdx.x * blockDim.x, x = begin + threadIdx.x;
    elements under(s_tile, in, begin, n);
    under.fill(x);
    if (x >= n) return;

    const float* middle = c_filter + radius;
    float sum = under[x] * *middle;
    for (int far = 1; far <= int(radius); ++far) {
        sum += under[x - far] * middle[-far] + under[x + far] * middle[far];
    }
    out[x] = sum;
}

void conv1d_cached_halo(std::span<float> out, std::span<const float> in, std::span<const float> filter,
                        int tile) {
    constexpr int limit = 1024;
    if (tile < 1 || tile > limit) {
        throw std::invalid_argument(std::to_string(tile) + " outputs do not make a tile, 1 to " +
                                    std::to_string(limit) + " do");
    }
    set_filter(c_filter, filter);
    device_buffer<float> d_out(out.size()), d_in(in);
    const uint n = uint(in.size()), radius = uint(filter.size()) / 2, blocks = (n - 1) / tile + 1;
    timed_launch([&] {
        conv1d_cached_halo_kernel<<<blocks, tile, tile * sizeof(float)>>>(d_out.data(), d_in.data(), n,
                                                                          radius);
    });
    d_out.copy_to(out);
}
