// Pages of shadow memory and the sets of threads in their cells.
#include "inspect/memory/block_shadow.h"

#include "inspect/memory/current_runner.h"
#include "inspect/memory/device_state.h"

namespace inspect {

void crowd::join_after_warp_barrier(stamp me, const block_clock& clock) {
    const uint32_t thread = thread_of(me), before = thread_of(last);
    if (conflict(me, clock) == 0) {  // of all others: locks may order them
        last = me;
        return;
    }
    if (thread / LANES != before / LANES) {
        last = make_stamp(clock.now(), before, site_of_stamp(last)) | SEVERAL_WARPS;
        others = thread;
        return;
    }
    // A lane that is ordered before this one needs no mention any more:
    // who comes after this one comes after it.
    const uint32_t lanes = last & SEVERAL_LANES ? others : 1u << before % LANES;
    uint32_t unordered = 1u << thread % LANES;
    for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
        const uint32_t lane = __builtin_ctz(rest);
        if (!clock.is_ordered(time_of(last), thread / LANES * LANES + lane, thread)) unordered |= 1u << lane;
    }
    const bool alone = (unordered & (unordered - 1)) == 0;
    last = alone ? me : me | SEVERAL_LANES;
    others = unordered;
}

stamp crowd::conflict(stamp me, const block_clock& clock) const {
    if (last < clock.barrier()) return 0;
    const uint32_t thread = thread_of(me), latest = thread_of(last);
    if (last & SEVERAL_WARPS) {
        const uint32_t other = latest / LANES != thread / LANES ? latest : others;
        return make_stamp(time_of(last), other, site_of_stamp(last));
    }
    const uint32_t lanes = last & SEVERAL_LANES ? others : 1u << latest % LANES;
    for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
        const uint32_t other = latest / LANES * LANES + __builtin_ctz(rest);
        if (!clock.is_ordered(time_of(last), other, thread)) {
            return make_stamp(time_of(last), other, site_of_stamp(last));
        }
    }
    return 0;
}

void shadow_page::split_word(uint32_t word) {
    if (is_split(word)) return;
    split_words |= uint64_t{1} << word;
    forget_look();
    readers.split(word);
    writes.split(word);
    const uint32_t value = writes.of_word(word).value;
    for (uint32_t byte = 0; byte < 4; byte++)
        writes.at(word, byte).value = value >> (8 * byte) & 0xff;
    if (has_atomics) atomics->split(word);
}

void shadow_page::make_atomics() {
    if (has_atomics) return;
    has_atomics = true;
    forget_look();
    if (!atomics) atomics = std::make_unique<per_cell<crowd>>();
    atomics->clear(false);
    for (uint32_t word = 0; word < PAGE_WORDS; word++) {
        if (is_split(word)) atomics->split(word);
    }
}

void shadow_page::forget_touches() {
    const bool has_split_words = split_words != 0;
    readers.clear(has_split_words);
    writes.clear(has_split_words);
    if (has_atomics) atomics->clear(has_split_words);
    written = false;
    forget_look();
}

void shadow_page::look_again(stamp barrier) {
    static constexpr auto INITIALISED_PAGE = [] {
        std::array<uint8_t, PAGE_BYTES> states{};
        states.fill(INITIALISED);
        return states;
    }();
    looked_at = barrier;
    const bool is_plain = !has_atomics && split_words == 0 && latest_write < barrier;
    if (is_plain && states == INITIALISED_PAGE) only_read_since = barrier;
}

shadow_page& block_shadow::find_page(uint64_t tag, place where) {
    const unseen own_work;
    const uint64_t oldest = epoch << 40;
    for (size_t i = first_slot(tag); slots[i].tag >= oldest; i = (i + 1) & mask) {
        if (slots[i].tag == tag) return *slots[i].page;
    }
    if (used * 4 >= slots.size()) resize(slots.size() * 2);
    shadow_page& page = make_page(where);
    insert(tag, &page);
    return page;
}

void block_shadow::insert(uint64_t tag, shadow_page* page) {
    const uint64_t oldest = epoch << 40;
    size_t i = first_slot(tag);
    while (slots[i].tag >= oldest)
        i = (i + 1) & mask;
    slots[i] = {tag, page};
}

shadow_page& block_shadow::make_page(place where) {
    if (used == pages.size()) pages.push_back(std::make_unique<shadow_page>());
    shadow_page& page = *pages[used++];
    page.split_words = 0;
    page.has_atomics = false;
    page.latest_write = 0;
    page.forget_touches();
    page.base = where / PAGE_BYTES * PAGE_BYTES;
    source.fill_states(page.states.data(), page.base);
    return page;
}

void block_shadow::resize(size_t count) {
    slots.assign(count, {});
    first = slots.data();
    mask = count - 1;
    for (size_t i = 0; i < used; i++)
        insert(epoch << 40 | pages[i]->base / PAGE_BYTES, pages[i].get());
}

}  // namespace inspect
