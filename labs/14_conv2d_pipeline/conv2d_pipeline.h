// Lab 14, the contract: what conv2d_pipeline.cu must offer. Leave this file as it is.
#pragma once
#include "lab/contract.h"

// Both functions convolve with a filter of `filter_height` rows of `filter_width` taps, both odd. Sizes are at least 1
// and need not be multiples of anything; the filter may be larger than the image. Ghost cells are 0. Host memory;
// nothing overlaps. A failing CUDA call throws std::runtime_error (CUDA_CHECK does). The taps lie in constant memory:
// more than 16384 throw std::invalid_argument, whose text holds their number and that limit.

/// One image, in strips. `in` and `out`, `height` rows of `width` pixels, are page-locked: the caller has seen to that.
///
/// Strip k has the rows from k * ceil(height / strips) on, as many as that, or as many as are left: the last strip may
/// be shorter, and the last ones may have none. Every strip of `in` is copied to the device by itself, filtered by a
/// kernel of its own and copied back by itself, so that the copies of one run beside the kernels of others. Every pixel
/// crosses the bus once; rows that neighbouring strips share may be copied for both.
void conv2d_strips(std::span<float> out, std::span<const float> in, std::span<const float> filter, int width,
                   int height, int filter_width, int filter_height, int strips);
LAB_EXPORT(conv2d_strips, out, in, filter, width, height, filter_width, filter_height, strips);

/// A film of `frames` colour images, one after the other, `height` rows of `width` pixels of three interleaved channels,
/// 3 * (y * width + x) + channel. Each channel of each frame is filtered by itself, multiplied by `scale`, and clamped
/// to 0..255, all on the device. `in` and `out` are ordinary memory: copies that run beside kernels take what they copy
/// from page-locked buffers. Buffers and streams are made once, not for every frame; frames of different slots are under
/// way at the same time.
void conv2d_film(std::span<float> out, std::span<const float> in, std::span<const float> filter, int width,
                 int height, int filter_width, int filter_height, int frames, float scale);
LAB_EXPORT(conv2d_film, out, in, filter, width, height, filter_width, filter_height, frames, scale);
