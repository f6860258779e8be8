// Lab 15, the contract: what conv2d_separable.cu must offer. Leave this file as it is.
#pragma once
#include "lab/contract.h"

// Everywhere: `in` and `out` hold `height` rows of `width` pixels, row after row; ghost cells are 0. Filters have
// odd sides; images and filters need not be square, sizes are at least 1 and need not be multiples of anything; the
// filter may be larger than the image. Host memory; nothing overlaps. A failing CUDA call throws
// std::runtime_error (CUDA_CHECK does).
//
// The taps of columns and rows lie in constant memory: more than 16384 together throw std::invalid_argument, whose
// text holds their number and that limit.

/// out[y][x] = sum over i of column[i] * (sum over j of row[j] * in[y + i - column.size() / 2][x + j - row.size() / 2]):
/// a convolution with the filter whose taps are column[i] * row[j].
///
/// In two passes, a kernel each: the first stores the sums over j, an image of `width` x `height` floats, in global
/// memory, the second makes `out` of them. No thread uses shared memory.
void conv2d_two_passes(std::span<float> out, std::span<const float> in, std::span<const float> column,
                       std::span<const float> row, int width, int height);
LAB_EXPORT(conv2d_two_passes, out, in, column, row, width, height);

/// The same in one kernel; nothing but `in` is loaded from global memory, and nothing but `out` stored.
///
/// A block is a tile of outputs; its shape is yours. It loads the pixels that its outputs need, each
/// once, into shared memory, sums them along their rows, and takes the sums over i from these sums, which lie in shared
/// memory, too. Where both take more than 48 KB (49152 bytes) it throws std::invalid_argument, whose text holds the
/// bytes and that limit.
void conv2d_separable(std::span<float> out, std::span<const float> in, std::span<const float> column,
                      std::span<const float> row, int width, int height);
LAB_EXPORT(conv2d_separable, out, in, column, row, width, height);

// Any filter is a sum of columns times rows. Its singular value decomposition (svd.h makes it) gives those with the
// fewest terms: s[0] times a column times a row, plus s[1] times another, ..; columns and rows have length 1 (root of
// the sum of squares), and s[0] >= s[1] >= .. >= 0 are the singular values, min(filter_width, filter_height) of them.
//
// Who keeps k terms leaves out s[k] + s[k + 1] + .. =: bounds[k]. No pixel of the image then changes by more than
// bounds[k] times the length of the pixels that lie under the filter there.

/// bounds[0], bounds[1], .., the last of which is 0; `bounds` has min(filter_width, filter_height) + 1 elements. The
/// filter has filter_height rows of filter_width taps. No kernel is needed.
void low_rank_bounds(std::span<float> bounds, std::span<const float> filter, int filter_width,
                     int filter_height);
LAB_EXPORT(low_rank_bounds, bounds, filter, filter_width, filter_height);

/// The convolution with as few terms of the filter, one at least, as make the bound no more than `max_bound`, which is 0
/// or more, by the kernel of conv2d_separable: a tile is loaded once, whatever the number of its terms; refused is what is
/// refused there.
///
/// k terms pay as long as k * (filter_width + filter_height) <= filter_width * filter_height, and one always does. Where
/// more are needed it throws std::invalid_argument, whose text holds how many are, and the most that pay.
void conv2d_low_rank(std::span<float> out, std::span<const float> in, std::span<const float> filter,
                     int width, int height, int filter_width, int filter_height, float max_bound);
LAB_EXPORT(conv2d_low_rank, out, in, filter, width, height, filter_width, filter_height, max_bound);
