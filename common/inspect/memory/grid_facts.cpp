// Collects what blocks did to each word and finds conflicts between them at the end of a launch.
#include "inspect/memory/grid_facts.h"

#include <algorithm>

namespace inspect {

namespace {

constexpr uint32_t CHUNK_WORDS = simt::CHUNK_BYTES / 4;

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

/// Races at a word or a byte. `race` says what is known of all of them.
void add_races(const touches& seen, incident race, incident_table& found) {
    const writers& written = seen.written;
    if (written.who.first == 0 && seen.atomics.first == 0) return;
    race.is_error = written.values_differ;
    if (written.who.second != 0) {
        const fact_pair pair = {written.who.first, written.who.second};
        add_race(race, pair, access_kind::write, access_kind::write, found);
    }
    race.is_error = true;
    const auto add = [&](const lowest_blocks& one, access_kind kind, const lowest_blocks& other,
                         access_kind other_kind) {
        add_race(race, different_blocks(one, other), kind, other_kind, found);
    };
    add(written.who, access_kind::write, seen.readers, access_kind::read);
    add(written.who, access_kind::write, seen.atomics, access_kind::atomic);
    add(seen.atomics, access_kind::atomic, seen.readers, access_kind::read);
}

}  // namespace

// ---- while the launch runs

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
    facts.open.split(word);
    facts.released.split(word);
}

/// Adds to the cells of a word, or to that of a byte: those of the word, if it is split.
void grid_facts::chunk::add(touched_words& words, place where, bool is_byte, touch what) {
    const uint32_t word = where % simt::CHUNK_BYTES / 4;
    if (is_byte || !is_split(word)) {
        words.add(word, where % 4, what);
        return;
    }
    const uint32_t value = what.value;
    for (uint32_t byte = 0; byte < 4; byte++) {
        what.value = value >> (8 * byte) & 0xff;
        words.add(word, byte, what);
    }
}

void grid_facts::add_touch(chunk& facts, place where, bool is_byte, stamp when, const touch& what,
                           const block_tickets& tickets) {
    if (__builtin_expect(tickets.empty(), 1)) {
        facts.add(facts.open, where, is_byte, what);
        return;
    }
    const place counter = tickets.counter_before(when);
    if (counter != block_tickets::NO_COUNTER) {
        const std::lock_guard lock(ticket_mutex);
        lates.push_back({where, counter, is_byte, what});
        return;
    }
    facts.add(tickets.is_released(when) ? facts.released : facts.open, where, is_byte, what);
}

void grid_facts::add_cell(chunk& facts, place where, bool is_byte, const cell& seen, const crowd* atomics,
                          uint64_t block, const block_tickets& tickets) {
    const auto add = [&](access_kind kind, stamp when) {
        if (when == 0) return;
        const bool is_certain = seen.flags == cell::VALUE_KNOWN;
        add_touch(facts, where, is_byte, when, {kind, make_fact(block, when), seen.value, is_certain},
                  tickets);
    };
    add(access_kind::read, seen.readers.last);
    if (atomics) add(access_kind::atomic, atomics->last);
    add(access_kind::write, seen.writer);
}

void grid_facts::add(const shadow_page& page, uint64_t block, const block_tickets& tickets) {
    chunk& facts = chunk_at(page.base);
    const std::lock_guard lock(facts.mutex);
    const uint32_t first_word = page.base % simt::CHUNK_BYTES / 4;
    for (uint32_t i = 0; i < PAGE_WORDS; i++) {
        const place where = page.base + i * 4;
        const bool is_split = page.is_split(i);
        if (is_split) split_word(facts, first_word + i);
        const crowd* atomics = page.has_atomics ? &(*page.atomics)[i] : nullptr;
        add_cell(facts, where, is_split, page.cells[i], atomics, block, tickets);
        for (uint32_t byte = 1; byte < 4 && is_split; byte++) {
            const crowd* others = page.has_atomics ? &(*page.byte_atomics)[byte - 1][i] : nullptr;
            add_cell(facts, where + byte, true, (*page.byte_cells)[byte - 1][i], others, block, tickets);
        }
    }
}

void grid_facts::take_ticket(place counter, uint64_t block) {
    const std::lock_guard lock(ticket_mutex);
    queue& taken = queues[counter];
    taken.last = std::min(block, LAST_BLOCK);
    taken.blocks.insert(taken.last);
}

// ---- when it has ended

bool grid_facts::is_last(const late_touch& late) const {
    return queues.at(late.counter).last == block_of(late.what.fact);
}

void grid_facts::add_open(const late_touch& late) {
    chunk& facts = chunk_at(late.where);
    facts.add(facts.open, late.where, late.is_byte, late.what);
}

void grid_facts::find_races_between(const incident& model, const device_state& memory,
                                    incident_table& found) {
    for (const auto& [base, facts] : chunks) {
        if (facts->open.is_unchanged() && facts->released.is_unchanged()) continue;
        incident race = model;
        race.what.where = space_of_place(base);
        if (race.what.where == space::global) race.what.allocation = memory.owner(offset_of(base));
        for (uint32_t word = 0; word < CHUNK_WORDS; word++) {
            const bool is_split = facts->is_split(word);
            race.bytes = is_split ? 1 : 4;
            for (uint32_t byte = 0; byte < (is_split ? 4u : 1u); byte++) {
                race.address = offset_of(base + word * 4 + byte);
                touches seen = facts->open.at(word, byte);
                seen.add(facts->released.at(word, byte));
                add_races(seen, race, found);
            }
        }
    }
}

/// What the block that came last did after its ticket, beside what others did that is not ordered before it.
void grid_facts::find_races_after(const late_touch& late, incident race, incident_table& found) {
    const uint64_t block = block_of(late.what.fact);
    const chunk& facts = chunk_at(late.where);
    const uint32_t word = late.where % simt::CHUNK_BYTES / 4;
    const queue& before = queues.at(late.counter);
    const bool is_counter = late.where / 4 == late.counter / 4;
    const auto compare = [&](const lowest_blocks& others, access_kind kind, bool is_released) {
        const bool is_conflict =
            kind == access_kind::write || late.what.kind == access_kind::write || kind != late.what.kind;
        if (!is_conflict || (is_counter && kind == access_kind::atomic)) return;
        for (const uint64_t other : {others.first, others.second}) {
            if (other == 0 || block_of(other) == block) continue;
            if (is_released && before.blocks.count(block_of(other)) != 0) continue;
            const bool is_writer = late.what.kind == access_kind::write;
            if (is_writer) {
                add_race(race, {late.what.fact, other}, late.what.kind, kind, found);
            } else {
                add_race(race, {other, late.what.fact}, kind, late.what.kind, found);
            }
        }
    };
    const uint32_t begin = facts.is_split(word) ? late.where % 4 : 0;
    const uint32_t end = facts.is_split(word) && !late.is_byte ? 4 : begin + 1;
    for (uint32_t byte = begin; byte < end; byte++) {
        const touches open = facts.open.at(word, byte), released = facts.released.at(word, byte);
        race.bytes = facts.is_split(word) ? 1 : 4;
        race.address = offset_of(late.where / 4 * 4 + byte);
        compare(open.readers, access_kind::read, false);
        compare(open.atomics, access_kind::atomic, false);
        compare(open.written.who, access_kind::write, false);
        compare(released.readers, access_kind::read, true);
        compare(released.atomics, access_kind::atomic, true);
        compare(released.written.who, access_kind::write, true);
    }
}

void grid_facts::find_races(uint32_t launch, const device_state& memory, incident_table& found) {
    incident race;
    race.what.kind = incident_kind::race;
    race.what.between_blocks = true;
    race.when.launch = launch;
    // Who took a ticket that was not the last one knows nothing of others.
    const auto end_of_last =
        std::partition(lates.begin(), lates.end(), [&](const late_touch& late) { return is_last(late); });
    for (auto late = end_of_last; late != lates.end(); ++late)
        add_open(*late);
    lates.erase(end_of_last, lates.end());
    find_races_between(race, memory, found);
    for (const late_touch& late : lates) {
        race.what.where = space_of_place(late.where);
        race.what.allocation = race.what.where == space::global ? memory.owner(offset_of(late.where)) : 0;
        find_races_after(late, race, found);
    }
    // Two blocks may be the last ones of two counters.
    chunks.clear();
    for (const late_touch& late : lates)
        add_open(late);
    find_races_between(race, memory, found);
    chunks.clear();
    lates.clear();
    queues.clear();
}

}  // namespace inspect
