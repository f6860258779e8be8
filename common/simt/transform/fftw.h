// The arithmetic of transforms.
#pragma once
#include "simt/transform/layout.h"

namespace simt {

/// True if the backend was built with FFTW, which a system may lack.
bool can_transform();

/// Computes it from `in` to `out`, which may be the same, in the runtime's view of them. False if FFTW has
/// no way to do it.
bool compute(const transform_plan& plan, const transform_side& from, const void* in, const transform_side& to,
             void* out, int direction);

}  // namespace simt
