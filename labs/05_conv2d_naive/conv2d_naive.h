// Lab 05, the contract: what conv2d_naive.cu must offer. Leave this file as it is.
#pragma once
#include "lab/border.h"
#include "lab/contract.h"

// Everywhere: out[y][x] = sum over i, j = -r..r of in[y + i][x + j] * filter[i + r][j + r], where `in` and
// `out` hold `height` rows of `width` pixels, row after row, the filter (2r + 1) rows of (2r + 1) taps. Sizes
// are at least 1 and need not be multiples of anything; r >= 0 may be larger than the image. Host memory;
// nothing overlaps. A failing CUDA call throws std::runtime_error (CUDA_CHECK does).

/// Ghost cells are 0; the kernel tests what lies outside the image.
void conv2d_naive(std::span<float> out, std::span<const float> in, std::span<const float> filter, int width,
                  int height, int radius);
LAB_EXPORT(conv2d_naive, out, in, filter, width, height, radius);

/// The image is padded on the host to (width + 2r) x (height + 2r), ghost cells as `mode` says; the kernel
/// tests nothing but the size of the output.
void conv2d_padded(std::span<float> out, std::span<const float> in, std::span<const float> filter, int width,
                   int height, int radius, lab::border mode);
LAB_EXPORT(conv2d_padded, out, in, filter, width, height, radius, mode);

/// Pixels of `channels` interleaved values (r g b r g b ...), in rows that start `pitch` bytes apart on the
/// device (cudaMallocPitch). Each channel is filtered by itself; ghost cells are 0. `in` and `out` are dense:
/// width * height * channels values.
void conv2d_pitched(std::span<float> out, std::span<const float> in, std::span<const float> filter, int width,
                    int height, int channels, int radius);
LAB_EXPORT(conv2d_pitched, out, in, filter, width, height, channels, radius);
