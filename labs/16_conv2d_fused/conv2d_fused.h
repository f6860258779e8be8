// Lab 16, the contract: what conv2d_fused.cu must offer. Leave this file as it is.
#pragma once
#include "lab/contract.h"

// Both functions find the edges of an image, in four steps:
//
//   blurred    the convolution of `in` with `filter`
//   gx         Sobel x of blurred:  -1 0 1     gy  Sobel y of blurred:  -1 -2 -1
//                                   -2 0 2                               0  0  0
//                                   -1 0 1                               1  2  1
//   out        the root of gx * gx + gy * gy where that is at least `threshold`, and 0 elsewhere
//
// `in` and `out` hold `height` rows of `width` pixels, row after row; the filter has `filter_height` rows of
// `filter_width` taps, both odd. Images and filters need not be square, sizes are at least 1 and need not be multiples
// of anything; the filter may be larger than the image; the threshold is 0 or more. Ghost cells are 0, those of `in`
// and those of blurred: outside of the image blurred is 0, whatever pixels the filter would reach from there. Host
// memory; nothing overlaps. A failing CUDA call throws std::runtime_error (CUDA_CHECK does).
//
// The taps lie in constant memory: more than 16384 throw std::invalid_argument, whose text holds their number and that
// limit.

/// A kernel for each step. Every step but the last stores an image of `width` x `height` floats in global memory
/// (blurred, gx, gy), and later ones load it from there. No thread uses shared memory.
void conv2d_chain(std::span<float> out, std::span<const float> in, std::span<const float> filter, int width,
                  int height, int filter_width, int filter_height, float threshold);
LAB_EXPORT(conv2d_chain, out, in, filter, width, height, filter_width, filter_height, threshold);

/// The same in one kernel; nothing but `in` is loaded from global memory, and nothing but `out` stored.
///
/// A block is a tile of outputs; its shape is yours. It loads the pixels that its outputs need, each once, into shared
/// memory, stores in shared memory, too, the part of blurred that its gradients need, and takes these from there. Where
/// both take more than 48 KB (49152 bytes) it throws std::invalid_argument, whose text holds the bytes and that limit.
void conv2d_fused(std::span<float> out, std::span<const float> in, std::span<const float> filter, int width,
                  int height, int filter_width, int filter_height, float threshold);
LAB_EXPORT(conv2d_fused, out, in, filter, width, height, filter_width, filter_height, threshold);
