// Keeps who touched each word, lowest blocks first.
#include "inspect/memory/touched_words.h"

#include <algorithm>

namespace inspect {

void lowest_blocks::add(const lowest_blocks& more) {
    if (more.first != 0) add(more.first);
    if (more.second != 0) add(more.second);
}

void touches::add(const touches& more) {
    readers.add(more.readers);
    atomics.add(more.atomics);
    if (more.written.who.first == 0) return;
    written.add(more.written.who.first, more.written.value, !more.written.values_differ);
    if (more.written.who.second != 0) written.who.add(more.written.who.second);
}

bool touches::may_race() const {
    if (written.who.first == 0 && (atomics.first == 0 || readers.first == 0)) return false;
    lowest_blocks all = written.who;
    all.add(readers);
    all.add(atomics);
    return all.second != 0;
}

template <class type>
type touched_words::lookup(const planes<type>& all, uint32_t byte, uint32_t word) {
    return all[byte].empty() ? type{} : all[byte][word];
}

bool touched_words::may_race(uint32_t word, uint32_t byte) const {
    const auto is_touched = [&](const planes<lowest_blocks>& all) {
        return !all[byte].empty() && all[byte][word].first != 0;
    };
    const bool has_writer = !written[byte].empty() && written[byte][word].who.first != 0;
    const bool is_one_block = !has_writer || written[byte][word].who.second == 0;
    if (is_one_block && !is_touched(atomics) && (!has_writer || !is_touched(readers))) return false;
    return at(word, byte).may_race();
}

touches touched_words::at(uint32_t word, uint32_t byte) const {
    return {lookup(readers, byte, word), lookup(atomics, byte, word), lookup(written, byte, word)};
}

void touched_words::split(uint32_t word) {
    const touches whole = at(word, 0);
    for (uint32_t byte = 0; byte < 4; byte++) {
        if (whole.readers.first != 0) entry(readers, byte, word) = whole.readers;
        if (whole.atomics.first != 0) entry(atomics, byte, word) = whole.atomics;
        if (whole.written.who.first == 0) continue;
        writers& one = entry(written, byte, word);
        one = whole.written;
        one.value = whole.written.value >> (8 * byte) & 0xff;
    }
}

bool touched_words::is_unchanged() const {
    const auto is_empty = [](const auto& plane) { return plane.empty(); };
    return std::all_of(written.begin(), written.end(), is_empty) &&
           std::all_of(atomics.begin(), atomics.end(), is_empty);
}

}  // namespace inspect
