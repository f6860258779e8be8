// Closes what a kernel's device does not reach.
#include "simt/memory/peers.h"

#include <atomic>
#include <cstdint>

#include "simt/engine/devices.h"
#include "simt/memory/allocations.h"
#include "simt/memory/arena.h"

namespace simt {
namespace {

constexpr int NONE = -1;
std::atomic<int> running_device = NONE;  // threads that run blocks ask no device for anything

bool is_reached(const allocation& memory) {
    return memory.use != memory_use::device || memory.is_heap || reaches(running_device, memory.device);
}

}  // namespace

peers_closed::peers_closed(int device) {
    if (device_count() == 1) return;
    running_device = device;
    // At once what has nothing between it that is reached: each piece of its own makes opening and closing slower.
    uintptr_t begin = 0, end = 0;
    const auto close = [&] {
        if (begin < end) close_to_kernels(begin, end - begin);
        begin = end = 0;
    };
    for_each_live([&](const allocation& memory) {
        if (is_reached(memory)) return close();
        if (begin == 0) begin = memory.begin;
        end = memory.begin + memory.bytes;
    });
    close();
}

peers_closed::~peers_closed() {
    running_device = NONE;
}

std::string why_not_reached(uintptr_t address) {
    allocation memory;
    if (running_device == NONE || !find_live(address, memory) || is_reached(memory)) return "";
    const std::string other = std::to_string(memory.device), own = std::to_string(running_device);
    return "device " + own + " does not reach the memory of device " + other +
           ": that has to be copied (cudaMemcpyPeerAsync), or enabled by cudaDeviceEnablePeerAccess(" +
           other + ", 0) while device " + own + " is the current one";
}

}  // namespace simt
