// Lab 11, the contract: what conv2d_banks.cu must offer. Leave this file as it is.
#pragma once
#include "lab/contract.h"

/// What is done about bank conflicts. A block computes as many outputs as it has threads; the pixels that
/// these need, its tile, lie in dynamic shared memory, (block width + filter_width - 1) columns and
/// (block height + filter_height - 1) rows of them.
enum class cure {
    none,        // blocks of 16 x 16; the rows of the tile follow each other without a gap
    padding,     // blocks of 16 x 16; a gap behind every row: rows start 16, 48, 80, ... floats apart, the
                 // first of these that is enough
    wide_blocks  // blocks of 32 x 32; the rows of the tile follow each other without a gap
};

/// out[y][x] = sum over i, j of in[y + i - filter_height / 2][x + j - filter_width / 2] *
/// filter[i][j], where `in` and `out` hold `height` rows of `width` pixels, row after
/// row, the filter `filter_height` rows of `filter_width` taps, both odd; ghost cells are
/// 0. Sizes are at least 1 and need not be multiples of anything; the filter may be
/// larger than the image. Host memory; nothing overlaps. The taps lie in constant memory.
///
/// Throws std::invalid_argument naming the bytes of shared memory that a block needs, rows times the distance
/// of their starts, and the limit, 49152, if they are more. Throws std::runtime_error (CUDA_CHECK does) when
/// a CUDA call fails.
void conv2d_banks(std::span<float> out, std::span<const float> in, std::span<const float> filter, int width,
                  int height, int filter_width, int filter_height, cure how);
LAB_EXPORT(conv2d_banks, out, in, filter, width, height, filter_width, filter_height, how);
