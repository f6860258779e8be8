// Lab 18, the contract: what conv2d_tensor.cu must offer. Leave this file as it is.
#pragma once
#include "lab/contract.h"

// Both functions compute the convolution of an image with a filter, ghost cells 0, on tensor cores: every product of a
// pixel and a tap is one of those that wmma::mma_sync makes of two matrices of fp16 numbers and adds up in fp32.
//
// `in` and `out` hold `height` rows of `width` pixels, row after row; the filter has `filter_height` rows of
// `filter_width` taps, both odd. Images and filters need not be square, sizes are at least 1 and need not be multiples
// of anything; the filter may be larger than the image. Host memory; nothing overlaps. A failing CUDA call throws
// std::runtime_error (CUDA_CHECK does).
//
// No pixel is larger than `largest_pixel` in absolute value, which lies between 1e-9 and 1e9, as the largest tap does,
// unless all taps are 0. Before they become fp16 numbers pixels and taps are multiplied by powers of two, so that
// `largest_pixel` and the largest tap come to lie between 2^13 and 2^14: fp16 ends at 65504, and below 2^-14 it has
// fewer than 11 bits. The sums are divided by both.
//
// A block is a tile of outputs; its shape is yours. It loads the pixels that its outputs need, each once, converts them
// and keeps them in shared memory. Where they and all else that it stores there take more than 48 KB (49152 bytes),
// std::invalid_argument is thrown, whose text holds the bytes and that limit.

/// Pixels and taps are rounded to one fp16 number each. With m the sum of |in * tap| over the taps of an output, it is
/// off by no more than 0.001 m, and 2.4e-7 m for every tap.
void conv2d_half(std::span<float> out, std::span<const float> in, std::span<const float> filter, int width,
                 int height, int filter_width, int filter_height, float largest_pixel);
LAB_EXPORT(conv2d_half, out, in, filter, width, height, filter_width, filter_height, largest_pixel);

/// Pixels and taps are the sum of two fp16 numbers: the nearest one, and the nearest to what is left. Three products of
/// matrices for each one of conv2d_half. An output is off by no more than 12 (filter_width + filter_height + 2) times
/// 2^-24 m: about as much as the plain float loop may be, which is filter_width * filter_height times that.
void conv2d_split(std::span<float> out, std::span<const float> in, std::span<const float> filter, int width,
                  int height, int filter_width, int filter_height, float largest_pixel);
LAB_EXPORT(conv2d_split, out, in, filter, width, height, filter_width, filter_height, largest_pixel);
