// Right: each warp loads a stretch of the tile of its own, and the block is a column: threads count in y.
#include "conv1d_tiled_halo.h"

#include <stdexcept>
#include <string>

#include "lab/lab.h"

namespace {

constexpr int LANES = 32;
__constant__ float c_filter[16384];

struct limits {
    static constexpr int tile = 1024;
    static constexpr size_t bytes = 49152;
};

size_t checked_bytes(int tile, int radius) {
    const size_t bytes = (size_t(tile) + 2 * size_t(radius)) * sizeof(float);
    using std::to_string;
    if (tile < 1 || tile > limits::tile)
        throw std::invalid_argument("tile " + to_string(tile) + ": from 1 to " + to_string(limits::tile));
    if (bytes > limits::bytes)
        throw std::invalid_argument("shared memory: " + to_string(bytes) + " of " + to_string(limits::bytes) +
                                    " bytes");
    return bytes;
}

__global__ void conv1d_tiled_halo_kernel(float* out, const float* in, int n, int radius) {
    extern __shared__ float s_cells[];
    const int tile = blockDim.y, thread = threadIdx.y;
    const int first_output = blockIdx.x * tile, first_cell = first_output - radius;

    // The cells are dealt out in whole rows of 32, as evenly as that goes; the last warp may be a small one.
    const int cells = tile + 2 * radius;
    const int warps = ceil_div(tile, LANES), warp = thread / LANES, lane = thread % LANES;
    const int lanes = min(LANES, tile - warp * LANES);
    const int share = ceil_div(ceil_div(cells, LANES), warps) * LANES;
    const int end = min(cells, (warp + 1) * share);
    for (int cell = warp * share + lane; cell < end; cell += lanes) {
        const int position = first_cell + cell;
        s_cells[cell] = 0 <= position && position < n ? in[position] : 0.0f;
    }
    __syncthreads();  // a sum reads the stretches of other warps

    const int x = first_output + thread;
    if (x >= n) return;
    const float* cell = &s_cells[thread];
    const float* const behind = cell + 2 * radius + 1;
    const float* tap = c_filter;
    float sum = 0.0f;
    while (cell != behind)
        sum += *cell++ * *tap++;
    out[x] = sum;
}

}  // namespace

void conv1d_tiled_halo(std::span<float> out, std::span<const float> in, std::span<const float> filter,
                       int tile) {
    const int n = int(in.size()), radius = int(filter.size() / 2);
    const size_t bytes = checked_bytes(tile, radius);
    set_filter(c_filter, filter);
    device_buffer<float> d_in(in), d_out(out.size());
    timed_launch([&] {
        const dim3 column(1, tile);
        conv1d_tiled_halo_kernel<<<ceil_div(n, tile), column, bytes>>>(d_out.data(), d_in.data(), n, radius);
    });
    d_out.copy_to(out);
}
