// Products of matrices, and a way to find out whether a kernel's results come from them.
#pragma once
#include <cstdint>

#include "simt/engine/limits.h"
#include "simt/include/simt/matrices.h"

namespace simt {

/// d = a * b + c of all lanes.
void multiply_matrices(const matrix_product* const (&lanes)[WARP_SIZE], uintptr_t site);

/// From the next launch on d = 2 * a * b + c, if that is wanted: results that do not come from tensor cores stay as
/// they are.
void double_products(bool wanted);

}  // namespace simt
