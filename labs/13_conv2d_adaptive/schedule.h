// Lab 13: how the work of one filter is cut into blocks, warps and threads. Given; read it with the handout.
#pragma once
#include "lab/lab.h"

constexpr int WARP = 32;  // threads
constexpr int CHUNK = 4;  // floats of one 16-byte access, the widest there is

/// Both images on the device. A pitch is in floats and a multiple of CHUNK, so that every row starts with a
/// whole chunk; what lies between `width` and the pitch belongs to nobody.
struct picture {
    const float* in;
    float* out;
    int width, height, in_pitch, out_pitch;
};

/// All of it is known to the compiler: sums and pixels are then registers, and the places of taps and pixels
/// are constants in the instructions that use them.
///
/// A block computes a strip of the image, WARP * columns wide, from top to bottom. The rows that it needs lie
/// in a ring in shared memory, `rows` rows to a group: a warp loads a group, and computes a group of outputs.
struct schedule {
    int filter_width, filter_height;  // taps; height 0: known at run time only
    int columns, rows;                // outputs of a thread, beside and below one another
    int warps;                        // of a block
    int unrolled;                     // filter rows in one loop body: 2000 instructions fit the cache
    int blocks;                       // of a multiprocessor, at most; 0: a direct kernel, without a ring
    int unit;                         // groups that a block is given at a time

    // What a row of the ring holds, in chunks.
    __host__ __device__ constexpr int left_halo() const { return ceil_div(filter_width / 2, CHUNK) * CHUNK; }
    /// Pixels in a thread's window before the one under its first tap.
    __host__ __device__ constexpr int shift() const { return left_halo() - filter_width / 2; }
    /// Chunks of a row that a thread reads.
    __host__ __device__ constexpr int window() const {
        return ceil_div(shift() + filter_width - 1 + columns, CHUNK);
    }
    __host__ __device__ constexpr int planes() const { return columns / CHUNK; }
    __host__ __device__ constexpr int chunks() const { return (WARP - 1) * planes() + window(); }
    /// With 8 columns a thread's window begins two chunks after its neighbour's. Even and odd chunks lie
    /// apart, in two planes, so that what a warp reads at once is again side by side. Half a turn of the
    /// banks between the planes keeps the stores of neighbouring chunks apart, too.
    __host__ __device__ constexpr int plane() const {
        return planes() == 1 ? chunks() : (ceil_div(chunks(), 2) + 3) / 8 * 8 + 4;
    }
    __host__ __device__ constexpr int pitch() const { return planes() * plane(); }
    __host__ __device__ constexpr int place(int chunk) const {
        return chunk % planes() * plane() + chunk / planes();
    }

    // What the ring holds, in groups.
    __host__ __device__ constexpr int group() const { return rows * pitch(); }  // chunks
    __host__ __device__ constexpr int halo(int height) const { return ceil_div(height - 1, rows); }
    /// The groups of this step, of the next one, and the halo below them.
    __host__ __device__ constexpr int slots(int height) const { return 2 * warps + halo(height); }
    __host__ __device__ constexpr bool whole_filter() const {
        return filter_height > 0 && unrolled >= filter_height;
    }
    /// Groups that stand twice, at the beginning of the ring and behind its end: a loop body that begins in
    /// the ring then never meets its end. A body with the whole filter in it looks for the end itself.
    __host__ __device__ constexpr int twins() const {
        return whole_filter() ? 0 : ceil_div(rows + unrolled - 2, rows);
    }

    constexpr bool direct() const { return blocks == 0; }
    constexpr size_t shared_bytes(int height) const {
        if (direct()) return 0;
        return size_t(slots(height) + twins()) * group() * sizeof(float4);
    }
    constexpr bool serves(int width, int height) const {
        return width == filter_width && (filter_height == 0 || height == filter_height);
    }
};

/// The share of the blocks: all strips one after the other, cut into units of `unit` groups. Every block gets
/// `units` units, the first `rest` blocks one more.
struct work {
    int strip_groups, unit, units, rest;
};
