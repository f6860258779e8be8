// Lab 20 - convolution in three dimensions: tiles, and a plane that marches through the volume.
//
// Idea  In three dimensions most of a tile is halo. A block that marches through the slices keeps one of them in
//       shared memory and the sums of others in registers: no halo before and behind it, and no slice loaded twice.
// Do    TODO 20.1 to 20.9. The contract is conv3d_tiled.h; leave it as it is.
// Run   make lab20      (stuck: make hint20)
#include "conv3d_tiled.h"

#include <stdexcept>
#include <string>

#include "lab/lab.h"

constexpr int BLOCK_WIDTH = 32;  // a warp is one row: 32 neighbours, in 32 banks of shared memory
constexpr int BLOCK_HEIGHT = 8;
constexpr int BLOCK_DEPTH = 4;       // 1024 threads: the larger the tile, the less of it is halo
constexpr int PLANE_WIDTH = 32;      // of a block that marches: a warp is one row
constexpr int PLANE_HEIGHT = 16;     // more rows, less halo; fewer rows, more blocks
constexpr int MAX_FILTER_DEPTH = 9;  // sums that a thread has in registers

constexpr size_t MAX_SHARED = 48 * 1024;                // bytes of a block; more has to be asked for
constexpr size_t MAX_TAPS = 64 * 1024 / sizeof(float);  // all the constant memory there is

__constant__ float c_filter[MAX_TAPS];

/// A voxel in global memory; a ghost cell, 0, if there is none.
__device__ float voxel_or_zero(const float* in, int x, int y, int z, int width, int height, int depth) {
    const bool inside = x >= 0 && x < width && y >= 0 && y < height && z >= 0 && z < depth;
    return inside ? in[(z * height + y) * width + x] : 0.0f;
}

// ---- A thread for every voxel.

__global__ void conv3d_naive_kernel(float* out, const float* in, int width, int height, int depth,
                                    int filter_width, int filter_height, int filter_depth) {
    // TODO 20.1 (about 4 lines) Compute x, y and z, the voxel of this thread; leave if there is none.
    const int x = 0, y = 0, z = 0;  // replace this line

    float sum = 0.0f;
    // TODO 20.2 (about 13 lines) Add up the products of all taps and the voxels under them, but for ghost
    // cells.
    (void)in, (void)filter_width, (void)filter_height, (void)filter_depth;  // take this line out
    out[(z * height + y) * width + x] = sum;
}

/// Blocks of BLOCK_WIDTH x BLOCK_HEIGHT x BLOCK_DEPTH threads, one for each voxel.
static dim3 blocks_over(int width, int height, int depth) {
    // TODO 20.3 (about 1 line) Return how many blocks it takes in each direction.
    (void)width, (void)height, (void)depth;  // unused so far: take this line out
    return dim3(1, 1, 1);  // replace this line
}

void conv3d_naive(std::span<float> out, std::span<const float> in, std::span<const float> filter, int width,
                  int height, int depth, int filter_width, int filter_height, int filter_depth) {
    set_filter(c_filter, filter);
    device_buffer<float> d_in(in), d_out(out.size());
    const dim3 block(BLOCK_WIDTH, BLOCK_HEIGHT, BLOCK_DEPTH), grid = blocks_over(width, height, depth);
    timed_launch([&] {
        conv3d_naive_kernel<<<grid, block>>>(d_out.data(), d_in.data(), width, height, depth, filter_width,
                                             filter_height, filter_depth);
    });
    d_out.copy_to(out);
}

// ---- Tiles with a halo on six sides.

/// Bytes of so many cells. Throws std::invalid_argument if no block has so many.
static size_t shared_bytes(int cells_x, int cells_y, int cells_z) {
    // TODO 20.4 (about 6 lines) Return the bytes of a float for each cell; throw, naming them and the limit,
    // beyond MAX_SHARED.
    (void)cells_x, (void)cells_y, (void)cells_z;  // unused so far: take this line out
    return MAX_SHARED;  // always as much as there is: replace this line
}

__global__ void conv3d_tiled_kernel(float* out, const float* in, int width, int height, int depth,
                                    int filter_width, int filter_height, int filter_depth) {
    extern __shared__ float s_tile[];  // slices of tile_height rows of tile_width cells
    const int tile_width = BLOCK_WIDTH + filter_width - 1;
    const int tile_height = BLOCK_HEIGHT + filter_height - 1;
    const int tile_depth = BLOCK_DEPTH + filter_depth - 1;
    const int tx = threadIdx.x, ty = threadIdx.y, tz = threadIdx.z;
    // The first output of the block, and that of this thread.
    const int first_x = blockIdx.x * BLOCK_WIDTH, x = first_x + tx;
    const int first_y = blockIdx.y * BLOCK_HEIGHT, y = first_y + ty;
    const int first_z = blockIdx.z * BLOCK_DEPTH, z = first_z + tz;

    // TODO 20.5 (about 9 lines) Load the tile with its halo on all sides, ghost cells as 0, and wait for it.
    (void)in, (void)tile_width, (void)tile_height, (void)tile_depth;  // take this line out

    if (x >= width || y >= height || z >= depth) return;
    float sum = 0.0f;
    // TODO 20.6 (about 7 lines) Add up the products of all taps and the cells under them.
    (void)s_tile;  // unused so far: take this line out
    out[(z * height + y) * width + x] = sum;
}

void conv3d_tiled(std::span<float> out, std::span<const float> in, std::span<const float> filter, int width,
                  int height, int depth, int filter_width, int filter_height, int filter_depth) {
    const size_t bytes = shared_bytes(BLOCK_WIDTH + filter_width - 1, BLOCK_HEIGHT + filter_height - 1,
                                      BLOCK_DEPTH + filter_depth - 1);
    set_filter(c_filter, filter);
    device_buffer<float> d_in(in), d_out(out.size());
    const dim3 block(BLOCK_WIDTH, BLOCK_HEIGHT, BLOCK_DEPTH), grid = blocks_over(width, height, depth);
    timed_launch([&] {
        conv3d_tiled_kernel<<<grid, block, bytes>>>(d_out.data(), d_in.data(), width, height, depth,
                                                    filter_width, filter_height, filter_depth);
    });
    d_out.copy_to(out);
}

// ---- A plane that marches through the slices.

/// DEPTH is the filter's: known when this is compiled, so that the sums have registers and no array in memory.
template <int DEPTH>
__global__ void conv3d_marching_kernel(float* out, const float* in, int width, int height, int depth,
                                       int filter_width, int filter_height) {
    extern __shared__ float s_plane[];  // rows of plane_width cells
    constexpr int RADIUS = DEPTH / 2;
    const int plane_width = PLANE_WIDTH + filter_width - 1, plane_height = PLANE_HEIGHT + filter_height - 1;
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int first_x = blockIdx.x * PLANE_WIDTH, x = first_x + tx;
    const int first_y = blockIdx.y * PLANE_HEIGHT, y = first_y + ty;
    const bool has_output = x < width && y < height;

    // While slice z is in shared memory, sums[k] belongs to the output of slice z - RADIUS + k.
    float sums[DEPTH] = {};
    for (int z = 0; z < depth + RADIUS; z++) {  // the last outputs are complete RADIUS slices behind the end
        if (z < depth) {
            // TODO 20.7 (about 7 lines) Load the block's part of slice z with its halo, ghost cells as 0, and
            // wait for it.
            (void)in, (void)plane_width, (void)plane_height;  // take this line out

            // TODO 20.8 (about 9 lines) Add what each cell under this output gives to all sums that it
            // belongs to; then wait.
            (void)s_plane, (void)has_output;  // unused so far: take this line out
        }

        // TODO 20.9 (about 5 lines) Store the sum that is complete, if there is an output for it; then move
        // all sums on by a slice.
        if (has_output && z < depth) out[(z * height + y) * width + x] = sums[0];  // replace this line
    }
}

/// Launches the kernel that was compiled for this depth of the filter: one of 1, 3, 5, 7 and 9.
template <int DEPTH = 1>
static void launch_marching(dim3 grid, size_t bytes, float* out, const float* in, int width, int height,
                            int depth, int filter_width, int filter_height, int filter_depth) {
    if (filter_depth == DEPTH)
        conv3d_marching_kernel<DEPTH><<<grid, dim3(PLANE_WIDTH, PLANE_HEIGHT), bytes>>>(
            out, in, width, height, depth, filter_width, filter_height);
    else if constexpr (DEPTH < MAX_FILTER_DEPTH)
        launch_marching<DEPTH + 2>(grid, bytes, out, in, width, height, depth, filter_width, filter_height,
                                   filter_depth);
}

void conv3d_marching(std::span<float> out, std::span<const float> in, std::span<const float> filter,
                     int width, int height, int depth, int filter_width, int filter_height,
                     int filter_depth) {
    if (filter_depth > MAX_FILTER_DEPTH)
        throw std::invalid_argument("a filter of " + std::to_string(filter_depth) +
                                    " slices: a thread has sums for at most " +
                                    std::to_string(MAX_FILTER_DEPTH));
    const size_t bytes = shared_bytes(PLANE_WIDTH + filter_width - 1, PLANE_HEIGHT + filter_height - 1, 1);
    set_filter(c_filter, filter);
    device_buffer<float> d_in(in), d_out(out.size());
    const dim3 grid(ceil_div(width, PLANE_WIDTH), ceil_div(height, PLANE_HEIGHT));
    timed_launch([&] {
        launch_marching(grid, bytes, d_out.data(), d_in.data(), width, height, depth, filter_width,
                        filter_height, filter_depth);
    });
    d_out.copy_to(out);
}
