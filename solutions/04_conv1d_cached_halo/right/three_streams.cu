// Right: the tiles are launched in three parts, each in a stream of its own, with the first tile as a
// parameter.
#include "conv1d_cached_halo.h"

#include <array>
#include <stdexcept>
#include <string>

#include "lab/lab.h"

namespace {

__constant__ float c_filter[64 * 1024 / sizeof(float)];

struct arguments {
    float* out;
    const float* in;
    int n, radius, first_tile;
};

__global__ void conv1d_cached_halo_kernel(arguments a) {
    extern __shared__ float s_tile[];
    const int begin = (a.first_tile + int(blockIdx.x)) * int(blockDim.x);
    const int x = begin + int(threadIdx.x);
    const int cells = min(int(blockDim.x), a.n - begin);  // the last tile may be a short one
    if (int(threadIdx.x) < cells) s_tile[threadIdx.x] = a.in[x];
    __syncthreads();  // the sums read cells of the whole block
    if (int(threadIdx.x) >= cells) return;

    float sum = 0.0f;
    const float* tap = c_filter;
    for (int position = x - a.radius; position <= x + a.radius; position++, tap++) {
        if (unsigned(position - begin) < unsigned(cells)) {
            sum += *tap * s_tile[position - begin];
        } else if (unsigned(position) < unsigned(a.n)) {
            sum += *tap * a.in[position];
        }
    }
    a.out[x] = sum;
}

class streams {
public:
    streams() {
        for (cudaStream_t& one : all_)
            CUDA_CHECK(cudaStreamCreate(&one));
    }
    ~streams() {
        for (cudaStream_t one : all_)
            cudaStreamDestroy(one);
    }
    const auto& all() const { return all_; }

private:
    std::array<cudaStream_t, 3> all_{};
};

}  // namespace

void conv1d_cached_halo(std::span<float> out, std::span<const float> in, std::span<const float> filter,
                        int tile) {
    if (tile < 1 || tile > 1024)
        throw std::invalid_argument("no block has " + std::to_string(tile) + " threads (1024 is the limit)");
    set_filter(c_filter, filter);
    device_buffer<float> d_in(in), d_out(out.size());
    const int n = int(out.size()), tiles = ceil_div(n, tile);
    const streams ways;
    timed_launch([&] {
        // These streams wait for the default stream, and it waits for them.
        const int share = ceil_div(tiles, int(ways.all().size()));
        arguments a{d_out.data(), d_in.data(), n, int(filter.size()) / 2, 0};
        for (cudaStream_t way : ways.all()) {
            const int count = min(share, tiles - a.first_tile);
            if (count <= 0) break;
            conv1d_cached_halo_kernel<<<count, tile, tile * sizeof(float), way>>>(a);
            CUDA_CHECK(cudaGetLastError());
            a.first_tile += count;
        }
    });
    d_out.copy_to(out);
}
