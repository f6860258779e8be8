// Which bytes a transform reads and writes.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "simt/engine/observer.h"
#include "simt/runtime/transform_plans.h"

namespace simt {

/// The input or the output of a plan.
struct transform_side {
    bool is_input = true;
    bool is_complex = false;
    int rank = 1, batch = 1;
    int counts[MOST_RANK] = {1, 1,
                             1};  // elements along each axis: of half a spectrum the last one is n / 2 + 1
    element_layout layout;

    size_t element_bytes() const { return is_complex ? sizeof(cufftComplex) : sizeof(cufftReal); }
};

/// Why there can be no such plan, as an error and its sentence; CUFFT_SUCCESS and nothing if there can.
struct plan_fault {
    cufftResult error = CUFFT_SUCCESS;
    std::string text;
};
plan_fault fault_of(const transform_plan& plan);

/// Of a plan without a fault. Of a packed one the layout, too.
transform_side side_of(const transform_plan& plan, bool is_input, bool in_place);

/// Bytes from the first element to the end of the last; SIZE_MAX if there is no such number.
size_t extent_of(const transform_side& side);

/// Whether input and output may be the same array: every row and every transform of the one begins where one of the other
/// does, so that each can be read before it is overwritten.
bool fit_in_place(const transform_side& from, const transform_side& to);

/// The bytes of the elements of an array that begins here, in order and apart.
std::vector<address_range> ranges_of(const transform_side& side, uintptr_t begin);

}  // namespace simt
