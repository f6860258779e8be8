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
    const auto add_cell = [&](const cell& seen, const crowd* atomics, uint32_t first, uint32_t count) {
        const bool is_updated = atomics && atomics->last != 0;
        if (seen.readers.last != 0) set_run(of_block.read, first, count);
        if (seen.writer != 0 || is_updated) set_run(of_block.changed, first, count);
        if (is_updated) set_run(of_block.updated, first, count);
    };
    for (uint32_t word = 0; word < PAGE_WORDS; word++) {
        const bool is_split = page.is_split(word);
        add_cell(page.cells[word], page.has_atomics ? &(*page.atomics)[word] : nullptr, word * 4,
                 is_split ? 1 : 4);
        for (uint32_t byte = 1; byte < 4 && is_split; byte++)
            add_cell((*page.byte_cells)[byte - 1][word],
                     page.has_atomics ? &(*page.byte_atomics)[byte - 1][word] : nullptr, word * 4 + byte, 1);
    }
    if (of_block.read.none() && of_block.changed.none()) return;
    const std::lock_guard lock(mutex);
    touched& all = pages[offset_of(page.base)];
    all.read |= of_block.read;
    all.changed |= of_block.changed;
    all.updated |= of_block.updated;
}

}  // namespace inspect
