// Lab 12, the contract: what conv2d_tiling.cu must offer. Leave this file as it is.
#pragma once
#include "lab/contract.h"

/// out[y][x] = sum over i, j of in[y + i - filter_height / 2][x + j - filter_width / 2] *
/// filter[i][j], where `in` and `out` hold `height` rows of `width` pixels, row after
/// row, the filter `filter_height` rows of `filter_width` taps, both odd; ghost cells are
/// 0. Sizes are at least 1 and need not be multiples of anything; the filter may be
/// larger than the image. Host memory; nothing overlaps. The taps lie in constant memory.
///
/// Blocks of block_width x block_height threads (16 x 16, 32 x 16 or 32 x 32) compute `factor` outputs a
/// thread (1, 2 or 4), block_width apart in one row. Their tile lies in dynamic shared memory. Its rows are
/// `padding` floats longer than their pixels need (0 or more), which nobody loads or reads:
/// (block_width * factor + filter_width - 1 + padding) * (block_height + filter_height - 1) floats, no more.
/// In blocks of 16 x 16 the rows of threads in a warp meet in no bank if rows of the tile start 16, 48, 80,
/// ... floats apart, so with a padding of (48 - (16 * factor + filter_width - 1) % 32) % 32 (lab 11).
///
/// Throws std::invalid_argument naming the width and the height of another
/// block; another factor; the bytes of a tile that does not fit and the limit,
/// 49152. Throws std::runtime_error (CUDA_CHECK does) when a CUDA call fails.
void conv2d_tiling(std::span<float> out, std::span<const float> in, std::span<const float> filter, int width,
                   int height, int filter_width, int filter_height, int block_width, int block_height,
                   int factor, int padding);
LAB_EXPORT(conv2d_tiling, out, in, filter, width, height, filter_width, filter_height, block_width,
           block_height, factor, padding);
