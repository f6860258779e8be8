// Copies that a group makes together, asynchronously: carried out as late as the program allows, by wait().
#pragma once
#include "../cooperative_groups.h"
#include "../cuda_pipeline.h"

namespace cooperative_groups {

/// `bytes` from global to shared memory.
template <class group_type, class type>
SIMT_INLINE void memcpy_async(const group_type& group, type* to, const type* from, size_t bytes) {
    constexpr size_t PIECE = sizeof(type) % 16 == 0 ? 16 : sizeof(type) % 8 == 0 ? 8 : 4;
    static_assert(sizeof(type) % 4 == 0,
                  "memcpy_async of elements of 1 or 2 bytes is not on the CPU backend");
    char* const target = reinterpret_cast<char*>(to);
    const char* const source = reinterpret_cast<const char*>(from);
    for (size_t at = group.thread_rank() * PIECE; at < bytes; at += group.num_threads() * PIECE)
        __pipeline_memcpy_async(target + at, source + at, PIECE);
    __pipeline_commit();
}

/// All copies of the group are there.
template <class group_type>
SIMT_INLINE void wait(const group_type& group) {
    __pipeline_wait_prior(0);
    group.sync();
}
/// All but the newest `copies`.
template <unsigned int copies, class group_type>
SIMT_INLINE void wait_prior(const group_type& group) {
    __pipeline_wait_prior(copies);
    group.sync();
}

}  // namespace cooperative_groups
