// Words by which threads order what they do: locks, flags, tickets.
#include <utility>

#include "inspect/watch/runner_state.h"

namespace inspect {

place runner_state::place_of(uintptr_t address) const {
    if (device.contains(address))
        return make_place(space::global, static_cast<uint32_t>(address - device.begin));
    if (statics.contains(address)) {
        const auto offset = static_cast<uint32_t>(address - statics.begin + shared_shift);
        return make_place(space::shared, offset);
    }
    return simt::device_variable_at(address) ? make_place(space::device_variable, site_of(address))
                                             : NO_PLACE;
}

void runner_state::announce_wait(place where, uintptr_t address, uint32_t site) {
    const unseen own_work;
    sites.volatile_reads.insert(site & SITE_MASK);
    if (!order.has_fences() && !facts.has_releases()) return;
    if (pending.address != 0) return synchronise(where, true, false);  // the read is the source of a store
    pending.where = where;
    pending.address = address;
    pending.bytes = 0;
    pending.is_wait = true;
}

void runner_state::announce_volatile_write(place where, uint32_t site) {
    const bool is_for_others = std::exchange(stored_for_others, NO_PLACE) == where;
    if (!is_for_others && !order.has_fences()) return;
    const unseen own_work;
    if (is_for_others || order.has_fenced(context->thread)) sites.releases.insert(site & SITE_MASK);
    if (order.has_fences()) synchronise(where, false, true);
}

/// The running thread reads or writes a word by which threads may wait for each other.
void runner_state::synchronise(place where, bool reads, bool writes) {
    const bool may_meet_others = space_of_place(where) != space::shared && context->launch->blocks > 1;
    if (!order.has_fences() && !(may_meet_others && facts.has_releases())) return;
    const unseen own_work;
    const uint32_t thread = context->thread;
    if (reads) order.acquire(where, thread, clock);
    if (reads && may_meet_others && facts.last_release(where) > order.last_acquired(where, thread))
        order.note_acquire(facts.acquire(where), thread, clock);
    if (writes) order.release(where, thread);
    if (writes && may_meet_others && order.releases_more(where, thread, clock))
        order.note_release(facts.release(where), thread, clock);
    refresh_stamps();
}

void runner_state::compare_and_swap(place where) {
    const unseen own_work;
    shadow_page& page = shadow.page_at(where);
    const crowd& readers = page.readers.at(where % PAGE_BYTES / 4, page.byte_at(where));
    const bool has_read = readers.last != 0 && thread_of(readers.last) == context->thread;
    if (has_read) sites.guesses.insert(site_of_stamp(readers.last));
}

}  // namespace inspect
