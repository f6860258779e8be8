// Which bytes of global memory a launch read, and which it changed.
#pragma once
#include <bitset>
#include <map>
#include <mutex>

#include "inspect/memory/block_shadow.h"

namespace inspect {

class touched_bytes {
public:
    /// Nothing is kept before it is wanted.
    void want() { wanted = true; }
    bool is_wanted() const { return wanted; }
    /// Adds what a block did to a page of global memory. Thread-safe.
    void add(const shadow_page& page);
    /// Calls use(first byte's offset in device memory, how many, whether they were changed) for runs of bytes, those of
    /// either kind in order, and forgets them.
    template <class function>
    void take(const function& use) {
        for (const auto& one : pages) {
            const auto& page = one.second;
            tell_runs(page.read,
                      [&](uint32_t first, uint32_t count) { use(one.first + first, count, false); });
            tell_runs(page.changed,
                      [&](uint32_t first, uint32_t count) { use(one.first + first, count, true); });
        }
        pages.clear();
    }

private:
    using bytes = std::bitset<PAGE_BYTES>;
    struct touched {
        bytes read, changed;
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
    std::mutex mutex;
    std::map<uint32_t, touched> pages;  // by offset in device memory
};

}  // namespace inspect
