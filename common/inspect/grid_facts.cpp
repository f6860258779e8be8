// Collects what blocks did to each word and finds conflicts between them at the end of a launch.
#include "inspect/grid_facts.h"

#include <algorithm>

namespace inspect {

namespace {

constexpr int BLOCK_SHIFT = 34, THREAD_OF_FACT_SHIFT = 24;
constexpr uint64_t LAST_BLOCK = (uint64_t{1} << 30) - 2;

uint64_t make_fact(uint64_t block, stamp who) {
    return (std::min(block, LAST_BLOCK) + 1) << BLOCK_SHIFT |
           uint64_t{thread_of(who)} << THREAD_OF_FACT_SHIFT | site_of_stamp(who);
}
uint64_t block_of(uint64_t fact) {
    return (fact >> BLOCK_SHIFT) - 1;
}
uint32_t thread_of_fact(uint64_t fact) {
    return fact >> THREAD_OF_FACT_SHIFT & 1023;
}

template <class type>
type& entry(std::array<std::vector<type>, 4>& planes, uint32_t byte, uint32_t word, uint32_t words) {
    if (planes[byte].empty()) planes[byte].resize(words);
    return planes[byte][word];
}

template <class type>
type lookup(const std::array<std::vector<type>, 4>& planes, uint32_t byte, uint32_t word) {
    return planes[byte].empty() ? type{} : planes[byte][word];
}

/// A pair of facts from different blocks, the lowest there is; zeros if there is none.
struct fact_pair {
    uint64_t one = 0, other = 0;
};

fact_pair different_blocks(const lowest_blocks& a, const lowest_blocks& b) {
    if (a.first == 0 || b.first == 0) return {};
    if (block_of(a.first) != block_of(b.first)) return {a.first, b.first};
    if (b.second != 0) return {a.first, b.second};
    if (a.second != 0) return {a.second, b.first};
    return {};
}

/// Adds a race to `found`, once the two halves are known; nothing if there are none.
void add_race(incident race, const fact_pair& pair, access_kind access, access_kind other,
              incident_table& found) {
    if (pair.one == 0) return;
    race.what.access = access;
    race.what.other_access = other;
    race.what.site = pair.one & SITE_MASK;
    race.what.other_site = pair.other & SITE_MASK;
    race.when.block = block_of(pair.one);
    race.when.thread = thread_of_fact(pair.one);
    race.other_block = block_of(pair.other);
    race.other_thread = thread_of_fact(pair.other);
    found.add(race);
}

}  // namespace

void lowest_blocks::add(uint64_t who) {
    const uint64_t block = block_of(who);
    if (first == 0 || block < block_of(first)) {
        second = first;
        first = who;
    } else if (block != block_of(first) && (second == 0 || block < block_of(second))) {
        second = who;
    }
}

grid_facts::chunk& grid_facts::chunk_at(place base) {
    const std::lock_guard lock(mutex);
    std::unique_ptr<chunk>& found = chunks[base / simt::CHUNK_BYTES * simt::CHUNK_BYTES];
    if (!found) found = std::make_unique<chunk>();
    return *found;
}

void grid_facts::split_word(chunk& facts, uint32_t word) {
    if (facts.split.empty()) facts.split.resize(CHUNK_WORDS);
    if (facts.split[word]) return;
    facts.split[word] = true;
    const lowest_blocks readers = lookup(facts.readers, 0, word), atomics = lookup(facts.atomics, 0, word);
    const writers written = lookup(facts.written, 0, word);
    for (uint32_t byte = 0; byte < 4; byte++) {
        if (readers.first != 0) entry(facts.readers, byte, word, CHUNK_WORDS) = readers;
        if (atomics.first != 0) entry(facts.atomics, byte, word, CHUNK_WORDS) = atomics;
        if (written.who.first == 0) continue;
        writers& one = entry(facts.written, byte, word, CHUNK_WORDS);
        one = written;
        one.value = written.value >> (8 * byte) & 0xff;
    }
}

void grid_facts::add_cell(chunk& facts, uint32_t word, uint32_t byte, const cell& seen, const crowd* atomics,
                          uint32_t value, uint64_t block) {
    if (seen.readers.last != 0) {
        entry(facts.readers, byte, word, CHUNK_WORDS).add(make_fact(block, seen.readers.last));
    }
    if (atomics && atomics->last != 0) {
        entry(facts.atomics, byte, word, CHUNK_WORDS).add(make_fact(block, atomics->last));
    }
    if (seen.writer == 0) return;
    writers& written = entry(facts.written, byte, word, CHUNK_WORDS);
    const bool is_first = written.who.first == 0;
    const bool is_certain = seen.flags == cell::VALUE_KNOWN;
    written.values_differ |= !is_certain || (!is_first && value != written.value);
    if (is_first) written.value = value;
    written.who.add(make_fact(block, seen.writer));
}

void grid_facts::add(const shadow_page& page, uint64_t block) {
    chunk& facts = chunk_at(page.base);
    const std::lock_guard lock(facts.mutex);
    const uint32_t first_word = page.base % simt::CHUNK_BYTES / 4;
    for (uint32_t i = 0; i < PAGE_WORDS; i++) {
        const uint32_t word = first_word + i;
        const cell& seen = page.cells[i];
        const crowd* atomics = page.has_atomics ? &(*page.atomics)[i] : nullptr;
        if (page.is_split(i)) {
            split_word(facts, word);
            add_cell(facts, word, 0, seen, atomics, seen.value, block);
            for (uint32_t byte = 1; byte < 4; byte++) {
                const cell& other = (*page.byte_cells)[byte - 1][i];
                const crowd* others = page.has_atomics ? &(*page.byte_atomics)[byte - 1][i] : nullptr;
                add_cell(facts, word, byte, other, others, other.value, block);
            }
        } else if (!facts.split.empty() && facts.split[word]) {
            for (uint32_t byte = 0; byte < 4; byte++) {
                add_cell(facts, word, byte, seen, atomics, seen.value >> (8 * byte) & 0xff, block);
            }
        } else {
            add_cell(facts, word, 0, seen, atomics, seen.value, block);
        }
    }
}

/// Races at a word or, if it is split, at the byte `where` points to. `race` says what is known of all of
/// them.
void grid_facts::find_races_at(const chunk& facts, place where, uint32_t word, incident& race,
                               incident_table& found) {
    const uint32_t byte = where % 4;
    const writers written = lookup(facts.written, byte, word);
    const lowest_blocks atomics = lookup(facts.atomics, byte, word);
    if (written.who.first == 0 && atomics.first == 0) return;
    const lowest_blocks readers = lookup(facts.readers, byte, word);
    race.address = offset_of(where);

    race.is_error = written.values_differ;
    if (written.who.second != 0) {
        const fact_pair pair = {written.who.first, written.who.second};
        add_race(race, pair, access_kind::write, access_kind::write, found);
    }
    race.is_error = true;
    add_race(race, different_blocks(written.who, readers), access_kind::write, access_kind::read, found);
    add_race(race, different_blocks(written.who, atomics), access_kind::write, access_kind::atomic, found);
    add_race(race, different_blocks(atomics, readers), access_kind::atomic, access_kind::read, found);
}

void grid_facts::find_races(uint32_t launch, const device_state& memory, incident_table& found) {
    for (const auto& [base, facts] : chunks) {
        const bool nothing_changed = facts->written[0].empty() && facts->atomics[0].empty();
        if (nothing_changed && facts->split.empty()) continue;
        incident race;
        race.what.kind = incident_kind::race;
        race.what.between_blocks = true;
        race.what.where = space_of_place(base);
        if (race.what.where == space::global) race.what.allocation = memory.owner(offset_of(base));
        race.when.launch = launch;
        for (uint32_t word = 0; word < CHUNK_WORDS; word++) {
            const bool is_split = !facts->split.empty() && facts->split[word];
            race.bytes = is_split ? 1 : 4;
            for (uint32_t byte = 0; byte < (is_split ? 4u : 1u); byte++) {
                find_races_at(*facts, base + word * 4 + byte, word, race, found);
            }
        }
    }
    chunks.clear();
}

}  // namespace inspect
