// cooperative_groups::reduce and the operators it takes.
#pragma once
#include "../cooperative_groups.h"

namespace cooperative_groups {

template <class type>
struct plus {
    __attribute__((always_inline)) type operator()(type a, type b) const { return a + b; }
};
template <class type>
struct less {
    __attribute__((always_inline)) type operator()(type a, type b) const { return b < a ? b : a; }
};
template <class type>
struct greater {
    __attribute__((always_inline)) type operator()(type a, type b) const { return a < b ? b : a; }
};
template <class type>
struct bit_and {
    __attribute__((always_inline)) type operator()(type a, type b) const { return a & b; }
};
template <class type>
struct bit_or {
    __attribute__((always_inline)) type operator()(type a, type b) const { return a | b; }
};
template <class type>
struct bit_xor {
    __attribute__((always_inline)) type operator()(type a, type b) const { return a ^ b; }
};

/// Every thread of the tile gets the values of all combined; pairwise, so that all get the same bits.
template <unsigned int tile_size, class parent_type, class type, class operation_type>
SIMT_INLINE type reduce(const thread_block_tile<tile_size, parent_type>& tile, type value,
                        operation_type&& operation) {
    for (unsigned int distance = tile_size / 2; distance > 0; distance /= 2) {
        value = operation(value, detail::from_across(tile, value, distance));
    }
    return value;
}

/// The same for any number of lanes, in the order of their ranks.
template <class type, class operation_type>
SIMT_INLINE type reduce(const coalesced_group& group, type value, operation_type&& operation) {
    type total = group.shfl(value, 0);
    for (unsigned int rank = 1; rank < group.num_threads(); rank++) {
        total = operation(total, group.shfl(value, rank));
    }
    return total;
}

}  // namespace cooperative_groups
