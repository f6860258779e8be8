// Lab 07, the contract: what conv2d_tiled.cu must offer. Leave this file as it is.
#pragma once
#include "lab/contract.h"

/// 2D convolution of every channel by itself, ghost cells 0:  out[y][x] = sum over i, j of
/// in[y + i - filter_height / 2][x + j - filter_width / 2] * filter[i][j].
/// A block computes `tile` x `tile` pixels of one channel. It loads the (tile + filter_width - 1) x
/// (tile + filter_height - 1) values that these need into dynamic shared memory, once, and has a thread for
/// each of them up to 32 x 32; in a larger input tile a thread takes every 32nd column and row. The taps lie
/// in constant memory, the images in rows with a pitch (cudaMallocPitch).
///
/// out, in  `height` rows of `width` pixels of `channels` interleaved values (r g b r g b ...), dense; sizes
///          are at least 1 and need not be multiples of anything; host memory, nothing overlaps.
/// filter   `filter_height` rows of `filter_width` taps, both odd; may be larger than tile and image.
/// tile     width and height of the output tile.
/// Throws std::invalid_argument naming the tile and the limit if it is below 1; naming the bytes of shared
/// memory that the input tile takes and the limit, 49152, if they are more than 48 KB. Throws
/// std::runtime_error (CUDA_CHECK does) when a CUDA call fails.
void conv2d_tiled(std::span<float> out, std::span<const float> in, std::span<const float> filter, int width,
                  int height, int channels, int filter_width, int filter_height, int tile);
LAB_EXPORT(conv2d_tiled, out, in, filter, width, height, channels, filter_width, filter_height, tile);
