// Lab 09, the contract: what conv2d_subblocks.cu must offer. Leave this file as it is.
#pragma once
#include "lab/contract.h"

/// out[y][x] = sum over i = -ry..ry, j = -rx..rx of in[y + i][x + j] * filter[i + ry][j + rx]; ghost cells
/// are 0. Blocks compute 32 x 32 outputs each. They load the (32 + 2rx) x (32 + 2ry) pixels that these need
/// into dynamic shared memory, once, subblock by subblock; the taps lie in constant memory.
///
/// out, in  `height` rows of `width` pixels, row after row; sizes are at least 1 and need not be multiples of
///          anything. Host memory; nothing overlaps.
/// filter   `filter_height` rows of `filter_width` taps, both odd: 2ry + 1 and 2rx + 1. Either may be larger
///          than the image.
/// Throws std::invalid_argument, and leaves `out` as it is, beyond any of three limits; the message names the
/// value and the limit:
///     taps of the filter                                16384, what constant memory holds
///     width of the tile, 32 + 2rx                       1024, the threads of a block
///     bytes of the tile, 4 (32 + 2rx) (32 + 2ry)        what a block of this device may ask for
///                                                       (cudaDevAttrMaxSharedMemoryPerBlockOptin)
/// Throws std::runtime_error (CUDA_CHECK does) when a CUDA call fails.
void conv2d_subblocks(std::span<float> out, std::span<const float> in, std::span<const float> filter,
                      int width, int height, int filter_width, int filter_height);
LAB_EXPORT(conv2d_subblocks, out, in, filter, width, height, filter_width, filter_height);
