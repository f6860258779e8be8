// Places allocations in the reserved range, keeps freed ones out of use for long,
// and finds the one at an address.
#include "simt/memory/allocations.h"

#include <algorithm>
#include <cstring>
#include <deque>
#include <map>
#include <mutex>
#include <shared_mutex>
#include <utility>
#include <vector>

#include "simt/engine/devices.h"
#include "simt/engine/unwritten.h"
#include "simt/memory/labels.h"
#include "simt/memory/managed_guard.h"

namespace simt {
namespace {

// Freed memory keeps what unwritten memory holds in its pages, to be met by kernels that use it after it was freed, up to this many
// bytes; beyond, the pages of the longest freed go back to the system.
constexpr size_t FREED_BYTES_KEPT = size_t(64) << 20;
// Addresses of freed memory are used again when there are both more bytes and more allocations of them than
// this: so far does a stray pointer to freed memory meet no other allocation. Page tables of every address
// ever used make launches slow.
constexpr size_t FREED_ADDRESSES_KEPT = size_t(256) << 20;
constexpr size_t FREED_ALLOCATIONS_KEPT = 64;
// Asking how much memory is left costs more than a small allocation.
constexpr size_t LARGE_ALLOCATION = size_t(16) << 20;

/// Addresses that an allocation takes, its guard included.
size_t extent_of(size_t bytes) {
    return whole_chunks(bytes) + GUARD_BYTES;
}

bool takes_device_memory(const allocation& one) {
    return !one.is_heap && !one.is_foreign && one.use != memory_use::host;
}

struct device_memory {
    std::shared_mutex mutex;
    std::map<uintptr_t, allocation> allocations;  // live and freed, by their begin
    std::map<uintptr_t, uintptr_t> unused;        // ranges of addresses: begin -> end; neighbours are merged
    std::deque<uintptr_t> freed;                  // begins of freed allocations, the longest freed first
    size_t freed_with_pages = 0;                  // how many of them, from the back, still have their pages
    size_t freed_bytes_kept = 0;
    size_t freed_addresses = 0;  // bytes of addresses of all freed allocations
    size_t live_bytes = 0;       // as many as were asked for
    size_t array_bytes = 0;
    uint32_t last_serial = 0;
};

/// Where the first allocation begins. A guard comes before it; in a program of cucc as much more as lies below a program's
/// memory on a GPU, where NVIDIA's simpleAttributes reads 17 MB before its arrays, and goes on.
uintptr_t first_address() {
    return device_begin + (is_own_program() ? (device_end - device_begin) / 64 : GUARD_BYTES);
}

// Never destroyed: kernels and destructors of other objects may come later than any destructor here.
device_memory& memory() {
    static device_memory* instance = [] {
        auto* created = new device_memory;
        if (reserve_device_memory()) {
            const uintptr_t first = first_address();
            std::memset(host_view(first - GUARD_BYTES), unwritten_byte(), GUARD_BYTES);
            created->unused[first] = device_end;
        }
        return created;
    }();
    return *instance;
}

void add_unused(device_memory& device, uintptr_t begin, uintptr_t end) {
    auto next = device.unused.lower_bound(begin);
    if (next != device.unused.begin()) {
        const auto previous = std::prev(next);
        if (previous->second == begin) {
            begin = previous->first;
            device.unused.erase(previous);
        }
    }
    if (next != device.unused.end() && next->first == end) {
        end = next->second;
        device.unused.erase(next);
    }
    device.unused[begin] = end;
}

void release_pages_of(device_memory& device, uintptr_t begin) {
    const size_t extent = extent_of(device.allocations.at(begin).bytes);
    release_pages(begin, extent);
    device.freed_bytes_kept -= extent;
    device.freed_with_pages--;
}

/// Makes the addresses of the longest freed allocation usable again and forgets it. False if there is none.
bool recycle_longest_freed(device_memory& device) {
    if (device.freed.empty()) return false;
    const uintptr_t begin = device.freed.front();
    if (device.freed_with_pages == device.freed.size()) release_pages_of(device, begin);
    device.freed.pop_front();
    const size_t extent = extent_of(device.allocations.at(begin).bytes);
    device.freed_addresses -= extent;
    add_unused(device, begin, begin + extent);
    device.allocations.erase(begin);
    return true;
}

/// Addresses where memory of this use may lie. Where device memory has grown into the upper half, there is no other.
std::pair<uintptr_t, uintptr_t> addresses_for(device_memory& device, memory_use use) {
    if (use == memory_use::device) return {device_begin, managed_begin()};
    const bool is_free = !device.unused.empty() && device.unused.rbegin()->second == device_end &&
                         device.unused.rbegin()->first < device_begin + (device_end - device_begin) / 2;
    if (managed_begin() == device_end && !is_free) return {0, 0};
    return {open_managed_memory(), device_end};
}

/// Takes addresses from the lowest unused range that is large enough. 0 if there is none.
uintptr_t take_addresses(device_memory& device, size_t extent, memory_use use) {
    const auto [low, high] = addresses_for(device, use);
    for (auto range = device.unused.begin(); range != device.unused.end(); ++range) {
        const auto [unused_begin, unused_end] = *range;
        const uintptr_t begin = std::max(unused_begin, low), end = std::min(unused_end, high);
        if (begin >= end || end - begin < extent) continue;
        device.unused.erase(range);
        if (unused_begin < begin) device.unused[unused_begin] = begin;
        if (begin + extent < unused_end) device.unused[begin + extent] = unused_end;
        return begin;
    }
    return 0;
}

/// The longest freed lose their pages and their addresses where there is too much of either.
void keep_freed(device_memory& device, const allocation& ended) {
    const size_t extent = extent_of(ended.bytes);
    device.freed.push_back(ended.begin);
    device.freed_with_pages++;
    device.freed_bytes_kept += extent;
    device.freed_addresses += extent;
    while (device.freed_bytes_kept > FREED_BYTES_KEPT) {
        release_pages_of(device, device.freed[device.freed.size() - device.freed_with_pages]);
    }
    while (device.freed_addresses > FREED_ADDRESSES_KEPT && device.freed.size() > FREED_ALLOCATIONS_KEPT)
        recycle_longest_freed(device);
}

void end_allocation(device_memory& device, allocation& ended) {
    const size_t extent = extent_of(ended.bytes);
    ended.live = false;
    if (takes_device_memory(ended)) device.live_bytes -= ended.bytes;
    if (ended.is_foreign) map_own(ended.begin, ended.bytes);
    if (extent <= FREED_BYTES_KEPT) std::memset(host_view(ended.begin), unwritten_byte(), ended.bytes);
    drop_kernel_mappings(ended.begin, extent);
    if (!ended.comes_back) keep_freed(device, ended);
}

/// At addresses that it has already.
void begin_allocation(device_memory& device, allocation& begun) {
    begun.live = true;
    begun.serial = ++device.last_serial;
    if (the_observer) begun.site = user_frame();
    if (takes_device_memory(begun)) device.live_bytes += begun.bytes;
    if (begun.is_heap || begun.is_foreign) return;
    const size_t extent = extent_of(begun.bytes);
    use_large_pages(begun.begin, extent);
    std::memset(host_view(begun.begin), unwritten_byte(), extent);
}

void tell_allocated(const allocation& begun) {
    if (!the_observer) return;
    if (!begun.is_heap) note_fill({begun.begin, begun.bytes, begun.bytes, 1});
    the_observer->allocated(begun);
}

bool is_available(size_t bytes) {
    return bytes < LARGE_ALLOCATION || bytes <= available_memory();
}

size_t distance_to(const allocation& place, uintptr_t address) {
    if (address < place.begin) return place.begin - address;
    const uintptr_t end = place.begin + place.bytes;
    return address < end ? 0 : address - end + 1;
}

}  // namespace

/// `created` says what is known before.
static uintptr_t allocate(allocation created, size_t bytes) {
    device_memory& device = memory();
    {
        const std::unique_lock lock(device.mutex);
        if (bytes > device_end - device_begin) return 0;
        if (!is_available(bytes)) return 0;
        const size_t extent = extent_of(bytes);
        created.begin = take_addresses(device, extent, created.use);
        while (created.begin == 0) {
            if (!recycle_longest_freed(device)) return 0;
            created.begin = take_addresses(device, extent, created.use);
        }
        created.bytes = bytes;
        begin_allocation(device, created);
        device.allocations[created.begin] = created;
    }
    tell_allocated(created);
    return created.begin;
}

uintptr_t allocate(size_t bytes, size_t row_bytes, size_t pitch) {
    allocation wanted;
    wanted.device = current_device();
    wanted.row_bytes = row_bytes;
    wanted.pitch = pitch;
    return allocate(wanted, bytes);
}

uintptr_t allocate_for_host(size_t bytes, memory_use use) {
    allocation wanted;
    wanted.use = use;
    if (use == memory_use::managed) note_managed_memory();
    return allocate(wanted, bytes);
}

uintptr_t take_in(const shared_piece& piece, size_t bytes) {
    allocation wanted;
    wanted.device = current_device();
    wanted.is_foreign = true;
    const uintptr_t begin = allocate(wanted, bytes);
    if (begin == 0) return 0;
    if (!map_piece(begin, bytes, piece)) {
        release(begin);
        return 0;
    }
    if (the_observer) the_observer->host_wrote(begin, bytes);
    return begin;
}

uintptr_t allocate_heap(size_t bytes) {
    allocation wanted;
    wanted.is_heap = true;
    wanted.label = "heap";
    return allocate(wanted, bytes);
}

bool release(uintptr_t begin) {
    device_memory& device = memory();
    allocation ended;
    {
        const std::unique_lock lock(device.mutex);
        const auto found = device.allocations.find(begin);
        if (found == device.allocations.end() || !found->second.live) return false;
        end_allocation(device, found->second);
        ended = found->second;
    }
    if (the_observer) the_observer->freed(ended);
    return true;
}

uintptr_t reserve(size_t bytes) {
    allocation wanted;
    wanted.device = current_device();
    wanted.comes_back = true;
    const uintptr_t begin = allocate(wanted, bytes);
    if (begin != 0) release(begin);
    return begin;
}

bool come_back(uintptr_t begin) {
    device_memory& device = memory();
    allocation begun;
    {
        const std::unique_lock lock(device.mutex);
        const auto found = device.allocations.find(begin);
        if (found == device.allocations.end() || !found->second.comes_back || found->second.live)
            return false;
        if (!is_available(found->second.bytes)) return false;
        begin_allocation(device, found->second);
        begun = found->second;
    }
    tell_allocated(begun);
    return true;
}

void give_up(uintptr_t begin) {
    device_memory& device = memory();
    const std::unique_lock lock(device.mutex);
    const auto found = device.allocations.find(begin);
    if (found == device.allocations.end() || !found->second.comes_back) return;
    found->second.comes_back = false;
    if (!found->second.live) keep_freed(device, found->second);
}

void release_everything() {
    std::vector<uintptr_t> live;
    for_each_live([&](const allocation& place) {
        if (place.use != memory_use::host) live.push_back(place.begin);
    });
    for (const uintptr_t begin : live)
        release(begin);
}

const allocation* allocation_near(uintptr_t address) {
    device_memory& device = memory();
    const std::shared_lock lock(device.mutex);
    const auto above = device.allocations.upper_bound(address);
    const allocation* next = above == device.allocations.end() ? nullptr : &above->second;
    if (above == device.allocations.begin()) return next;
    const allocation* previous = &std::prev(above)->second;
    if (!next || distance_to(*previous, address) <= distance_to(*next, address)) return previous;
    return next;
}

bool find_live(uintptr_t address, allocation& found) {
    device_memory& device = memory();
    const std::shared_lock lock(device.mutex);
    const auto above = device.allocations.upper_bound(address);
    if (above == device.allocations.begin()) return false;
    const allocation& place = std::prev(above)->second;
    if (!place.live || distance_to(place, address) != 0) return false;
    found = place;
    return true;
}

void for_each_live(const std::function<void(const allocation&)>& visit) {
    device_memory& device = memory();
    const std::shared_lock lock(device.mutex);
    for (const auto& [begin, place] : device.allocations)
        if (place.live) visit(place);
}

void label_allocation(uintptr_t address, const std::string& label, bool brought) {
    device_memory& device = memory();
    const std::unique_lock lock(device.mutex);
    const auto above = device.allocations.upper_bound(address);
    if (above == device.allocations.begin()) return;
    allocation& place = std::prev(above)->second;
    if (!place.live || distance_to(place, address) != 0 || place.has_several) return;
    if (place.label.empty()) place.label = label;
    place.has_several = brought && place.label != label;
    if (place.has_several) place.label.clear();
}

void count_array_bytes(ptrdiff_t change) {
    device_memory& device = memory();
    const std::unique_lock lock(device.mutex);
    device.array_bytes += change;
}

memory_info device_memory_info() {
    device_memory& device = memory();
    const std::shared_lock lock(device.mutex);
    const size_t total = device_end - device_begin;
    const size_t used = device.live_bytes + device.array_bytes;
    return {total - std::min(used, total), total};
}

}  // namespace simt
