// The contract of the pretended lab of the worker's tests.
#pragma once
#include "lab/contract.h"

enum class rounding { none, down };

/// out[i] = factor * in[i], rounded as asked.
void scale(std::span<float> out, std::span<const float> in, float factor, rounding mode);
LAB_EXPORT(scale, out, in, factor, mode);
