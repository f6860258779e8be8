// Lab 02, the contract: what conv1d_constant.cu must offer. Leave this file as it is.
#pragma once
#include "lab/contract.h"

/// 1D convolution, ghost cells 0:  out[x] = sum over j = -r..r of in[x + j] * filter[j + r].
/// The kernel takes its taps from constant memory.
///
/// out, in  n elements each, n >= 1, any n; host memory, they do not overlap.
/// filter   2r + 1 taps, r >= 0; r may be larger than n. Constant memory holds 64 KB: 16384 taps at most.
/// Throws std::invalid_argument naming the number of taps and the limit, 16384, if there are more;
/// std::runtime_error (CUDA_CHECK does) when a CUDA call fails.
void conv1d_constant(std::span<float> out, std::span<const float> in, std::span<const float> filter);
LAB_EXPORT(conv1d_constant, out, in, filter);
