// What the runtime's calls check of their arguments, in more than one file.
#pragma once
#include <cstddef>
#include <optional>

#include "simt/include/simt/errors.h"
#include "simt/include/simt/memory.h"
#include "simt/include/simt/types.h"

namespace simt {

/// cudaErrorInvalidDevice, with its explanation on stderr, for a device that is not there.
cudaError_t check_device(const char* call, int device);

/// cudaErrorInvalidResourceHandle, with its explanation on stderr, unless the stream, whose work `call` asks for, is one
/// of the current device's.
cudaError_t check_stream_is_ours(const char* call, cudaStream_t stream);

/// Flags of an event; none if there is no such event.
std::optional<unsigned int> flags_of_event(cudaEvent_t event);

/// True for the default stream and for one that was created and not destroyed.
bool is_stream(cudaStream_t stream);

/// cudaErrorInvalidResourceHandle, with its explanation on stderr.
cudaError_t refuse_stream(const char* call);

/// cudaMemcpy3D, and the same with an array on one side or both.
cudaError_t copy_3d(const char* call, const cudaMemcpy3DParms& asked);
cudaError_t copy_arrays_3d(const char* call, const cudaMemcpy3DParms& asked);

/// cudaErrorInvalidValue, with its explanation on stderr, unless these bytes are of one piece of managed memory.
cudaError_t check_managed_range(const char* call, const void* pointer, size_t bytes);

/// What cudaMalloc and cudaFree do, whatever is captured.
cudaError_t allocate_memory(const char* call, void** pointer, size_t bytes);
cudaError_t free_memory(const char* call, void* pointer);

/// Bytes of dynamic shared memory a launch of the kernel may ask for: what static shared memory leaves of 48
/// KB, or more after cudaFuncSetAttribute(cudaFuncAttributeMaxDynamicSharedMemorySize). Null, a kernel that
/// cannot be named, gets the largest limit that any kernel has.
size_t dynamic_shared_limit(const void* kernel);

/// Checks that all __constant__ variables together fit their 64 KB, which nvcc refuses when it compiles and
/// we can only when they are used. False: one line on stderr was printed.
bool constant_memory_fits();

}  // namespace simt
