// Page-locked host memory. It lies where managed memory does, and is the host's to copies and to the inspector.
#include <sys/mman.h>

#include <cstring>
#include <map>
#include <mutex>

#include "simt/engine/devices.h"
#include "simt/engine/error_state.h"
#include "simt/engine/far_device.h"
#include "simt/engine/observer.h"
#include "simt/engine/unwritten.h"
#include "simt/include/simt/memory.h"
#include "simt/memory/address_space.h"
#include "simt/memory/allocations.h"
#include "simt/runtime/host_order.h"

namespace simt {
namespace {

struct host_block {
    size_t bytes = 0;
    unsigned int flags = 0;
    bool registered = false;  // by cudaHostRegister: not ours to free
};

struct host_block_list {
    std::mutex mutex;
    std::map<uintptr_t, host_block> blocks;  // by their begin
};

host_block_list& host_blocks() {
    static auto* list = new host_block_list;  // never destroyed, see allocations.cpp
    return *list;
}

uintptr_t number(const void* address) {
    return reinterpret_cast<uintptr_t>(address);
}

/// The page-locked block that contains the address, or null. The list must be locked.
const host_block* block_at(const void* address) {
    const auto& blocks = host_blocks().blocks;
    const auto above = blocks.upper_bound(number(address));
    if (above == blocks.begin()) return nullptr;
    const auto& [begin, block] = *std::prev(above);
    return number(address) < begin + block.bytes ? &block : nullptr;
}

}  // namespace

bool is_page_locked(const void* begin, size_t bytes) {
    const std::lock_guard lock(host_blocks().mutex);
    const host_block* block = block_at(begin);
    return block && block == block_at(static_cast<const char*>(begin) + bytes - 1);
}

size_t live_host_pieces() {
    const std::lock_guard lock(host_blocks().mutex);
    return host_blocks().blocks.size();
}

void unlock_host_range(const void* begin, size_t bytes) {
    const std::lock_guard lock(host_blocks().mutex);
    std::erase_if(host_blocks().blocks, [&](const auto& one) {
        const auto& [at, block] = one;
        return block.registered && at < number(begin) + bytes && number(begin) < at + block.bytes;
    });
}

namespace {

/// Where kernels can use it, if host and device are one process; null if it does not fit. Page-locked memory that
/// nobody wrote holds what the device's does.
void* take_pages(size_t bytes) {
    if (!device_is_far()) return reinterpret_cast<void*>(allocate_for_host(bytes, memory_use::host));
    void* pages = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED) return nullptr;
    std::memset(pages, unwritten_byte(), bytes);
    return pages;
}

void give_back_pages(void* pages, size_t bytes) {
    if (!device_is_far())
        release(number(pages));
    else
        munmap(pages, bytes);
}

}  // namespace

}  // namespace simt

using namespace simt;

extern "C" {

cudaError_t cudaHostAlloc(void** pointer, size_t bytes, unsigned int flags) {
    if (const cudaError_t failed = sticky_error()) return failed;
    if (!pointer) return refuse(cudaErrorInvalidValue, "cudaHostAlloc: a null pointer for the result");
    *pointer = nullptr;
    if (bytes == 0) return cudaSuccess;
    void* pages = take_pages(bytes);
    if (!pages) return refuse(cudaErrorMemoryAllocation, "cudaHostAlloc: %zu bytes do not fit", bytes);
    const std::lock_guard lock(host_blocks().mutex);
    host_blocks().blocks[number(pages)] = {bytes, flags, false};
    *pointer = pages;
    take_step({stream_step::kind::locked, 0, 0, true, bytes});
    return remember(cudaSuccess);
}

cudaError_t cudaFreeHost(void* pointer) {
    if (const cudaError_t failed = sticky_error()) return failed;
    if (!pointer) return cudaSuccess;
    wait_as_told({stream_step::kind::host_waits_for_all, 0, 0, true, 0, current_device()});
    const std::lock_guard lock(host_blocks().mutex);
    auto& blocks = host_blocks().blocks;
    const auto found = blocks.find(number(pointer));
    if (found == blocks.end() || found->second.registered) {
        return refuse(cudaErrorInvalidValue,
                      "cudaFreeHost: the pointer is not from cudaMallocHost (or has been freed before)");
    }
    give_back_pages(pointer, found->second.bytes);
    blocks.erase(found);
    return remember(cudaSuccess);
}

cudaError_t cudaHostRegister(void* pointer, size_t bytes, unsigned int flags) {
    if (!pointer || bytes == 0) return refuse(cudaErrorInvalidValue, "cudaHostRegister: nothing to register");
    const std::lock_guard lock(host_blocks().mutex);
    if (block_at(pointer)) {
        return refuse(cudaErrorHostMemoryAlreadyRegistered,
                      "cudaHostRegister: this memory is registered already");
    }
    host_blocks().blocks[number(pointer)] = {bytes, flags, true};
    return remember(cudaSuccess);
}

cudaError_t cudaHostUnregister(void* pointer) {
    wait_as_told({stream_step::kind::host_waits_for_all, 0, 0, true, 0, current_device()});
    const std::lock_guard lock(host_blocks().mutex);
    auto& blocks = host_blocks().blocks;
    const auto found = blocks.find(number(pointer));
    if (found == blocks.end() || !found->second.registered) {
        return refuse(cudaErrorHostMemoryNotRegistered, "cudaHostUnregister: this memory is not registered");
    }
    blocks.erase(found);
    return remember(cudaSuccess);
}

cudaError_t cudaHostGetDevicePointer(void** device, void* host, unsigned int flags) {
    const char* call = "cudaHostGetDevicePointer";
    if (!device) return refuse(cudaErrorInvalidValue, "%s: a null pointer for the result", call);
    *device = nullptr;
    if (flags != 0) return refuse(cudaErrorInvalidValue, "%s: flags must be 0", call);
    if (device_is_far())
        return refuse(cudaErrorNotSupported, "%s: kernels of a lab cannot use host memory; copy it", call);
    const std::lock_guard lock(host_blocks().mutex);
    const host_block* block = block_at(host);
    if (!block) return refuse(cudaErrorInvalidValue, "%s: not page-locked memory", call);
    if (block->registered && the_observer) {
        return refuse(cudaErrorNotSupported,
                      "%s: the inspector cannot follow memory of cudaHostRegister; use cudaHostAlloc", call);
    }
    *device = host;
    return remember(cudaSuccess);
}

cudaError_t cudaHostGetFlags(unsigned int* flags, void* host) {
    const std::lock_guard lock(host_blocks().mutex);
    const host_block* block = block_at(host);
    if (!block || !flags) return refuse(cudaErrorInvalidValue, "cudaHostGetFlags: not page-locked memory");
    *flags = block->flags;
    return remember(cudaSuccess);
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer) {
    if (!attributes)
        return refuse(cudaErrorInvalidValue, "cudaPointerGetAttributes: a null pointer for the result");
    void* address = const_cast<void*>(pointer);
    *attributes = {cudaMemoryTypeUnregistered, -2, nullptr, address};
    if (is_on_device(pointer)) {
        const bool allocated = device_bytes_from(pointer) > 0;
        const bool is_managed = memory_space_of(pointer) == memory_space::managed_variable ||
                                use_of(pointer) == memory_use::managed;
        if (allocated && is_managed)
            *attributes = {cudaMemoryTypeManaged, 0, address, address};
        else if (allocated)
            *attributes = {cudaMemoryTypeDevice, 0, address, nullptr};
        return remember(cudaSuccess);
    }
    const std::lock_guard lock(host_blocks().mutex);
    if (block_at(pointer))
        *attributes = {cudaMemoryTypeHost, 0, device_is_far() ? nullptr : address, address};
    return remember(cudaSuccess);
}

}  // extern "C"
