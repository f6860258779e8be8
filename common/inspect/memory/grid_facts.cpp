// Collects what blocks did to each word and finds conflicts between them at the end of a launch.
#include "inspect/memory/grid_facts.h"

namespace inspect {

namespace {

constexpr uint32_t CHUNK_WORDS = simt::CHUNK_BYTES / 4;
constexpr place NO_WORD = ~place{0};

/// Races at a word or a byte, if it may have some. `race` says what is known of all of them.
void add_races(const touches& seen, incident race, incident_table& found) {
    const writers& written = seen.written;
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

touch write_of(uint64_t block, const last_write& written) {
    const bool is_certain = written.flags == last_write::VALUE_KNOWN;
    return {access_kind::write, make_fact(block, written.writer), written.value, is_certain};
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
}

/// Adds to the cells of a word, or to that of a byte: those of the word, if it is split.
inline void grid_facts::chunk::add(touched_words& words, place where, bool is_byte, touch what) {
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

inline void grid_facts::add_touch(chunk& facts, place where, bool is_byte, stamp when, const touch& what,
                                  const block_order& order) {
    if (__builtin_expect(order.empty(), 1)) {
        facts.add(facts.open, where, is_byte, what);
        return;
    }
    order_marks released = order.released(when, what.kind == access_kind::atomic ? where : NO_WORD);
    order_marks acquired = order.acquired(when);
    if (released.empty() && acquired.empty()) {
        facts.add(facts.open, where, is_byte, what);
        return;
    }
    const std::lock_guard lock(order_mutex);
    ordered.push_back({where, is_byte, what, std::move(released), std::move(acquired)});
}

/// Adds a page of whole words, where no order holds between blocks: what most pages are.
static void add_plain_page(touched_words& words, const shadow_page& page, uint64_t block) {
    const uint32_t first_word = page.base % simt::CHUNK_BYTES / 4;
    for (uint32_t word = 0; word < PAGE_WORDS; word++) {
        const stamp when = page.readers.of_word(word).last;
        if (when != 0) words.add(first_word + word, 0, {access_kind::read, make_fact(block, when)});
    }
    for (uint32_t word = 0; page.written && word < PAGE_WORDS; word++) {
        const last_write& written = page.writes.of_word(word);
        if (written.writer != 0) words.add(first_word + word, 0, write_of(block, written));
    }
}

void grid_facts::add_page(chunk& facts, const shadow_page& page, uint64_t block, const block_order& order) {
    if (order.empty() && page.split_words == 0 && !page.has_atomics && facts.split.empty())
        return add_plain_page(facts.open, page, block);
    const uint32_t first_word = page.base % simt::CHUNK_BYTES / 4;
    for (uint32_t word = 0; word < PAGE_WORDS; word++) {
        const bool is_split = page.is_split(word);
        if (is_split) split_word(facts, first_word + word);
        for (uint32_t byte = 0; byte < (is_split ? 4u : 1u); byte++) {
            const last_write& written = page.writes.at(word, byte);
            const auto add = [&](stamp when, const touch& what) {
                if (when != 0) add_touch(facts, page.base + word * 4 + byte, is_split, when, what, order);
            };
            const auto add_crowd = [&](stamp when, access_kind kind) {
                add(when, {kind, make_fact(block, when)});
            };
            add_crowd(page.readers.at(word, byte).last, access_kind::read);
            if (page.has_atomics) add_crowd(page.atomics->at(word, byte).last, access_kind::atomic);
            add(written.writer, write_of(block, written));
        }
    }
}

void grid_facts::add(const block_shadow& shadow, uint64_t block, const block_order& order) {
    chunk* facts = nullptr;
    place begin = 0;  // of the chunk
    std::unique_lock<short_mutex> lock;
    shadow.for_each_page([&](const shadow_page& page) {
        if (space_of_place(page.base) == space::shared) return;
        if (!facts || page.base - begin >= simt::CHUNK_BYTES) {
            if (lock) lock.unlock();
            begin = page.base / simt::CHUNK_BYTES * simt::CHUNK_BYTES;
            facts = &chunk_at(begin);
            lock = std::unique_lock(facts->mutex);
        }
        add_page(*facts, page, block, order);
    });
}

order_mark grid_facts::release(place where) {
    const std::lock_guard lock(order_mutex);
    return {where, last_releases[where] = ++sequence};
}

uint64_t grid_facts::last_release(place where) {
    const std::lock_guard lock(order_mutex);
    const auto found = last_releases.find(where);
    return found == last_releases.end() ? 0 : found->second;
}

order_mark grid_facts::acquire(place where) {
    const std::lock_guard lock(order_mutex);
    return {where, ++sequence};
}

// ---- when it has ended

void grid_facts::find_open_races(const incident& model, const device_state& memory, incident_table& found) {
    for (const auto& [base, facts] : chunks) {
        if (facts->open.is_unchanged()) continue;
        incident race = model;
        race.what.where = space_of_place(base);
        if (race.what.where == space::global) race.what.allocation = memory.owner(offset_of(base));
        for (uint32_t word = 0; word < CHUNK_WORDS; word++) {
            const bool is_split = facts->is_split(word);
            race.bytes = is_split ? 1 : 4;
            for (uint32_t byte = 0; byte < (is_split ? 4u : 1u); byte++) {
                if (!facts->open.may_race(word, byte)) continue;
                race.address = offset_of(base + word * 4 + byte);
                add_races(facts->open.at(word, byte), race, found);
            }
        }
    }
}

/// Words of which some touches are ordered: cell by cell.
void grid_facts::find_ordered_races(incident race, const device_state& memory, incident_table& found) {
    std::map<place, std::vector<const ordered_touch*>> cells;
    for (const ordered_touch& one : ordered) {
        const chunk& facts = chunk_at(one.where);
        const bool is_split = facts.is_split(one.where % simt::CHUNK_BYTES / 4);
        const uint32_t count = is_split && !one.is_byte ? 4 : 1;
        for (uint32_t byte = 0; byte < count; byte++)
            cells[one.where + byte].push_back(&one);
    }
    for (auto& [where, touched] : cells) {
        const chunk& facts = chunk_at(where);
        const uint32_t word = where % simt::CHUNK_BYTES / 4;
        const bool is_split = facts.is_split(word);
        race.what.where = space_of_place(where);
        race.what.allocation = race.what.where == space::global ? memory.owner(offset_of(where)) : 0;
        race.bytes = is_split ? 1 : 4;
        race.address = offset_of(where);
        add_ordered_races(touched, facts.open.at(word, is_split ? where % 4 : 0), race, found);
    }
}

void grid_facts::find_races(uint32_t launch, const device_state& memory, incident_table& found) {
    incident race;
    race.what.kind = incident_kind::race;
    race.what.between_blocks = true;
    race.when.launch = launch;
    find_open_races(race, memory, found);
    find_ordered_races(race, memory, found);
    chunks.clear();
    ordered.clear();
    last_releases.clear();
    sequence = 0;
}

}  // namespace inspect
