// Which bytes of global memory a launch read, and which it changed.
#include "inspect/memory/touched_bytes.h"

namespace inspect {

namespace {

/// Sets `count` bits from `first` on.
template <size_t size>
void set_run(std::bitset<size>& bits, uint32_t first, uint32_t count) {
    for (uint32_t i = first; i < first + count; i++)
        bits.set(i);
}

}  // namespace

void touched_bytes::add(const shadow_page& page) {
    touched of_block;
    for (uint32_t word = 0; word < PAGE_WORDS; word++) {
        const uint32_t pieces = page.is_split(word) ? 4 : 1;
        for (uint32_t byte = 0; byte < pieces; byte++) {
            const uint32_t first = word * 4 + byte, count = 4 / pieces;
            const bool is_updated = page.has_atomics && page.atomics->at(word, byte).last != 0;
            if (page.readers.at(word, byte).last != 0) set_run(of_block.read, first, count);
            if (page.writes.at(word, byte).writer != 0 || is_updated) set_run(of_block.changed, first, count);
            if (is_updated) set_run(of_block.updated, first, count);
        }
    }
    if (of_block.read.none() && of_block.changed.none()) return;
    const std::lock_guard lock(mutex);
    touched& all = pages[offset_of(page.base)];
    all.read |= of_block.read;
    all.changed |= of_block.changed;
    all.updated |= of_block.updated;
}

}  // namespace inspect
