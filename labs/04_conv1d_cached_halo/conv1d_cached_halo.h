// Lab 04, the contract: what conv1d_cached_halo.cu must offer. Leave this file as it is.
#pragma once
#include "lab/contract.h"

/// 1D convolution, ghost cells 0:  out[x] = sum over j = -r..r of in[x + j] * filter[j + r].
/// Blocks of `tile` threads compute `tile` outputs each. They load the `tile` inputs below their outputs into
/// dynamic shared memory of exactly `tile` floats; the halo is read from global memory, through the cache, by
/// every thread that needs it. The taps lie in constant memory.
///
/// out, in  n elements each, n >= 1, any n; host memory, they do not overlap.
/// filter   2r + 1 taps, r >= 0; r may be larger than the tile and larger than n. At most 16384 taps.
/// tile     outputs and threads of a block, 1 to 1024; need not be a multiple of anything.
/// Throws std::invalid_argument naming the tile and the limit, 1024, if there is no such block; naming the
/// number of taps and the limit, 16384, if there are more.
/// Throws std::runtime_error (CUDA_CHECK does) when a CUDA call fails.
void conv1d_cached_halo(std::span<float> out, std::span<const float> in, std::span<const float> filter,
                        int tile);
LAB_EXPORT(conv1d_cached_halo, out, in, filter, tile);
