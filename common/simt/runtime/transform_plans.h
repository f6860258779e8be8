// Plans of transforms (cufft.h), as the program has made them. They live in the host's process; what computes them is in
// transform/, which a program without cufft.h does not have.
#pragma once
#include <cstdint>

#include "simt/include/cufft.h"

namespace simt {

inline constexpr int MOST_RANK = 3;

/// Where the elements of an array lie: element (x, y, z) of transform b at b * dist + ((x * embed[1] + y) * embed[2] + z) *
/// stride. Counted in elements.
struct element_layout {
    int embed[MOST_RANK] = {1, 1, 1};
    int stride = 1, dist = 0;
};

struct transform_plan {
    cufftType type{};
    int rank = 0;  // 0: created, and not made
    int sizes[MOST_RANK] = {1, 1, 1};
    int batch = 1;
    bool is_packed = true;  // the layouts say nothing
    element_layout in, out;
    cudaStream_t stream = nullptr;
    int device = 0;  // that was the current one when it was made
};

/// Its handle, never used again.
cufftHandle add_plan(const transform_plan& plan);
/// False for one that was never made, or is destroyed.
bool find_plan(cufftHandle handle, transform_plan& plan);
bool change_plan(cufftHandle handle, const transform_plan& plan);
bool remove_plan(cufftHandle handle);
void destroy_all_plans();

}  // namespace simt
