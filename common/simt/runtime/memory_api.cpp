// cudaMalloc and its relatives.
#include "simt/engine/devices.h"
#include "simt/engine/error_state.h"
#include "simt/engine/far_device.h"
#include "simt/engine/limits.h"
#include "simt/include/simt/memory.h"
#include "simt/memory/address_space.h"
#include "simt/memory/allocations.h"
#include "simt/memory/copy.h"
#include "simt/memory/heap.h"
#include "simt/runtime/capture.h"
#include "simt/runtime/checks.h"
#include "simt/runtime/host_order.h"
#include "simt/runtime/pool.h"

namespace simt {
namespace {

cudaError_t allocate_rows(const char* call, void** pointer, size_t bytes, size_t row_bytes, size_t pitch) {
    if (const cudaError_t failed = device_error()) return failed;
    if (bytes == 0) {
        *pointer = nullptr;
        return cudaSuccess;
    }
    if (device_is_far()) return ask_device<allocate_rows>(call, pointer, bytes, row_bytes, pitch);
    const uintptr_t begin = allocate(bytes, row_bytes, pitch);
    if (begin == 0) {
        const memory_info left = device_memory_info();
        return refuse(cudaErrorMemoryAllocation,
                      "%s: %zu bytes do not fit: %zu of %zu MB device memory are left", call, bytes,
                      left.free >> 20, left.total >> 20);
    }
    *pointer = reinterpret_cast<void*>(begin);
    return done(call);
}

/// Rows of `width` bytes, the pitch rounded up as the real runtime does.
cudaError_t allocate_pitched(const char* call, void** pointer, size_t* pitch, size_t width, size_t rows) {
    if (!pointer || !pitch) return refuse(cudaErrorInvalidValue, "%s: a null pointer for the result", call);
    size_t rounded = (width + PITCH_ALIGNMENT - 1) / PITCH_ALIGNMENT * PITCH_ALIGNMENT;
    size_t bytes = 0;
    // A row that fills its pitch would run into the next one unseen.
    if (the_observer && rounded == width) rounded += PITCH_ALIGNMENT;
    if (rounded < width || __builtin_mul_overflow(rounded, rows, &bytes)) {
        return refuse(cudaErrorMemoryAllocation, "%s: %zu rows of %zu bytes do not fit", call, rows, width);
    }
    *pitch = rounded;
    return allocate_rows(call, pointer, bytes, width, rounded);
}

cudaError_t free_there(const char* call, void* pointer) {
    if (device_is_far()) return ask_device<free_there>(call, pointer);
    if (const cudaError_t failed = sticky_error()) return failed;
    const bool is_heap = is_in_heap(reinterpret_cast<uintptr_t>(pointer));
    const memory_space space = memory_space_of(pointer);
    allocation live;
    if (find_live(reinterpret_cast<uintptr_t>(pointer), live) && live.is_foreign)
        return refuse(cudaErrorInvalidValue,
                      "%s: memory of another process, which cudaIpcCloseMemHandle() closes", call);
    const bool may_be_freed = space == memory_space::device && !is_heap;
    if (!pointer || (may_be_freed && release(reinterpret_cast<uintptr_t>(pointer)))) return cudaSuccess;
    if (space != memory_space::device) {
        return refuse(cudaErrorInvalidValue, "%s: the pointer is %s, which cudaMalloc did not allocate", call,
                      name_of(space));
    }
    const uintptr_t address = reinterpret_cast<uintptr_t>(pointer);
    if (is_in_heap(address)) {
        return refuse(cudaErrorInvalidValue,
                      "%s: a kernel got this memory by malloc or new; only a kernel can free it", call);
    }
    const allocation* near = allocation_near(address);
    if (near && near->begin == address) {
        return refuse(cudaErrorInvalidValue, "%s: this memory has been freed before", call);
    }
    return refuse(cudaErrorInvalidValue, "%s: the pointer is not the start of an allocation", call);
}

}  // namespace

cudaError_t allocate_memory(const char* call, void** pointer, size_t bytes) {
    if (!pointer) return refuse(cudaErrorInvalidValue, "%s: a null pointer for the result", call);
    return allocate_rows(call, pointer, bytes, 0, 0);
}

cudaError_t free_memory(const char* call, void* pointer) {
    leave_pool(pointer);
    return free_there(call, pointer);
}

}  // namespace simt

using namespace simt;

extern "C" {

cudaError_t cudaMalloc(void** pointer, size_t bytes) {
    if (const cudaError_t bad = refuse_in_capture("cudaMalloc")) return bad;
    return allocate_memory("cudaMalloc", pointer, bytes);
}

cudaError_t cudaMallocPitch(void** pointer, size_t* pitch, size_t width, size_t height) {
    return allocate_pitched("cudaMallocPitch", pointer, pitch, width, height);
}

cudaError_t cudaMalloc3D(cudaPitchedPtr* pitched, cudaExtent extent) {
    if (!pitched) return refuse(cudaErrorInvalidValue, "cudaMalloc3D: a null pointer for the result");
    const size_t rows = extent.height * extent.depth;
    pitched->xsize = extent.width;
    pitched->ysize = extent.height;
    return allocate_pitched("cudaMalloc3D", &pitched->ptr, &pitched->pitch, extent.width, rows);
}

cudaError_t cudaFree(void* pointer) {
    if (const cudaError_t bad = refuse_in_capture("cudaFree")) return bad;
    wait_as_told({stream_step::kind::host_waits_for_all, 0, 0, true, 0, current_device()});
    return free_memory("cudaFree", pointer);
}

cudaError_t cudaMemGetInfo(size_t* free, size_t* total) {
    if (!free || !total)
        return refuse(cudaErrorInvalidValue, "cudaMemGetInfo: a null pointer for the result");
    if (device_is_far()) return look_at_device<cudaMemGetInfo>(free, total);
    const memory_info info = device_memory_info();
    *free = info.free;
    *total = info.total;
    return remember(cudaSuccess);
}

}  // extern "C"
