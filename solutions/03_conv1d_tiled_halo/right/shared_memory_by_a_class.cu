// Right: classes hold the shared memory and the taps; one warp loads the whole tile while the others wait.
#include "conv1d_tiled_halo.h"

#include <stdexcept>
#include <string>

#include "lab/lab.h"

template <class T>
struct dynamic_shared {
    __device__ operator T*() const {
        extern __shared__ int s_words[];
        return reinterpret_cast<T*>(s_words);
    }
};

template <size_t ROOM>
struct filter_memory {
    float taps[ROOM];
    __device__ const float& operator[](int k) const { return taps[k]; }
};
__constant__ filter_memory<16384> c_filter;

class tile_of_block {
public:
    __device__ tile_of_block(int radius) : radius_(radius), begin_(blockIdx.x * blockDim.x - radius) {}
    __device__ void load(const float* in, int n) const {
        if (threadIdx.x < 32) {
            const int lanes = min(32, int(blockDim.x)), cells = blockDim.x + 2 * radius_;
            for (int cell = threadIdx.x; cell < cells; cell += lanes) {
                const int position = begin_ + cell;
                s_cells_[cell] = position < 0 || position >= n ? 0.0f : in[position];
            }
        }
        __syncthreads();  // all warps read what the first has loaded
    }
    __device__ float sum() const {
        float sum = 0.0f;
        const float* cell = s_cells_ + threadIdx.x;
        for (int k = 0; k < 2 * radius_ + 1; k++)
            sum += cell[k] * c_filter[k];
        return sum;
    }

private:
    dynamic_shared<float> s_;
    float* s_cells_ = s_;
    int radius_, begin_;
};

__global__ void conv1d_tiled_halo_kernel(float* out, const float* in, int n, int radius) {
    const tile_of_block tile(radius);
    tile.load(in, n);
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (x < n) out[x] = tile.sum();
}

void conv1d_tiled_halo(std::span<float> out, std::span<const float> in, std::span<const float> filter,
                       int tile) {
    if (tile > 1024 || tile <= 0)
        throw std::invalid_argument("tile " + std::to_string(tile) + " of at most 1024");
    const size_t bytes = (tile + filter.size() / 2 * 2) * sizeof(float);
    if (bytes > 48 * 1024) throw std::invalid_argument(std::to_string(bytes) + " bytes of at most 49152");
    timed_copy([&] { CUDA_CHECK(cudaMemcpyToSymbol(c_filter, filter.data(), filter.size_bytes())); });
    device_buffer<float> d_in(in), d_out(out.size());
    const int n = int(in.size());
    timed_launch([&] {
        conv1d_tiled_halo_kernel<<<ceil_div(n, tile), tile, bytes>>>(d_out.data(), d_in.data(), n,
                                                                     int(filter.size()) / 2);
    });
    d_out.copy_to(out);
}
