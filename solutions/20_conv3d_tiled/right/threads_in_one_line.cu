// Right: grids and blocks of one direction; threads find their voxels, cells and tiles by division.
#include "conv3d_tiled.h"

#include <stdexcept>
#include <string>

#include "lab/lab.h"

constexpr int THREADS = 256;
constexpr size_t MAX_SHARED = 48 * 1024, MAX_TAPS = 16384;
constexpr int MAX_FILTER_DEPTH = 9;

__constant__ float c_filter[MAX_TAPS];

struct extent {
    int width, height, depth;
    __host__ __device__ int cells() const { return width * height * depth; }
    __host__ __device__ bool holds(const extent& at) const {
        return at.width >= 0 && at.width < width && at.height >= 0 && at.height < height && at.depth >= 0 &&
               at.depth < depth;
    }
    __host__ __device__ extent at(int flat) const {
        return {flat % width, flat / width % height, flat / width / height};
    }
    __host__ __device__ int flat(const extent& at) const {
        return (at.depth * height + at.height) * width + at.width;
    }
    __host__ __device__ extent with_halo(const extent& taps) const {
        return {width + taps.width - 1, height + taps.height - 1, depth + taps.depth - 1};
    }
    __host__ __device__ extent blocks_over(const extent& volume) const {
        return {ceil_div(volume.width, width), ceil_div(volume.height, height),
                ceil_div(volume.depth, depth)};
    }
};

// Functions: kernels may read no constant of the host that has members.
__host__ __device__ constexpr extent tile_outputs() {
    return {16, 4, 4};
}
__host__ __device__ constexpr extent plane_outputs() {
    return {32, 8, 1};
}

__device__ float voxel_or_zero(const float* in, const extent& volume, const extent& at) {
    return volume.holds(at) ? in[volume.flat(at)] : 0.0f;
}

__global__ void naive_kernel(float* out, const float* in, extent volume, extent taps) {
    const int own = blockIdx.x * THREADS + threadIdx.x;
    if (own >= volume.cells()) return;
    const extent to = volume.at(own);
    float sum = 0.0f;
    for (int tap = 0; tap < taps.cells(); tap++) {
        const extent of = taps.at(tap);
        const extent from{to.width + of.width - taps.width / 2, to.height + of.height - taps.height / 2,
                          to.depth + of.depth - taps.depth / 2};
        if (volume.holds(from)) sum += c_filter[tap] * in[volume.flat(from)];
    }
    out[own] = sum;
}

/// The first output of a block.
__device__ extent first_of(const extent& tile, const extent& volume, int block) {
    const extent at = tile.blocks_over(volume).at(block);
    return {at.width * tile.width, at.height * tile.height, at.depth * tile.depth};
}

__device__ void load(float* s_cells, const extent& cells, const float* in, const extent& volume,
                     const extent& first) {
    for (int k = threadIdx.x; k < cells.cells(); k += THREADS) {
        const extent at = cells.at(k);
        s_cells[k] = voxel_or_zero(
            in, volume, {first.width + at.width, first.height + at.height, first.depth + at.depth});
    }
}

__global__ void tiled_kernel(float* out, const float* in, extent volume, extent taps) {
    extern __shared__ float s_cells[];
    const extent cells = tile_outputs().with_halo(taps), first = first_of(tile_outputs(), volume, blockIdx.x);
    load(s_cells, cells, in, volume,
         {first.width - taps.width / 2, first.height - taps.height / 2, first.depth - taps.depth / 2});
    __syncthreads();
    const extent own = tile_outputs().at(threadIdx.x);
    const extent to{first.width + own.width, first.height + own.height, first.depth + own.depth};
    if (!volume.holds(to)) return;
    float sum = 0.0f;
    for (int tap = 0; tap < taps.cells(); tap++) {
        const extent of = taps.at(tap);
        sum += c_filter[tap] *
               s_cells[cells.flat({own.width + of.width, own.height + of.height, own.depth + of.depth})];
    }
    out[volume.flat(to)] = sum;
}

/// Sums have an array in memory here: its index is no constant.
__global__ void marching_kernel(float* out, const float* in, extent volume, extent taps) {
    extern __shared__ float s_cells[];
    const extent cells = plane_outputs().with_halo({taps.width, taps.height, 1}),
                 first = first_of(plane_outputs(), {volume.width, volume.height, 1}, blockIdx.x);
    const extent own = plane_outputs().at(threadIdx.x);
    extent to{first.width + own.width, first.height + own.height, 0};
    const bool has_output = volume.holds(to);
    float sums[MAX_FILTER_DEPTH] = {};
    for (int z = 0; z < volume.depth; z++) {
        load(s_cells, cells, in, volume, {first.width - taps.width / 2, first.height - taps.height / 2, z});
        __syncthreads();
        for (int tap = 0; has_output && tap < taps.width * taps.height; tap++) {
            const extent of = taps.at(tap);
            const float voxel = s_cells[cells.flat({own.width + of.width, own.height + of.height, 0})];
            // Output o has the sum o % depth of the filter; slice k of the filter meets it here if o is z + r - k.
            for (int k = 0; k < taps.depth; k++) {
                const int slot = (z + taps.depth / 2 - k + taps.depth) % taps.depth;
                sums[slot] += c_filter[k * taps.width * taps.height + tap] * voxel;
            }
        }
        to.depth = z - taps.depth / 2;
        if (has_output && to.depth >= 0) out[volume.flat(to)] = sums[to.depth % taps.depth];
        sums[(to.depth + taps.depth) % taps.depth] = 0.0f;
        __syncthreads();
    }
    for (int z = max(0, volume.depth - taps.depth / 2); z < volume.depth; z++) {
        to.depth = z;
        if (has_output) out[volume.flat(to)] = sums[z % taps.depth];
    }
}

static size_t bytes_of(const extent& cells) {
    const size_t bytes = size_t(cells.width) * size_t(cells.height) * size_t(cells.depth) * sizeof(float);
    if (bytes > MAX_SHARED)
        throw std::invalid_argument(std::to_string(bytes) + " bytes for a tile, of at most " +
                                    std::to_string(MAX_SHARED));
    return bytes;
}

template <class kernel>
static void convolve(const kernel& run, size_t bytes, int blocks, std::span<float> out,
                     std::span<const float> in, std::span<const float> filter, const extent& volume,
                     const extent& taps) {
    set_filter(c_filter, filter);
    device_buffer<float> d_in(in), d_out(out.size());
    timed_launch([&] { run<<<blocks, THREADS, bytes>>>(d_out.data(), d_in.data(), volume, taps); });
    d_out.copy_to(out);
}

void conv3d_naive(std::span<float> out, std::span<const float> in, std::span<const float> filter, int width,
                  int height, int depth, int filter_width, int filter_height, int filter_depth) {
    convolve(naive_kernel, 0, ceil_div(int(out.size()), THREADS), out, in, filter, {width, height, depth},
             {filter_width, filter_height, filter_depth});
}

void conv3d_tiled(std::span<float> out, std::span<const float> in, std::span<const float> filter, int width,
                  int height, int depth, int filter_width, int filter_height, int filter_depth) {
    const extent volume{width, height, depth}, taps{filter_width, filter_height, filter_depth};
    convolve(tiled_kernel, bytes_of(tile_outputs().with_halo(taps)),
             tile_outputs().blocks_over(volume).cells(), out, in, filter, volume, taps);
}

void conv3d_marching(std::span<float> out, std::span<const float> in, std::span<const float> filter,
                     int width, int height, int depth, int filter_width, int filter_height,
                     int filter_depth) {
    const extent volume{width, height, depth}, taps{filter_width, filter_height, filter_depth};
    if (filter_depth > MAX_FILTER_DEPTH)
        throw std::invalid_argument(std::to_string(filter_depth) + " slices of taps, of at most " +
                                    std::to_string(MAX_FILTER_DEPTH));
    convolve(marching_kernel, bytes_of(plane_outputs().with_halo({filter_width, filter_height, 1})),
             plane_outputs().blocks_over({width, height, 1}).cells(), out, in, filter, volume, taps);
}
