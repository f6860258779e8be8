// Lab 13, the contract: what conv2d_adaptive.cu must offer. Leave this file as it is.
#pragma once
#include "lab/contract.h"

/// out[y][x] = sum over i, j of in[y + i - filter_height / 2][x + j - filter_width / 2] * filter[i][j], where
/// `in` and `out` hold `height` rows of `width` pixels, the filter `filter_height` rows of `filter_width`
/// taps, both odd; ghost cells are 0. Sizes are at least 1 and need not be multiples of anything; the filter
/// may be larger than the image. Host memory; nothing overlaps.
///
/// Part one, the scheme of van Werkhoven et al. Blocks have 32 x 8 threads, and every thread computes N
/// outputs of one row, 32 columns apart. N is the tiling factor: the largest of 8, 4, 2 and 1 for which
///   * the tile fits: (32 N + filter_width - 1) x (8 + filter_height - 1) floats of dynamic shared memory are
///     not more than the device lets a block have (cudaDevAttrMaxSharedMemoryPerBlockOptin),
///   * the block fits: 32 * 8 * registers_per_thread(N) are not more than a block may have
///     (cudaDevAttrMaxRegistersPerBlock). cudaFuncGetAttributes knows registers_per_thread; where it says 0,
///     as on the CPU backend, a thread is taken to need 24 + 2 N.
///
/// The taps lie in constant memory, 16384 of them at most: a filter with more throws std::invalid_argument,
/// whose text holds the number of its taps and that limit. A filter that no factor can serve throws
/// std::invalid_argument, whose text holds the bytes that N = 1 would take and the bytes that there are. A
/// failing CUDA call throws std::runtime_error (CUDA_CHECK does).
void conv2d_adaptive_tiling(std::span<float> out, std::span<const float> in, std::span<const float> filter,
                            int width, int height, int filter_width, int filter_height);
LAB_EXPORT(conv2d_adaptive_tiling, out, in, filter, width, height, filter_width, filter_height);

/// The map of the factors (van Werkhoven et al., fig. 8d) for a device whose blocks may have `shared_bytes`
/// of shared memory and `registers` registers; it need not be the device that is here. `factors` has a row
/// for every odd filter height 1, 3, .. max_filter and in it a column for every odd filter width; it receives
/// N, or 0 where not even N = 1 fits. max_filter is odd.
void adaptive_factors(std::span<int> factors, int max_filter, int shared_bytes, int registers);
LAB_EXPORT(adaptive_factors, factors, max_filter, shared_bytes, registers);

/// Part two, the fast version: computes the same. Filters of up to 43 columns are served by the first
/// schedule of fast/schedules.h that fits them and the device; all others, and those of a device with too little
/// shared memory, by conv2d_adaptive_tiling, which also refuses what it refuses.
void conv2d_adaptive(std::span<float> out, std::span<const float> in, std::span<const float> filter,
                     int width, int height, int filter_width, int filter_height);
LAB_EXPORT(conv2d_adaptive, out, in, filter, width, height, filter_width, filter_height);
