// Lab 06, the contract: what conv2d_constant.cu must offer. Leave this file as it is.
#pragma once
#include "lab/contract.h"

/// out[y][x] = sum over i, j = -r..r of in[y + i][x + j] * filter[i + r][j + r], where `in` and `out` hold
/// `height` rows of `width` pixels, row after row, the filter (2r + 1) rows of (2r + 1) taps; ghost cells are
/// 0. Sizes are at least 1 and need not be multiples of anything; r >= 0 may be larger than the image. Host
/// memory; nothing overlaps.
///
/// The kernel reads the taps from constant memory: up to 16384 of them (64 KB; 127 x 127 is the largest odd
/// square). A filter with more throws std::invalid_argument, whose text holds the number of its taps and that
/// limit. A failing CUDA call throws std::runtime_error (CUDA_CHECK does).
void conv2d_constant(std::span<float> out, std::span<const float> in, std::span<const float> filter,
                     int width, int height, int radius);
LAB_EXPORT(conv2d_constant, out, in, filter, width, height, radius);
