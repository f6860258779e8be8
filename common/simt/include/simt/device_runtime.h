// What of CUDA's runtime kernels call themselves: the rewriter turns cudaMalloc in device code into
// simt::device_runtime::allocate. A launch from a kernel is done when the kernel's grid has ended, as CUDA allows.
#pragma once
#include "simt/errors.h"
#include "simt/heap.h"
#include "simt/launch.h"
#include "simt/types.h"

/// Streams of a launch from a kernel: of no other launch's order; when all else that the grid asked for has ended.
#define cudaStreamFireAndForget ((cudaStream_t)0x4)
#define cudaStreamTailLaunch ((cudaStream_t)0x3)

namespace simt::device_runtime {

/// Out of the heap of malloc.
template <class type>
SIMT_DEVICE_INLINE cudaError_t allocate(type** memory, size_t bytes) {
    *memory = static_cast<type*>(heap_malloc(bytes));
    return *memory ? cudaSuccess : cudaErrorMemoryAllocation;
}
SIMT_DEVICE_INLINE cudaError_t give_back(void* memory) {
    heap_free(memory);
    return cudaSuccess;
}

/// Launches are done in the order in which they were asked for, whatever their streams.
SIMT_DEVICE_INLINE cudaError_t create_stream(cudaStream_t* stream, unsigned int) {
    *stream = nullptr;
    return cudaSuccess;
}
SIMT_DEVICE_INLINE cudaError_t destroy_stream(cudaStream_t) {
    return cudaSuccess;
}

inline constexpr unsigned COPYING_THREADS = 256;

inline void copy_bytes(unsigned char* to, const unsigned char* from, size_t bytes) {
    mark_kernel();
    for (size_t k = threadIdx.x; k < bytes; k += COPYING_THREADS)
        to[k] = from[k];
}
inline void set_bytes(unsigned char* to, unsigned char value, size_t bytes) {
    mark_kernel();
    for (size_t k = threadIdx.x; k < bytes; k += COPYING_THREADS)
        to[k] = value;
}

/// Kernels, as a GPU has it, which are launched as others are. Between places in device memory.
SIMT_DEVICE_INLINE cudaError_t copy(void* to, const void* from, size_t bytes, cudaMemcpyKind,
                                    cudaStream_t stream = nullptr) {
    const launch_config config(1, COPYING_THREADS, 0, stream);
    prepare(copy_bytes, config)(static_cast<unsigned char*>(to), static_cast<const unsigned char*>(from),
                                bytes);
    return cudaSuccess;
}
SIMT_DEVICE_INLINE cudaError_t set(void* to, int value, size_t bytes, cudaStream_t stream = nullptr) {
    const launch_config config(1, COPYING_THREADS, 0, stream);
    prepare(set_bytes, config)(static_cast<unsigned char*>(to), static_cast<unsigned char>(value), bytes);
    return cudaSuccess;
}

/// What is wrong with a launch is said when it is done, and is the host's last error.
SIMT_DEVICE_INLINE cudaError_t last_error() {
    return cudaSuccess;
}
SIMT_DEVICE_INLINE const char* text_of_error(cudaError_t error) {
    return ::cudaGetErrorString(error);
}
SIMT_DEVICE_INLINE const char* name_of_error(cudaError_t error) {
    return ::cudaGetErrorName(error);
}

}  // namespace simt::device_runtime
