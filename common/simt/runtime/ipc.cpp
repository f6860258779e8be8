// Memory and events that processes share: a handle of memory names the file that a process's device memory is, and a
// piece of it.
#include "simt/include/simt/ipc.h"

#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <mutex>
#include <optional>
#include <tuple>

#include "simt/engine/error_state.h"
#include "simt/engine/far_device.h"
#include "simt/engine/observer.h"
#include "simt/include/simt/stream.h"
#include "simt/memory/address_space.h"
#include "simt/memory/allocations.h"
#include "simt/memory/arena.h"
#include "simt/runtime/capture.h"
#include "simt/runtime/checks.h"

namespace simt {
namespace {

/// What handles hold.
struct named_memory {
    char mark[8] = "memory";
    size_t bytes = 0;  // of the allocation
    shared_piece piece;
};
struct named_event {
    char mark[8] = "event";
    int process = 0;
};

/// The content of a handle, if it is one of those that this file makes.
template <class content, class handle>
bool read_handle(content& read, const handle& from) {
    static_assert(sizeof(content) <= sizeof from.reserved);
    const content made;
    std::memcpy(&read, from.reserved, sizeof read);
    return std::memcmp(read.mark, made.mark, sizeof made.mark) == 0;
}

template <class content, class handle>
void write_handle(handle& to, const content& written) {
    to = {};
    std::memcpy(to.reserved, &written, sizeof written);
}

/// Memory of other processes that is open here.
struct open_memory {
    uintptr_t begin = 0;
    int times = 0;
};
using memory_key = std::tuple<int, uint64_t, size_t>;
std::mutex open_mutex;

std::map<memory_key, open_memory>& open_here() {
    static auto* table = new std::map<memory_key, open_memory>;  // never destroyed, see allocations.cpp
    return *table;
}

/// False if cudaDeviceReset() has closed it.
bool is_still_open(const open_memory& memory) {
    allocation live;
    return find_live(memory.begin, live) && live.is_foreign;
}

cudaError_t refuse_far(const char* call) {
    return refuse(cudaErrorNotSupported, "%s: the device is a process of its own here, and shares nothing",
                  call);
}

cudaError_t refuse_own(const char* call) {
    return refuse(cudaErrorDeviceUninitialized,
                  "%s: the handle is of this process, and for others: use the pointer or the event itself",
                  call);
}

}  // namespace
}  // namespace simt

using namespace simt;

extern "C" {

cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t* handle, void* pointer) {
    if (!handle) return refuse(cudaErrorInvalidValue, "cudaIpcGetMemHandle: a null pointer for the result");
    if (device_is_far()) return refuse_far("cudaIpcGetMemHandle");
    allocation shared;
    if (!find_live(reinterpret_cast<uintptr_t>(pointer), shared) || shared.is_heap || shared.is_foreign ||
        shared.use != memory_use::device)
        return refuse(
            cudaErrorInvalidValue,
            "cudaIpcGetMemHandle: the pointer is of no memory that cudaMalloc has given this process");
    named_memory named;
    named.bytes = shared.bytes;
    named.piece = piece_at(shared.begin);
    write_handle(*handle, named);
    if (the_observer) the_observer->host_wrote(shared.begin, shared.bytes);  // others write it unseen
    return remember(cudaSuccess);
}

cudaError_t cudaIpcOpenMemHandle(void** pointer, cudaIpcMemHandle_t handle, unsigned int flags) {
    if (const cudaError_t bad = refuse_in_capture("cudaIpcOpenMemHandle")) return bad;
    if (!pointer) return refuse(cudaErrorInvalidValue, "cudaIpcOpenMemHandle: a null pointer for the result");
    if (flags != cudaIpcMemLazyEnablePeerAccess)
        return refuse(cudaErrorInvalidValue,
                      "cudaIpcOpenMemHandle: flags %u, cudaIpcMemLazyEnablePeerAccess is the only one",
                      flags);
    if (device_is_far()) return refuse_far("cudaIpcOpenMemHandle");
    named_memory named;
    if (!read_handle(named, handle))
        return refuse(cudaErrorInvalidResourceHandle,
                      "cudaIpcOpenMemHandle: this is no handle of cudaIpcGetMemHandle()");
    if (named.piece.process == getpid()) return refuse_own("cudaIpcOpenMemHandle");
    const std::lock_guard lock(open_mutex);
    std::erase_if(open_here(), [](const auto& one) { return !is_still_open(one.second); });
    const memory_key key{named.piece.process, named.piece.inode, named.piece.offset};
    if (open_here().count(key) == 0) {
        const uintptr_t begin = take_in(named.piece, named.bytes);
        if (begin == 0)
            return refuse(cudaErrorMapBufferObjectFailed,
                          "cudaIpcOpenMemHandle: %zu bytes of process %d cannot be opened: has it ended?",
                          named.bytes, named.piece.process);
        open_here()[key].begin = begin;
    }
    open_memory& open = open_here()[key];
    open.times++;
    *pointer = reinterpret_cast<void*>(open.begin);
    return remember(cudaSuccess);
}

cudaError_t cudaIpcCloseMemHandle(void* pointer) {
    if (const cudaError_t bad = refuse_in_capture("cudaIpcCloseMemHandle")) return bad;
    const std::lock_guard lock(open_mutex);
    const auto found = std::find_if(open_here().begin(), open_here().end(), [&](const auto& one) {
        return one.second.begin == reinterpret_cast<uintptr_t>(pointer) && is_still_open(one.second);
    });
    if (found == open_here().end())
        return refuse(cudaErrorInvalidValue, "cudaIpcCloseMemHandle: the pointer is of no open memory");
    if (--found->second.times == 0) {
        release(found->second.begin);
        open_here().erase(found);
    }
    return remember(cudaSuccess);
}

cudaError_t cudaIpcGetEventHandle(cudaIpcEventHandle_t* handle, cudaEvent_t event) {
    if (!handle) return refuse(cudaErrorInvalidValue, "cudaIpcGetEventHandle: a null pointer for the result");
    const std::optional<unsigned int> flags = flags_of_event(event);
    if (!flags || !(*flags & cudaEventInterprocess))
        return refuse(cudaErrorInvalidResourceHandle,
                      "cudaIpcGetEventHandle: no event that was made with cudaEventInterprocess");
    named_event named;
    named.process = getpid();
    write_handle(*handle, named);
    return remember(cudaSuccess);
}

cudaError_t cudaIpcOpenEventHandle(cudaEvent_t* event, cudaIpcEventHandle_t handle) {
    if (!event) return refuse(cudaErrorInvalidValue, "cudaIpcOpenEventHandle: a null pointer for the result");
    named_event named;
    if (!read_handle(named, handle))
        return refuse(cudaErrorInvalidResourceHandle,
                      "cudaIpcOpenEventHandle: this is no handle of cudaIpcGetEventHandle()");
    if (named.process == getpid()) return refuse_own("cudaIpcOpenEventHandle");
    return cudaEventCreateWithFlags(event, cudaEventInterprocess | cudaEventDisableTiming);
}

}  // extern "C"
