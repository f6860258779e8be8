// Pools of memory, in the host's process: they count what is taken of them.
#include "simt/runtime/pool.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <mutex>

#include "simt/engine/error_state.h"
#include "simt/include/simt/pools.h"
#include "simt/runtime/capture.h"
#include "simt/runtime/checks.h"
#include "simt/runtime/graph_memory.h"
#include "simt/runtime/launch_in_flight.h"

namespace simt {
namespace {

struct pool_state {
    uint64_t used = 0, high_mark = 0, most = 0;  // bytes; most 0: no limit
    uint64_t release_threshold = 0;
    std::map<int, int> reuse;  // of the three attributes about it, those that were set
};

struct pool_piece {
    cudaMemPool_t pool;
    size_t bytes;
};

const auto DEFAULT_POOL = reinterpret_cast<cudaMemPool_t>(1);
const auto GRAPH_POOL = reinterpret_cast<cudaMemPool_t>(2);  // no call says its name

struct pool_list {
    std::mutex mutex;
    std::map<cudaMemPool_t, pool_state> pools{{DEFAULT_POOL, {}}, {GRAPH_POOL, {}}};
    std::map<void*, pool_piece> pieces;
    cudaMemPool_t current = DEFAULT_POOL;
    uintptr_t last_handle = 2;
};

pool_list& pools() {
    static auto* list = new pool_list;  // never destroyed, see allocations.cpp
    return *list;
}

/// One that a program may name.
pool_state* find_pool(cudaMemPool_t pool) {
    if (pool == GRAPH_POOL) return nullptr;
    const auto found = pools().pools.find(pool);
    return found == pools().pools.end() ? nullptr : &found->second;
}

cudaError_t refuse_pool(const char* call) {
    return refuse(cudaErrorInvalidValue,
                  "%s: there is no such pool (not created, or destroyed), or a null pointer", call);
}

void enter(pool_state& to, cudaMemPool_t name, void* begin, size_t bytes) {
    pools().pieces[begin] = {name, bytes};
    to.used += bytes;
    to.high_mark = std::max(to.high_mark, to.used);
}

/// In a captured stream it is a node of the graph.
cudaError_t take_in_capture(const char* call, void** pointer, size_t bytes, cudaStream_t stream) {
    if (!pointer) return refuse(cudaErrorInvalidValue, "%s: a null pointer for the result", call);
    std::shared_ptr<graph_memory> memory;
    if (const cudaError_t failed = graph_memory::reserve(call, bytes, memory)) return failed;
    *pointer = memory->begin();
    return on_stream(call, stream, allocation_node(memory));
}

cudaError_t take(const char* call, void** pointer, size_t bytes, cudaMemPool_t pool, cudaStream_t stream) {
    if (!is_stream(stream)) return refuse_stream(call);
    if (is_captured(stream)) return take_in_capture(call, pointer, bytes, stream);
    const std::lock_guard lock(pools().mutex);
    pool_state* from = find_pool(pool);
    if (!from) return refuse_pool(call);
    if (from->most != 0 && bytes > from->most - std::min(from->most, from->used))
        return refuse(cudaErrorMemoryAllocation, "%s: %zu bytes do not fit the pool", call, bytes);
    const cudaError_t error = allocate_memory(call, pointer, bytes);
    if (error != cudaSuccess || bytes == 0) return error;
    enter(*from, pool, *pointer, bytes);
    return error;
}

}  // namespace

void enter_graph_pool(void* begin, size_t bytes) {
    const std::lock_guard lock(pools().mutex);
    enter(pools().pools[GRAPH_POOL], GRAPH_POOL, begin, bytes);
}

bool is_in_graph_pool(void* begin) {
    const std::lock_guard lock(pools().mutex);
    const auto found = pools().pieces.find(begin);
    return found != pools().pieces.end() && found->second.pool == GRAPH_POOL;
}

void leave_pool(void* pointer) {
    const std::lock_guard lock(pools().mutex);
    const auto found = pools().pieces.find(pointer);
    if (found == pools().pieces.end()) return;
    const auto of = pools().pools.find(found->second.pool);  // it may have been destroyed
    if (of != pools().pools.end()) of->second.used -= found->second.bytes;
    pools().pieces.erase(found);
}

void empty_pools() {
    const std::lock_guard lock(pools().mutex);
    pools().pieces.clear();
    for (auto& [handle, pool] : pools().pools)
        pool.used = 0;
}

}  // namespace simt

using namespace simt;

extern "C" {

cudaError_t cudaMallocAsync(void** pointer, size_t bytes, cudaStream_t stream) {
    return take("cudaMallocAsync", pointer, bytes, pools().current, stream);
}

cudaError_t cudaMallocFromPoolAsync(void** pointer, size_t bytes, cudaMemPool_t pool, cudaStream_t stream) {
    return take("cudaMallocFromPoolAsync", pointer, bytes, pool, stream);
}

cudaError_t cudaFreeAsync(void* pointer, cudaStream_t stream) {
    const char* call = "cudaFreeAsync";
    if (!is_stream(stream)) return refuse_stream(call);
    if (!is_captured(stream)) return in_order(stream, true, [=] { return free_memory(call, pointer); });
    const std::shared_ptr<graph_memory> memory = find_graph_memory(pointer);
    if (!memory) return refuse_foreign_memory(call);
    return on_stream(call, stream, free_node(memory));
}

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int device) {
    if (const cudaError_t bad = check_device("cudaDeviceGetDefaultMemPool", device)) return bad;
    if (!pool) return refuse_pool("cudaDeviceGetDefaultMemPool");
    *pool = DEFAULT_POOL;
    return remember(cudaSuccess);
}

cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* pool, int device) {
    if (const cudaError_t bad = check_device("cudaDeviceGetMemPool", device)) return bad;
    if (!pool) return refuse_pool("cudaDeviceGetMemPool");
    const std::lock_guard lock(pools().mutex);
    *pool = pools().current;
    return remember(cudaSuccess);
}

cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool) {
    if (const cudaError_t bad = check_device("cudaDeviceSetMemPool", device)) return bad;
    const std::lock_guard lock(pools().mutex);
    if (!find_pool(pool)) return refuse_pool("cudaDeviceSetMemPool");
    pools().current = pool;
    return remember(cudaSuccess);
}

cudaError_t cudaMemPoolCreate(cudaMemPool_t* pool, const cudaMemPoolProps* properties) {
    const char* call = "cudaMemPoolCreate";
    if (!pool || !properties) return refuse_pool(call);
    if (properties->handleTypes != cudaMemHandleTypeNone)
        return refuse(cudaErrorNotSupported, "%s: the CPU backend shares no memory with other processes",
                      call);
    if (properties->allocType != cudaMemAllocationTypePinned ||
        properties->location.type != cudaMemLocationTypeDevice)
        return refuse(cudaErrorInvalidValue, "%s: a pool is of pinned memory on a device", call);
    if (const cudaError_t bad = check_device(call, properties->location.id)) return bad;
    const std::lock_guard lock(pools().mutex);
    *pool = reinterpret_cast<cudaMemPool_t>(++pools().last_handle);
    pools().pools[*pool].most = properties->maxSize;
    return remember(cudaSuccess);
}

cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool) {
    const std::lock_guard lock(pools().mutex);
    if (pool == DEFAULT_POOL || !find_pool(pool)) return refuse_pool("cudaMemPoolDestroy");
    pools().pools.erase(pool);
    if (pools().current == pool) pools().current = DEFAULT_POOL;
    return remember(cudaSuccess);
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t) {
    const std::lock_guard lock(pools().mutex);
    return find_pool(pool) ? remember(cudaSuccess) : refuse_pool("cudaMemPoolTrimTo");
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
    const char* call = "cudaMemPoolGetAttribute";
    const std::lock_guard lock(pools().mutex);
    const pool_state* found = find_pool(pool);
    if (!found || !value) return refuse_pool(call);
    auto* const bytes = static_cast<uint64_t*>(value);
    switch (attribute) {
        case cudaMemPoolReuseFollowEventDependencies:
        case cudaMemPoolReuseAllowOpportunistic:
        case cudaMemPoolReuseAllowInternalDependencies: {
            const auto set = found->reuse.find(attribute);
            *static_cast<int*>(value) = set == found->reuse.end() ? 1 : set->second;
            break;
        }
        case cudaMemPoolAttrReleaseThreshold:
            *bytes = found->release_threshold;
            break;
        case cudaMemPoolAttrReservedMemCurrent:
        case cudaMemPoolAttrUsedMemCurrent:
            *bytes = found->used;
            break;
        case cudaMemPoolAttrReservedMemHigh:
        case cudaMemPoolAttrUsedMemHigh:
            *bytes = found->high_mark;
            break;
        default:
            return refuse(cudaErrorInvalidValue, "%s: there is no attribute %d", call, int(attribute));
    }
    return remember(cudaSuccess);
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
    const char* call = "cudaMemPoolSetAttribute";
    const std::lock_guard lock(pools().mutex);
    pool_state* found = find_pool(pool);
    if (!found || !value) return refuse_pool(call);
    switch (attribute) {
        case cudaMemPoolReuseFollowEventDependencies:
        case cudaMemPoolReuseAllowOpportunistic:
        case cudaMemPoolReuseAllowInternalDependencies:
            found->reuse[attribute] = *static_cast<const int*>(value);
            return remember(cudaSuccess);
        case cudaMemPoolAttrReleaseThreshold:
            found->release_threshold = *static_cast<const uint64_t*>(value);
            return remember(cudaSuccess);
        case cudaMemPoolAttrReservedMemHigh:
        case cudaMemPoolAttrUsedMemHigh:
            if (*static_cast<const uint64_t*>(value) != 0) break;
            found->high_mark = found->used;
            return remember(cudaSuccess);
        default:
            break;
    }
    return refuse(cudaErrorInvalidValue, "%s: attribute %d cannot be set to this", call, int(attribute));
}

cudaError_t cudaDeviceGetGraphMemAttribute(int device, cudaGraphMemAttributeType attribute, void* value) {
    const char* call = "cudaDeviceGetGraphMemAttribute";
    if (const cudaError_t bad = check_device(call, device)) return bad;
    if (!value) return refuse(cudaErrorInvalidValue, "%s: a null pointer for the result", call);
    const std::lock_guard lock(pools().mutex);
    const pool_state& of = pools().pools[GRAPH_POOL];
    switch (attribute) {
        case cudaGraphMemAttrUsedMemCurrent:
        case cudaGraphMemAttrReservedMemCurrent:
            *static_cast<uint64_t*>(value) = of.used;
            return remember(cudaSuccess);
        case cudaGraphMemAttrUsedMemHigh:
        case cudaGraphMemAttrReservedMemHigh:
            *static_cast<uint64_t*>(value) = of.high_mark;
            return remember(cudaSuccess);
    }
    return refuse(cudaErrorInvalidValue, "%s: there is no attribute %d", call, int(attribute));
}

cudaError_t cudaDeviceSetGraphMemAttribute(int device, cudaGraphMemAttributeType attribute, void* value) {
    const char* call = "cudaDeviceSetGraphMemAttribute";
    if (const cudaError_t bad = check_device(call, device)) return bad;
    const bool is_mark =
        attribute == cudaGraphMemAttrUsedMemHigh || attribute == cudaGraphMemAttrReservedMemHigh;
    if (!is_mark || !value || *static_cast<const uint64_t*>(value) != 0)
        return refuse(cudaErrorInvalidValue, "%s: the high marks can be set, to 0", call);
    const std::lock_guard lock(pools().mutex);
    pool_state& of = pools().pools[GRAPH_POOL];
    of.high_mark = of.used;
    return remember(cudaSuccess);
}

cudaError_t cudaDeviceGraphMemTrim(int device) {
    const cudaError_t bad = check_device("cudaDeviceGraphMemTrim", device);
    return bad ? bad : remember(cudaSuccess);
}

cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const cudaMemAccessDesc* access, size_t count) {
    const char* call = "cudaMemPoolSetAccess";
    const std::lock_guard lock(pools().mutex);
    if (!find_pool(pool) || (!access && count > 0)) return refuse_pool(call);
    for (size_t i = 0; i < count; i++) {
        if (const cudaError_t bad = check_device(call, access[i].location.id)) return bad;
        if (access[i].flags != cudaMemAccessFlagsProtReadWrite)
            return refuse(cudaErrorInvalidValue, "%s: the pool's own device keeps its access", call);
    }
    return remember(cudaSuccess);
}

cudaError_t cudaMemPoolGetAccess(cudaMemAccessFlags* flags, cudaMemPool_t pool, cudaMemLocation* location) {
    const char* call = "cudaMemPoolGetAccess";
    const std::lock_guard lock(pools().mutex);
    if (!find_pool(pool) || !flags || !location) return refuse_pool(call);
    if (const cudaError_t bad = check_device(call, location->id)) return bad;
    *flags = cudaMemAccessFlagsProtReadWrite;
    return remember(cudaSuccess);
}

}  // extern "C"
