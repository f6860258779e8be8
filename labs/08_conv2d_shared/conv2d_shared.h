// Lab 08, the contract: what conv2d_shared.cu must offer. Leave this file as it is.
#pragma once
#include "lab/contract.h"

// Everywhere: out[y][x] = sum over i, j of in[y + i - ry][x + j - rx] * filter[i][j], rx = filter_width / 2
// and ry = filter_height / 2, where `in` and `out` hold `height` rows of `width` pixels, row after row, the
// filter `filter_height` rows of `filter_width` taps, both odd; ghost cells are 0. Sizes are at least 1 and
// need not be multiples of anything; the filter may be larger than the image. Host memory; nothing overlaps.
//
// The taps lie in constant memory: a filter of more than 16384 throws std::invalid_argument, whose text holds
// the number of its taps and that limit. A failing CUDA call throws std::runtime_error (CUDA_CHECK does).
//
// A block is a tile of outputs, one thread each; its shape is yours. It loads the pixels that its outputs
// need, the tile and the halo around it, into dynamic shared memory, each once, and takes all of its sums
// from there. Where these pixels take more than 48 KB (49152 bytes), a kernel without a tile does the work
// instead: any filter that constant memory holds gets its image. That kernel can be asked for, too.

/// Who loads what.
enum class loading {
    // Every thread its own pixel, thread (0, 0) all of the halo (Beukman 5.9, "bad V1").
    one_thread,
    // Every thread its own pixel, those at the block's edges the halo beside them, thread (0, 0) the corners
    // (Beukman 5.9, "bad V2").
    edge_threads,
    // The block is moved over the pixels in steps of its own width and height (Beukman 3, Camerino V2).
    swept,
    // All threads in one line take the pixels row after row, without a gap at the end of a row (Beukman 5.9).
    rows,
    // Nobody: there is no tile and no shared memory. Every thread takes the pixels of its sum from global
    // memory, one load for each tap that lies inside the image (van Werkhoven et al., figure 2).
    no_tile,
};

/// Loads as `how` says.
void conv2d_shared(std::span<float> out, std::span<const float> in, std::span<const float> filter, int width,
                   int height, int filter_width, int filter_height, loading how);
LAB_EXPORT(conv2d_shared, out, in, filter, width, height, filter_width, filter_height, how);

/// Loads as loading::swept. Filters 3, 5, 7, 9 and 11 taps wide, of any height,
/// each have a kernel of their own that was compiled for this width, the loop
/// over a row of taps unrolled; other widths get a kernel for any width.
void conv2d_shared_unrolled(std::span<float> out, std::span<const float> in, std::span<const float> filter,
                            int width, int height, int filter_width, int filter_height);
LAB_EXPORT(conv2d_shared_unrolled, out, in, filter, width, height, filter_width, filter_height);
