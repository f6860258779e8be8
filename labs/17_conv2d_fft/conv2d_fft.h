// Lab 17, the contract: what conv2d_fft.cu must offer. Leave this file as it is.
#pragma once
#include "lab/contract.h"

// Both functions compute the convolution of an image with a filter, ghost cells 0, by Fourier transforms (cuFFT): the
// transform of the outputs is that of the pixels times the conjugate of that of the filter.
//
// `in` and `out` hold `height` rows of `width` pixels, row after row; the filter has `filter_height` rows of
// `filter_width` taps, both odd. Images and filters need not be square, sizes are at least 1; the filter may be larger
// than the image. Host memory; nothing overlaps. A failing call of CUDA or cuFFT throws std::runtime_error.
//
// What is transformed is a plane, row after row. It sees no ghost cells: beyond its last column comes its first, and
// beyond its last row its first. The middle of the filter lies at its first cell. Kernels pad and place, multiply, and
// store the outputs; each loads a pixel, tap or number no more often than it needs it.
//
// An output is off by no more than the roundings of three transforms: (48 log2(cells) + 8) * 2^-24 times the length of
// the image times that of the filter, a length being the root of the sum of the squares.

/// The whole image in one plane, whose sides are the least products of 2, 3, 5 and 7 that have room for the image with
/// the ghost cells of one edge, width + filter_width / 2 and height + filter_height / 2. (A tap for which there is no
/// room is so far from the middle that it meets no pixel.)
/// Three transforms: of the image, of the filter, and back.
void conv2d_fft(std::span<float> out, std::span<const float> in, std::span<const float> filter, int width,
                int height, int filter_width, int filter_height);
LAB_EXPORT(conv2d_fft, out, in, filter, width, height, filter_width, filter_height);

/// The image in tiles of `tile` x `tile` cells, each with the pixels (or ghost cells) that its outputs need, which are
/// tile + 1 - filter_width across and tile + 1 - filter_height down: no more tiles than cover the image. All of them are
/// transformed at once, by a plan for a batch; the filter once for all.
///
/// `tile` is a product of 2, 3, 5 and 7. One that is less than a side of the filter throws std::invalid_argument, whose
/// text holds `tile` and the larger side of the filter.
void conv2d_overlap_save(std::span<float> out, std::span<const float> in, std::span<const float> filter,
                         int width, int height, int filter_width, int filter_height, int tile);
LAB_EXPORT(conv2d_overlap_save, out, in, filter, width, height, filter_width, filter_height, tile);
