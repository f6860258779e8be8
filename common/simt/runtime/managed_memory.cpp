// Managed memory: one address for host and device. Nothing has to move; where the memory shall be is only taken note of.
#include "simt/engine/error_state.h"
#include "simt/engine/far_device.h"
#include "simt/include/simt/memory.h"
#include "simt/memory/address_space.h"
#include "simt/memory/allocations.h"
#include "simt/runtime/checks.h"
#include "simt/runtime/managed_advice.h"

namespace simt {
namespace {

bool is_managed(const void* pointer, size_t bytes) {
    const memory_space space = memory_space_of(pointer);
    const bool may_be = space == memory_space::managed_variable ||
                        (space == memory_space::device && use_of(pointer) == memory_use::managed);
    return may_be && bytes <= device_bytes_from(pointer);
}

cudaError_t check_place(const char* call, cudaMemLocation place) {
    switch (place.type) {
        case cudaMemLocationTypeDevice:
            return check_device(call, place.id);
        case cudaMemLocationTypeHost:
        case cudaMemLocationTypeHostNuma:
        case cudaMemLocationTypeHostNumaCurrent:
            return cudaSuccess;
        case cudaMemLocationTypeInvalid:
            break;
    }
    return refuse(cudaErrorInvalidValue, "%s: there is no kind of place %d", call, int(place.type));
}

void follow(cudaMemoryAdvise advice, cudaMemLocation place, managed_advice& all) {
    const int device = place.type == cudaMemLocationTypeDevice ? place.id : cudaCpuDeviceId;
    switch (advice) {
        case cudaMemAdviseSetReadMostly:
        case cudaMemAdviseUnsetReadMostly:
            all.is_read_mostly = advice == cudaMemAdviseSetReadMostly;
            break;
        case cudaMemAdviseSetPreferredLocation:
            all.preferred = place;
            break;
        case cudaMemAdviseUnsetPreferredLocation:
            all.preferred = NOWHERE;
            break;
        case cudaMemAdviseSetAccessedBy:
            all.accessed_by.insert(device);
            break;
        case cudaMemAdviseUnsetAccessedBy:
            all.accessed_by.erase(device);
            break;
    }
}

cudaMemLocation place_of(int device) {
    return device == cudaCpuDeviceId ? cudaMemLocation{cudaMemLocationTypeHost, 0}
                                     : cudaMemLocation{cudaMemLocationTypeDevice, device};
}

}  // namespace

cudaError_t check_managed_range(const char* call, const void* pointer, size_t bytes) {
    if (const cudaError_t failed = sticky_error()) return failed;
    if (bytes == 0) return refuse(cudaErrorInvalidValue, "%s: 0 bytes", call);
    if (is_managed(pointer, bytes)) return cudaSuccess;
    return refuse(cudaErrorInvalidValue, "%s: these %zu bytes are not all of one piece of managed memory",
                  call, bytes);
}

cudaError_t allocate_managed(void** pointer, size_t bytes, unsigned int flags) {
    const char* call = "cudaMallocManaged";
    if (const cudaError_t failed = sticky_error()) return failed;
    if (!pointer) return refuse(cudaErrorInvalidValue, "%s: a null pointer for the result", call);
    if (bytes == 0) return refuse(cudaErrorInvalidValue, "%s: 0 bytes", call);
    if (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost)
        return refuse(cudaErrorInvalidValue, "%s: flags are cudaMemAttachGlobal or cudaMemAttachHost", call);
    if (device_is_far()) {
        return refuse(
            cudaErrorNotSupported,
            "%s: a lab's host and device are two processes, which share no memory; use cudaMalloc and "
            "cudaMemcpy",
            call);
    }
    const uintptr_t begin = allocate_for_host(bytes, memory_use::managed);
    if (begin == 0) return refuse(cudaErrorMemoryAllocation, "%s: %zu bytes do not fit", call, bytes);
    *pointer = reinterpret_cast<void*>(begin);
    advise(*pointer, bytes, [](managed_advice& all) { all = {}; });
    return done(call);
}

}  // namespace simt

using namespace simt;

cudaError_t cudaMemPrefetchAsync(const void* pointer, size_t bytes, cudaMemLocation place, unsigned int flags,
                                 cudaStream_t stream) {
    const char* call = "cudaMemPrefetchAsync";
    if (!is_stream(stream)) return refuse_stream(call);
    if (flags != 0) return refuse(cudaErrorInvalidValue, "%s: flags must be 0", call);
    if (const cudaError_t bad = check_place(call, place)) return bad;
    if (const cudaError_t bad = check_managed_range(call, pointer, bytes)) return bad;
    advise(pointer, bytes, [&](managed_advice& all) { all.prefetched = place; });
    return done(call);
}

cudaError_t cudaMemPrefetchAsync(const void* pointer, size_t bytes, int device, cudaStream_t stream) {
    return cudaMemPrefetchAsync(pointer, bytes, place_of(device), 0, stream);
}

cudaError_t cudaMemAdvise(const void* pointer, size_t bytes, cudaMemoryAdvise advice, cudaMemLocation place) {
    const char* call = "cudaMemAdvise";
    if (advice < cudaMemAdviseSetReadMostly || advice > cudaMemAdviseUnsetAccessedBy)
        return refuse(cudaErrorInvalidValue, "%s: there is no advice %d", call, int(advice));
    // Of these two, advice is the same for all places.
    const bool has_place = advice != cudaMemAdviseSetReadMostly && advice != cudaMemAdviseUnsetReadMostly &&
                           advice != cudaMemAdviseUnsetPreferredLocation;
    if (has_place) {
        if (const cudaError_t bad = check_place(call, place)) return bad;
    }
    if (const cudaError_t bad = check_managed_range(call, pointer, bytes)) return bad;
    advise(pointer, bytes, [&](managed_advice& all) { follow(advice, place, all); });
    return done(call);
}

cudaError_t cudaMemAdvise(const void* pointer, size_t bytes, cudaMemoryAdvise advice, int device) {
    return cudaMemAdvise(pointer, bytes, advice, place_of(device));
}

extern "C" cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void* pointer, size_t bytes,
                                                unsigned int flags) {
    const char* call = "cudaStreamAttachMemAsync";
    if (!is_stream(stream)) return refuse_stream(call);
    if (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost && flags != cudaMemAttachSingle)
        return refuse(cudaErrorInvalidValue, "%s: there are no flags %u", call, flags);
    if (flags == cudaMemAttachSingle && stream == nullptr)
        return refuse(cudaErrorInvalidValue, "%s: nothing is attached to the default stream alone", call);
    // 0 bytes are all of it.
    if (const cudaError_t bad = check_managed_range(call, pointer, bytes == 0 ? 1 : bytes)) return bad;
    return done(call);
}
