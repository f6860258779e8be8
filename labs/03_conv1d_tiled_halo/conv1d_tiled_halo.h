// Lab 03, the contract: what conv1d_tiled_halo.cu must offer. Leave this file as it is.
#pragma once
#include "lab/contract.h"

/// 1D convolution, ghost cells 0:  out[x] = sum over j = -r..r of in[x + j] * filter[j + r].
/// Blocks of `tile` threads compute `tile` outputs each. They load the tile + 2r inputs that these need into
/// dynamic shared memory, once; the taps lie in constant memory.
///
/// out, in  n elements each, n >= 1, any n; host memory, they do not overlap.
/// filter   2r + 1 taps, r >= 0; r may be larger than the tile and larger than n.
/// tile     outputs and threads of a block, 1 to 1024; need not be a multiple of anything.
/// Throws std::invalid_argument naming the tile and the limit, 1024, if there is no such block; naming the
/// bytes of shared memory that tile + 2r floats take and the limit, 49152, if they are more than 48 KB.
/// Throws std::runtime_error (CUDA_CHECK does) when a CUDA call fails.
void conv1d_tiled_halo(std::span<float> out, std::span<const float> in, std::span<const float> filter,
                       int tile);
LAB_EXPORT(conv1d_tiled_halo, out, in, filter, tile);
