// Warp primitives: barriers, votes, shuffles, matches and reductions among the 32 lanes of a warp.
#pragma once
#include <cstdint>
#include <type_traits>

#include "simt/barrier.h"

namespace simt {
enum class warp_operation : uint8_t {
    barrier,
    ballot,
    shuffle,
    shuffle_up,
    shuffle_down,
    shuffle_xor,
    match_any,
    match_all,
    reduce_add,
    reduce_min,
    reduce_max,
    reduce_and,
    reduce_or,
    reduce_xor,
    matrix,  // mma.h: the value points to a matrix_product, or is 0
};
}  // namespace simt

extern "C" {
/// Waits for the lanes of `mask` that have not returned, and gives this lane its share of the result.
/// `argument` is the source lane, the distance or the lane mask of a shuffle; `width` its subgroup size.
uint64_t simt_warp(simt::warp_operation operation, unsigned int mask, uint64_t value, int argument,
                   int width);
/// The lanes of the warp that have come to this point together.
SIMT_DEVICE unsigned int __activemask();
/// The same where the rewriter has said which place of the text it is.
SIMT_DEVICE unsigned int simt_active_mask(unsigned int place);
/// (Not const: g++ would say that the variable is read before it is written.)
int simt_is_shared(volatile void* address);
}

SIMT_DEVICE_INLINE unsigned int __activemask(unsigned int place) {
    return simt_active_mask(place);
}

namespace simt {
// Where lanes may count on each other to be as far (simt/rewrite/steps.cpp).
SIMT_ALWAYS_INLINE bool is_shared(const volatile void* address) {
    return is_unwatched_shared(address) ||
           (!WAIT_IN_KERNEL && simt_is_shared(const_cast<volatile void*>(address)) != 0);
}
/// Of volatile memory any may be counted on, of other only shared memory.
template <class type>
SIMT_ALWAYS_INLINE bool is_stepped(const type* address) {
    return std::is_volatile_v<type> || is_shared(address);
}
template <class type>
SIMT_ALWAYS_INLINE type&& in_step(unsigned int place, type&& variable) {
    if (is_stepped(&variable)) keep_in_step(place);
    return static_cast<type&&>(variable);
}
/// variable = value, where the value is read before lanes meet. Of a volatile variable it is the value: g++ warns where
/// a reference to one is dropped.
template <class type, class value_type>
SIMT_ALWAYS_INLINE decltype(auto) assign_in_step(unsigned int place, type& variable, value_type value) {
    if (is_stepped(&variable)) keep_in_step(place);
    variable = value;
    if constexpr (std::is_volatile_v<type>)
        return std::remove_cv_t<type>(value);
    else
        return (variable);
}
/// The right side of a variable += value, which g++ reads after the left side's calls unless it is a call itself.
template <class type>
SIMT_ALWAYS_INLINE type read_now(type value) {
    return value;
}
SIMT_ALWAYS_INLINE void end_step(unsigned int place) {
    keep_in_step(place);
}
template <class type>
SIMT_ALWAYS_INLINE void end_step(unsigned int place, const type* pointer) {
    if (is_stepped(pointer)) keep_in_step(place);
}

/// Any trivially copyable type travels in pieces of 8 bytes.
template <class type>
SIMT_INLINE type shuffle(warp_operation operation, unsigned int mask, type value, int argument, int width) {
    static_assert(std::is_trivially_copyable_v<type>, "a shuffle moves bytes");
    uint64_t pieces[(sizeof(type) + 7) / 8] = {};
    __builtin_memcpy(pieces, &value, sizeof value);
    for (uint64_t& piece : pieces) {
        piece = simt_warp(operation, mask, piece, argument, width);
    }
    __builtin_memcpy(&value, pieces, sizeof value);
    return value;
}
}  // namespace simt

namespace simt {
struct matrix_product;  // matrices.h
/// All 32 lanes, or an error that is named.
SIMT_INLINE void meet_for_matrices(const matrix_product* product = nullptr) {
    simt_warp(warp_operation::matrix, 0xffffffffu, reinterpret_cast<uint64_t>(product), 0, 32);
}
}  // namespace simt

SIMT_DEVICE_INLINE void __syncwarp(unsigned int mask = 0xffffffffu) {
    simt_warp(simt::warp_operation::barrier, mask, 0, 0, 32);
}
SIMT_DEVICE_INLINE unsigned int __ballot_sync(unsigned int mask, int predicate) {
    return static_cast<unsigned int>(simt_warp(simt::warp_operation::ballot, mask, predicate != 0, 0, 32));
}
SIMT_DEVICE_INLINE int __any_sync(unsigned int mask, int predicate) {
    return __ballot_sync(mask, predicate) != 0;
}
SIMT_DEVICE_INLINE int __all_sync(unsigned int mask, int predicate) {
    return __ballot_sync(mask, predicate == 0) == 0;
}
SIMT_DEVICE_INLINE int __uni_sync(unsigned int mask, int predicate) {
    const unsigned int holds = __ballot_sync(mask, predicate);
    return holds == 0 || __ballot_sync(mask, predicate == 0) == 0;
}

template <class type>
SIMT_DEVICE_INLINE type __shfl_sync(unsigned int mask, type value, int lane, int width = 32) {
    return simt::shuffle(simt::warp_operation::shuffle, mask, value, lane, width);
}
template <class type>
SIMT_DEVICE_INLINE type __shfl_up_sync(unsigned int mask, type value, unsigned int delta, int width = 32) {
    return simt::shuffle(simt::warp_operation::shuffle_up, mask, value, static_cast<int>(delta), width);
}
template <class type>
SIMT_DEVICE_INLINE type __shfl_down_sync(unsigned int mask, type value, unsigned int delta, int width = 32) {
    return simt::shuffle(simt::warp_operation::shuffle_down, mask, value, static_cast<int>(delta), width);
}
template <class type>
SIMT_DEVICE_INLINE type __shfl_xor_sync(unsigned int mask, type value, int lane_mask, int width = 32) {
    return simt::shuffle(simt::warp_operation::shuffle_xor, mask, value, lane_mask, width);
}

// These are gone: who says no mask does not say who takes part, and lanes go their own ways.
#define SIMT_WITHOUT_MASK(name)                                                              \
    template <class... types>                                                                \
    [[gnu::error("it is gone since CUDA 9: use " #name "_sync() with the mask of the lanes " \
                 "that take part, 0xffffffff for all 32")]] SIMT_DEVICE int                  \
    name(types...);
SIMT_WITHOUT_MASK(__shfl)
SIMT_WITHOUT_MASK(__shfl_up)
SIMT_WITHOUT_MASK(__shfl_down)
SIMT_WITHOUT_MASK(__shfl_xor)
SIMT_WITHOUT_MASK(__any)
SIMT_WITHOUT_MASK(__all)
SIMT_WITHOUT_MASK(__ballot)
#undef SIMT_WITHOUT_MASK

namespace simt {
/// The bits of a value of 4 or 8 bytes, for comparing it with those of other lanes. Smaller numbers become int.
template <class type>
SIMT_INLINE uint64_t bits_of(type value) {
    if constexpr (std::is_integral_v<type> && sizeof(type) < sizeof(int)) {
        return bits_of(int(value));
    } else {
        static_assert(sizeof(type) == 4 || sizeof(type) == 8, "a match compares 4 or 8 bytes");
        uint64_t bits = 0;
        __builtin_memcpy(&bits, &value, sizeof value);
        return bits;
    }
}
}  // namespace simt

/// The lanes of the mask whose value has the same bits as this lane's.
template <class type>
SIMT_DEVICE_INLINE unsigned int __match_any_sync(unsigned int mask, type value) {
    return static_cast<unsigned int>(
        simt_warp(simt::warp_operation::match_any, mask, simt::bits_of(value), 0, 32));
}
/// The mask if all its lanes have the same value, else 0; *all_equal says which.
template <class type>
SIMT_DEVICE_INLINE unsigned int __match_all_sync(unsigned int mask, type value, int* all_equal) {
    const auto lanes = static_cast<unsigned int>(
        simt_warp(simt::warp_operation::match_all, mask, simt::bits_of(value), 0, 32));
    *all_equal = lanes != 0;
    return lanes;
}

SIMT_DEVICE_INLINE unsigned int __reduce_add_sync(unsigned int mask, unsigned int value) {
    return static_cast<unsigned int>(simt_warp(simt::warp_operation::reduce_add, mask, value, 0, 32));
}
SIMT_DEVICE_INLINE int __reduce_add_sync(unsigned int mask, int value) {
    return static_cast<int>(__reduce_add_sync(mask, static_cast<unsigned int>(value)));
}
// Sign-extended to 64 bits, so that one signed comparison serves both signed and unsigned values.
SIMT_DEVICE_INLINE unsigned int __reduce_min_sync(unsigned int mask, unsigned int value) {
    return static_cast<unsigned int>(simt_warp(simt::warp_operation::reduce_min, mask, value, 0, 32));
}
SIMT_DEVICE_INLINE int __reduce_min_sync(unsigned int mask, int value) {
    return static_cast<int>(
        simt_warp(simt::warp_operation::reduce_min, mask, static_cast<uint64_t>(int64_t{value}), 0, 32));
}
SIMT_DEVICE_INLINE unsigned int __reduce_max_sync(unsigned int mask, unsigned int value) {
    return static_cast<unsigned int>(simt_warp(simt::warp_operation::reduce_max, mask, value, 0, 32));
}
SIMT_DEVICE_INLINE int __reduce_max_sync(unsigned int mask, int value) {
    return static_cast<int>(
        simt_warp(simt::warp_operation::reduce_max, mask, static_cast<uint64_t>(int64_t{value}), 0, 32));
}
SIMT_DEVICE_INLINE unsigned int __reduce_and_sync(unsigned int mask, unsigned int value) {
    return static_cast<unsigned int>(simt_warp(simt::warp_operation::reduce_and, mask, value, 0, 32));
}
SIMT_DEVICE_INLINE unsigned int __reduce_or_sync(unsigned int mask, unsigned int value) {
    return static_cast<unsigned int>(simt_warp(simt::warp_operation::reduce_or, mask, value, 0, 32));
}
SIMT_DEVICE_INLINE unsigned int __reduce_xor_sync(unsigned int mask, unsigned int value) {
    return static_cast<unsigned int>(simt_warp(simt::warp_operation::reduce_xor, mask, value, 0, 32));
}
