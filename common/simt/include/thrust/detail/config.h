// Of Thrust, which all its headers bring: where its algorithms are host code, it works in the order of streams, and on device
// memory of any kind (thrust::device with pointers of cudaMalloc).
#pragma once
#include_next <thrust/detail/config.h>

#if THRUST_DEVICE_SYSTEM != THRUST_DEVICE_SYSTEM_CUDA
namespace simt {
/// False (memory/managed_guard.h).
bool never_close_memory();
inline const bool memory_is_closed = never_close_memory();
}  // namespace simt
#endif
