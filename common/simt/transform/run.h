// A transform as the device does it.
#pragma once
#include "simt/runtime/transform_plans.h"

namespace simt {

/// Checks both arrays as those of a kernel, computes, and tells the observer. `direction` is of C2C alone. CUFFT_SUCCESS
/// or CUFFT_EXEC_FAILED: what a kernel would have been stopped for is a finding and a sticky error.
cufftResult transform(const char* call, const transform_plan& plan, const void* in, void* out, int direction);

}  // namespace simt
