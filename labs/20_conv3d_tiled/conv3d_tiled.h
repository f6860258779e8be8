// Lab 20, the contract: what conv3d_tiled.cu must offer. Leave this file as it is.
#pragma once
#include "lab/contract.h"

// All functions convolve a volume:
//
//   out[z][y][x] = sum over slices k, rows i and columns j of the filter of
//       filter[k][i][j] * in[z + k - filter_depth / 2][y + i - filter_height / 2][x + j - filter_width / 2]
//
// `in` and `out` hold `depth` slices of `height` rows of `width` voxels, one after another: in[z][y][x] is
// in[(z * height + y) * width + x]. The filter has `filter_depth` slices of `filter_height` rows of `filter_width`
// taps, all odd and in the same order. The three sides of a volume, or of a filter, may be different, are at least 1
// and need not be multiples of anything; the filter may be larger than the volume. Ghost cells are 0. Host memory;
// nothing overlaps. A failing CUDA call throws std::runtime_error (CUDA_CHECK does).
//
// The taps lie in constant memory: more than 16384 throw std::invalid_argument, whose text holds their number and that
// limit. The shape of blocks and tiles is yours. What they load to shared memory may take 48 KB (49152 bytes): beyond
// that functions throw std::invalid_argument, whose text holds the bytes and that limit.

/// A thread for every voxel, which loads all voxels under its filter from global memory. No shared memory.
void conv3d_naive(std::span<float> out, std::span<const float> in, std::span<const float> filter, int width,
                  int height, int depth, int filter_width, int filter_height, int filter_depth);
LAB_EXPORT(conv3d_naive, out, in, filter, width, height, depth, filter_width, filter_height, filter_depth);

/// A block is a tile of outputs in three dimensions. It loads the voxels that they need, the tile with its halo on all
/// six sides, each once, into shared memory, and takes them from there.
void conv3d_tiled(std::span<float> out, std::span<const float> in, std::span<const float> filter, int width,
                  int height, int depth, int filter_width, int filter_height, int filter_depth);
LAB_EXPORT(conv3d_tiled, out, in, filter, width, height, depth, filter_width, filter_height, filter_depth);

/// A block is a tile of a slice and marches through all slices. Of each it loads what lies under its outputs, the tile
/// with its halo on four sides, each voxel once, into shared memory, and reads it there once for all the slices of
/// outputs that the voxel belongs to: their sums are in registers. There are registers for a filter_depth of 9 at most:
/// above that it throws std::invalid_argument, whose text holds the depth and that limit.
void conv3d_marching(std::span<float> out, std::span<const float> in, std::span<const float> filter,
                     int width, int height, int depth, int filter_width, int filter_height, int filter_depth);
LAB_EXPORT(conv3d_marching, out, in, filter, width, height, depth, filter_width, filter_height, filter_depth);
