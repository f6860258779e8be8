// Thrust's device memory: managed, which its algorithms reach, host code here, and kernels, too.
#pragma once
#include <cstddef>
#include <new>

namespace simt {

/// Of any size; no bytes at all have an address, too.
inline void* allocate_for_thrust(std::size_t bytes) {
    void* memory = nullptr;
    if (cudaMallocManaged(&memory, bytes > 0 ? bytes : 1) != cudaSuccess) throw std::bad_alloc();
    return memory;
}

}  // namespace simt
