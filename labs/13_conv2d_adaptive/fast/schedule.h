// Lab 13: how the work of one filter is cut into blocks, warps and threads. Given; read it with the handout.
#pragma once
#include "picture.h"

/// A thread computes CHUNK outputs beside one another in each of `rows` rows, a warp WARP times as many
/// columns, and the warps of a block stand below one another.
///
/// All of it is known to the compiler: sums and pixels are then registers, and the places of taps and pixels
/// are constants in the instructions that use them.
struct schedule {
    int filter_width, filter_height;  // taps; height 0: known at run time only
    int rows;                         // outputs of a thread below one another
    int warps;                        // of a block

    constexpr bool serves(int width, int height) const {
        return width == filter_width && (filter_height == 0 || height == filter_height);
    }

    // What a block computes.
    __host__ __device__ static constexpr int block_columns() { return WARP * CHUNK; }
    __host__ __device__ constexpr int block_rows() const { return warps * rows; }
};

/// Straight from global memory: small filters, their height known. For direct.h.
struct direct_schedule : schedule {
    int ahead = 0;  // blocks from this one to that whose pixels it prefetches; 0: none

    static constexpr size_t shared_bytes(int) { return 0; }
};

/// From a tile in shared memory, which is what a block needs of the image. For tile.h.
struct tile_schedule : schedule {
    int unrolled;  // filter rows in one loop body, at least 1: 2000 instructions fit the cache

    // What a row of the tile holds, in chunks.
    __host__ __device__ constexpr int left_halo() const { return ceil_div(filter_width / 2, CHUNK) * CHUNK; }
    /// Pixels in a thread's window before the one under its first tap.
    __host__ __device__ constexpr int shift() const { return left_halo() - filter_width / 2; }
    /// Chunks of a row that a thread reads.
    __host__ __device__ constexpr int window() const {
        return ceil_div(shift() + filter_width - 1 + CHUNK, CHUNK);
    }
    __host__ __device__ constexpr int chunks() const { return WARP - 1 + window(); }

    // What the tile holds, in rows. It comes in boxes of one height, for the copy engine has a limit, and a
    // box begins at a multiple of 8 rows: at a multiple of 128 bytes, as the engine wants it.
    __host__ __device__ constexpr int tile_rows(int height) const { return block_rows() + height - 1; }
    __host__ __device__ constexpr int boxes(int height) const { return ceil_div(tile_rows(height), 256); }
    __host__ __device__ constexpr int box_rows(int height) const {
        const int count = boxes(height);
        return count == 1 ? tile_rows(height) : ceil_div(tile_rows(height), 8 * count) * 8;
    }
    __host__ __device__ constexpr int tile_chunks(int height) const {
        return boxes(height) * box_rows(height) * chunks();
    }
    /// Behind the tile lies a chunk for the barrier that counts what has arrived.
    constexpr size_t shared_bytes(int height) const {
        return size_t(tile_chunks(height) + 1) * sizeof(float4);
    }
};
