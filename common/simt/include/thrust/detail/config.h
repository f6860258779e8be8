// Of Thrust, which all its headers bring: its algorithms are host code here, and at work in the order of streams.
#pragma once
#include_next <thrust/detail/config.h>

namespace simt {
/// False (memory/managed_guard.h).
bool never_guard_managed_memory();
inline const bool managed_memory_is_guarded = never_guard_managed_memory();
}  // namespace simt
