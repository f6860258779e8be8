// What the runtime API knows of a kernel, for the check of a launch.
#pragma once
#include <cstddef>

namespace simt {

/// Bytes of dynamic shared memory a launch of the kernel may ask for: what static shared memory leaves of 48
/// KB, or more after cudaFuncSetAttribute(cudaFuncAttributeMaxDynamicSharedMemorySize). Null, a kernel that
/// cannot be named, gets the largest limit that any kernel has.
size_t dynamic_shared_limit(const void* kernel);

/// Checks that all __constant__ variables together fit their 64 KB, which nvcc refuses when it compiles and
/// we can only when they are used. False: one line on stderr was printed.
bool constant_memory_fits();

}  // namespace simt
