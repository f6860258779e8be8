// Lab 01, the contract: what conv1d_basic.cu must offer. Leave this file as it is.
#pragma once
#include "lab/contract.h"

/// 1D convolution, ghost cells 0:  out[x] = sum over j = -r..r of in[x + j] * filter[j + r].
///
/// out, in  n elements each, n >= 1, any n; host memory, they do not overlap.
/// filter   2r + 1 taps, r >= 0; r may be larger than n.
/// Throws std::runtime_error (CUDA_CHECK does) when a CUDA call fails.
void conv1d_basic(std::span<float> out, std::span<const float> in, std::span<const float> filter);
LAB_EXPORT(conv1d_basic, out, in, filter);
