// Which bytes of global memory a launch read, and which it changed.
#pragma once
#include <bitset>
#include <map>
#include <mutex>

#include "inspect/memory/block_shadow.h"
#include "inspect/memory/short_mutex.h"

namespace inspect {

/// What was done to a byte: those that were updated by atomic operations count as changed, too.
enum class use_kind : uint8_t { read, changed, updated };

class touched_bytes {
public:
    /// Nothing is kept before it is wanted.
    void want() { wanted = true; }
    bool is_wanted() const { return wanted; }
    /// Adds what a block did to a page of global memory. Thread-safe.
    void add(const shadow_page& page);
    /// Calls use(first byte's offset in device memory, how many, use_kind) for runs of bytes, those of each kind in order, and
    /// forgets them.
    template <class function>
    void take(const function& use) {
        for (const auto& one : pages) {
            const auto& page = one.second;
            const auto tell = [&](const bytes& set, use_kind how) {
                tell_runs(set, [&](uint32_t first, uint32_t count) { use(one.first + first, count, how); });
            };
            tell(page.read, use_kind::read);
            tell(page.changed, use_kind::changed);
            tell(page.updated, use_kind::updated);
        }
        pages.clear();
    }

private:
    using bytes = std::bitset<PAGE_BYTES>;
    struct touched {
        bytes read, changed, updated;
    };
    template <class function>
    static void tell_runs(const bytes& set, const function& tell) {
        for (uint32_t begin = 0; begin < PAGE_BYTES;) {
            uint32_t end = begin;
            while (end < PAGE_BYTES && set[end])
                end++;
            if (end > begin) tell(begin, end - begin);
            begin = end + 1;
        }
    }

    bool wanted = false;
    short_mutex mutex;
    std::map<uint32_t, touched> pages;  // by offset in device memory
};

}  // namespace inspect
