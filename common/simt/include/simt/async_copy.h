// What <cuda/barrier> and <cuda/pipeline> share: scopes, and how cuda::memcpy_async cuts its bytes.
#pragma once
#include <cstddef>
#include <type_traits>

#include "../cuda_pipeline.h"
#include "phases.h"

namespace cuda {

enum thread_scope { thread_scope_system, thread_scope_device, thread_scope_block, thread_scope_thread };

/// A number of bytes, with the promise that it and both addresses are multiples of `alignment`.
template <size_t alignment>
struct aligned_size_t {
    static constexpr size_t align = alignment;
    size_t value;
    SIMT_ALWAYS_INLINE explicit constexpr aligned_size_t(size_t bytes) : value(bytes) {}
    SIMT_ALWAYS_INLINE constexpr operator size_t() const { return value; }
};

namespace detail {

/// The group of a thread that copies alone.
struct one_thread {
    SIMT_ALWAYS_INLINE unsigned int thread_rank() const { return 0; }
    SIMT_ALWAYS_INLINE unsigned int num_threads() const { return 1; }
};

/// Bytes and the pieces that they are copied in: of 16, 8 or 4, or single ones, which a GPU copies at once, too.
struct shape {
    size_t bytes, piece;
};
SIMT_INLINE size_t largest_piece(size_t multiple_of_it) {
    return multiple_of_it % 16 == 0 ? 16 : multiple_of_it % 8 == 0 ? 8 : multiple_of_it % 4 == 0 ? 4 : 1;
}
SIMT_INLINE shape shape_of(const void* to, const void* from, size_t bytes) {
    return {bytes, largest_piece(reinterpret_cast<size_t>(to) | reinterpret_cast<size_t>(from) | bytes)};
}
/// What is promised is believed: if it does not hold, the copy ends the launch.
template <size_t alignment>
SIMT_INLINE shape shape_of(const void*, const void*, aligned_size_t<alignment> bytes) {
    return {bytes, largest_piece(alignment)};
}

/// The group's threads take turns; copy(to, from, bytes) asks for a piece.
template <class group_type, class copy_type>
SIMT_INLINE void copy_pieces(const group_type& group, void* to, const void* from, shape all,
                             const copy_type& copy) {
    char* const target = static_cast<char*>(to);
    const char* const source = static_cast<const char*>(from);
    for (size_t at = group.thread_rank() * all.piece; at < all.bytes; at += group.num_threads() * all.piece) {
        if (all.piece == 1)
            target[at] = source[at];
        else
            copy(target + at, source + at, all.piece);
    }
}

}  // namespace detail
}  // namespace cuda
