// cooperative_groups::inclusive_scan and exclusive_scan over the lanes of a group, in the order of their ranks.
#pragma once
#include "reduce.h"

namespace cooperative_groups {

/// Every thread gets the values of those up to its own rank combined.
template <class group_type, class type, class operation_type>
SIMT_INLINE type inclusive_scan(const group_type& group, type value, operation_type&& operation) {
    for (unsigned int distance = 1; distance < group.num_threads(); distance *= 2) {
        const type below = detail::from_below(group, value, distance);
        if (group.thread_rank() >= distance) value = operation(below, value);
    }
    return value;
}
template <class group_type, class type>
SIMT_INLINE type inclusive_scan(const group_type& group, type value) {
    return inclusive_scan(group, value, plus<type>());
}

namespace detail {
/// Operations that zero does not change.
template <class operation>
inline constexpr bool starts_at_zero = false;
template <class type>
inline constexpr bool starts_at_zero<plus<type>> = true;
template <class type>
inline constexpr bool starts_at_zero<bit_or<type>> = true;
template <class type>
inline constexpr bool starts_at_zero<bit_xor<type>> = true;
}  // namespace detail

/// The same without its own value; the thread of rank 0 gets zero.
template <class group_type, class type, class operation_type>
SIMT_INLINE type exclusive_scan(const group_type& group, type value, operation_type&& operation) {
    static_assert(detail::starts_at_zero<std::decay_t<operation_type>>,
                  "exclusive_scan is on the CPU backend for plus, bit_or and bit_xor");
    const type below = detail::from_below(group, inclusive_scan(group, value, operation), 1);
    return group.thread_rank() == 0 ? type(0) : below;
}
template <class group_type, class type>
SIMT_INLINE type exclusive_scan(const group_type& group, type value) {
    return exclusive_scan(group, value, plus<type>());
}

}  // namespace cooperative_groups
