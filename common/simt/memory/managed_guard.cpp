// Pages of managed memory, closed and opened.
#include "simt/memory/managed_guard.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>
#include <vector>

#include "simt/engine/observer.h"
#include "simt/memory/allocations.h"
#include "simt/memory/arena.h"

namespace simt {
namespace {

struct guard {
    std::mutex mutex;
    std::vector<address_range> closed;  // whole pages
    std::atomic<bool> has_memory = false, is_wanted = true;
};

guard& the_guard() {
    static auto* const one = new guard;  // never destroyed, see allocations.cpp
    return *one;
}

uintptr_t page_bytes() {
    static const auto bytes = uintptr_t(sysconf(_SC_PAGESIZE));
    return bytes;
}

void protect(const address_range& pages, int protection) {
    mprotect(reinterpret_cast<void*>(pages.begin), pages.end - pages.begin, protection);
}

/// The lock must be held.
void open_all(guard& all) {
    for (const address_range& one : all.closed)
        protect(one, PROT_READ | PROT_WRITE);
    all.closed.clear();
}

/// By the begin of a piece of managed memory, the pages of it from the first of these bytes to the last.
std::map<uintptr_t, address_range> pages_of(const std::vector<used_range>& used, bool are_changed) {
    std::map<uintptr_t, address_range> pages;
    allocation piece;  // the next range is mostly of the same
    for (const used_range& one : used) {
        if (one.is_changed != are_changed) continue;
        const bool is_same = one.begin - piece.begin < piece.bytes;
        if ((!is_same && !find_live(one.begin, piece)) || piece.use != memory_use::managed) continue;
        const uintptr_t begin = one.begin / page_bytes() * page_bytes(),
                        end = (one.end + page_bytes() - 1) / page_bytes() * page_bytes();
        address_range& known = pages.try_emplace(piece.begin, address_range{begin, end}).first->second;
        known = {std::min(known.begin, begin), std::max(known.end, end)};
    }
    return pages;
}

}  // namespace

bool has_managed_memory() {
    return the_guard().has_memory;
}
void note_managed_memory() {
    the_guard().has_memory = true;
}

void guard_managed_memory() {
    guard& all = the_guard();
    if (!the_observer || !all.has_memory || !all.is_wanted) return;
    const std::vector<used_range> used = the_observer->unfinished_uses();
    const std::lock_guard lock(all.mutex);
    open_all(all);
    for (const bool are_changed : {false, true}) {
        for (const auto& [piece, pages] : pages_of(used, are_changed)) {
            protect(pages, are_changed ? PROT_NONE : PROT_READ);
            all.closed.push_back(pages);
        }
    }
}

void open_managed_memory_to_all() {
    guard& all = the_guard();
    const std::lock_guard lock(all.mutex);
    open_all(all);
}

bool is_told_of_fault(uintptr_t address, bool writes, uintptr_t site) {
    guard& all = the_guard();
    if (!the_observer || !all.has_memory) return false;
    const std::lock_guard lock(all.mutex);
    const bool is_closed = std::any_of(all.closed.begin(), all.closed.end(), [&](const address_range& one) {
        return address >= one.begin && address < one.end;
    });
    if (!is_closed) return false;
    const uintptr_t page = address / page_bytes() * page_bytes();
    if (the_observer->host_touched(address, writes, site))
        open_all(all);  // once is enough
    else
        protect({page, page + page_bytes()}, PROT_READ | PROT_WRITE);  // what lies beside it
    return true;
}

bool never_close_memory() {
    keep_device_memory_open();
    return the_guard().is_wanted = false;
}

}  // namespace simt
