// Keeps the named host ranges of the call in progress.
#include "simt/memory/labels.h"

#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "simt/engine/observer.h"
#include "simt/memory/allocations.h"

namespace simt {
namespace {

struct host_range {
    uintptr_t begin = 0, end = 0;
    std::string label;
};

struct range_list {
    std::mutex mutex;
    std::vector<host_range> ranges;
};

range_list& named_ranges() {
    static auto* list = new range_list;  // never destroyed, see allocations.cpp
    return *list;
}

/// The range that contains the address, without its bytes if there is none.
host_range range_at(uintptr_t address) {
    range_list& list = named_ranges();
    const std::lock_guard lock(list.mutex);
    for (const host_range& range : list.ranges) {
        if (address >= range.begin && address < range.end) return range;
    }
    return {};
}

}  // namespace

void label_host_range(const void* begin, size_t bytes, std::string label) {
    range_list& list = named_ranges();
    const std::lock_guard lock(list.mutex);
    const uintptr_t address = reinterpret_cast<uintptr_t>(begin);
    list.ranges.push_back({address, address + bytes, std::move(label)});
}

void forget_host_ranges() {
    range_list& list = named_ranges();
    const std::lock_guard lock(list.mutex);
    list.ranges.clear();
}

void label_copy(uintptr_t device_address, uintptr_t host_address) {
    const std::string label = range_at(host_address).label;
    if (!label.empty()) label_allocation(device_address, label);
}

size_t named_bytes_from(const void* host_address, std::string& name) {
    const uintptr_t address = reinterpret_cast<uintptr_t>(host_address);
    const host_range range = range_at(address);
    if (range.begin == range.end) return SIZE_MAX;
    name = range.label;
    return range.end - address;
}

}  // namespace simt
