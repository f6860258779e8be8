// Graphs' memory: its addresses in the device, and who has them.
#include "simt/runtime/graph_memory.h"

#include <map>
#include <mutex>

#include "simt/engine/error_state.h"
#include "simt/engine/far_device.h"
#include "simt/memory/allocations.h"
#include "simt/runtime/checks.h"
#include "simt/runtime/pool.h"

namespace simt {
namespace {

struct graph_memory_list {
    std::mutex mutex;
    std::map<void*, std::weak_ptr<graph_memory>> all;  // by their begin
};

graph_memory_list& reserved() {
    static auto* list = new graph_memory_list;  // never destroyed, see allocations.cpp
    return *list;
}

cudaError_t reserve_there(const char* call, void** begin, size_t bytes) {
    if (device_is_far()) return ask_device<reserve_there>(call, begin, bytes);
    *begin = reinterpret_cast<void*>(reserve(bytes));
    return *begin
               ? cudaSuccess
               : refuse(cudaErrorMemoryAllocation, "%s: %zu bytes do not fit the device memory", call, bytes);
}

cudaError_t come_back_there(void* begin) {
    if (device_is_far()) return ask_device<come_back_there>(begin);
    return come_back(reinterpret_cast<uintptr_t>(begin))
               ? cudaSuccess
               : refuse(cudaErrorMemoryAllocation, "a memory allocation node: its bytes do not fit now");
}

cudaError_t give_up_there(void* begin) {
    if (device_is_far()) return ask_device<give_up_there>(begin);
    give_up(reinterpret_cast<uintptr_t>(begin));
    return cudaSuccess;
}

}  // namespace

cudaError_t graph_memory::reserve(const char* call, size_t bytes, std::shared_ptr<graph_memory>& made) {
    void* begin = nullptr;
    if (bytes == 0) return refuse(cudaErrorInvalidValue, "%s: no bytes are asked for", call);
    if (const cudaError_t failed = reserve_there(call, &begin, bytes)) return failed;
    made.reset(new graph_memory(begin, bytes));
    const std::lock_guard lock(reserved().mutex);
    reserved().all[begin] = made;
    return cudaSuccess;
}

graph_memory::~graph_memory() {
    {
        const std::lock_guard lock(reserved().mutex);
        reserved().all.erase(begin_);
    }
    give_up_there(begin_);
}

cudaError_t graph_memory::allocate() const {
    if (const cudaError_t failed = come_back_there(begin_)) return failed;
    enter_graph_pool(begin_, bytes_);
    return cudaSuccess;
}

cudaError_t graph_memory::free() const {
    return free_memory("a memory free node", begin_);
}

std::shared_ptr<graph_memory> find_graph_memory(void* begin) {
    const std::lock_guard lock(reserved().mutex);
    const auto found = reserved().all.find(begin);
    return found == reserved().all.end() ? nullptr : found->second.lock();
}

}  // namespace simt
