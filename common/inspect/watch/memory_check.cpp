// Checks accesses: is the memory there, has it been written,
// and does no other thread use it at the same time?
#include <sched.h>

#include <algorithm>
#include <atomic>
#include <cstring>

#include "inspect/watch/runner_state.h"

namespace inspect {

namespace {

// Spin locks for small pieces of global memory, held from the announcement of a store until its value has
// been read back, a few instructions later.
constexpr uint32_t LOCKS = 1024;
constexpr int PATIENCE = 1'000'000;  // yields; about a second
std::atomic<bool> locks[LOCKS];

/// Locks the 16-byte piece around an address; returns the lock's number, or -1 if it could not be had in
/// reasonable time (the holder's thread has crashed). A runner holds one lock at a time, so runners cannot
/// wait for each other in a circle.
int lock_piece(uintptr_t address) {
    const uint32_t number = static_cast<uint32_t>(address / 16 * 0x9E3779B1u >> 8) % LOCKS;
    for (int i = 0; i < PATIENCE; i++) {
        if (!locks[number].exchange(true, std::memory_order_acquire)) return static_cast<int>(number);
        sched_yield();
    }
    return -1;
}

void unlock_piece(int lock) {
    locks[lock].store(false, std::memory_order_release);
}

constexpr uint32_t LARGEST_STORE = 16;  // bytes that are read back: a float4

uint32_t load_value(uintptr_t address, uint32_t bytes) {
    uint32_t value = 0;
    std::memcpy(&value, reinterpret_cast<const void*>(address), bytes);
    return value;
}

void learn_value(last_write& known, uint32_t value) {
    if ((known.flags & last_write::VALUE_KNOWN) && known.value != value)
        known.flags |= last_write::VALUES_DIFFER;
    known.flags |= last_write::VALUE_KNOWN;
    known.value = value;
}

/// Calls act(place, bytes) for the cells under a range: whole words,
/// or single bytes where a word is cut or split.
template <class action>
void for_each_cell(block_shadow& shadow, place where, uint32_t bytes, const action& act) {
    for (uint32_t done = 0; done < bytes;) {
        const place here = where + done;
        shadow_page& page = shadow.page_at(here);
        const bool is_word = here % 4 == 0 && bytes - done >= 4 && !page.is_split(here % PAGE_BYTES / 4);
        const uint32_t step = is_word ? 4 : 1;
        act(page, here, step);
        done += step;
    }
}

}  // namespace

void runner_state::check(place where, uint32_t bytes, access_kind kind, uint32_t site) {
    const unseen own_work;
    if (reaches_next_variable(where, bytes)) return report_stray(where, bytes, kind, site);
    for (uint32_t done = 0; done < bytes;) {
        const place here = where + done;
        const uint32_t piece = std::min<uint32_t>(bytes - done, PAGE_BYTES - here % PAGE_BYTES);
        shadow_page& page = shadow.page_at(here);
        if (!check_states(page, here, piece, kind, site)) return report_stray(where, bytes, kind, site);
        done += piece;
    }
    const stamp now = stamp_at(site);
    for_each_cell(shadow, where, bytes, [&](shadow_page& page, place here, uint32_t step) {
        if (step == 1) page.split_word(here % PAGE_BYTES / 4);
        check_cell(page, here, step, kind, now);
    });
}

void runner_state::use_object(place where, const object_use& use, uint32_t site) {
    thread_state& thread = threads[context->thread];
    if (thread.object_time != clock.now()) end_objects();  // a barrier
    thread.object_time = clock.now();
    current_basic_block |= IN_OBJECT;
    const unseen own_work;
    objects.learn(site & SITE_MASK, use);
    if (space_of_place(where) != space::constant) {
        // Nobody writes what lies between the members, nor minds.
        for (const uint32_t byte : objects.padding_of(*use.type)) {
            shadow_page& page = shadow.page_at(where + byte);
            uint8_t& state = page.states[(where + byte) % PAGE_BYTES];
            if (state != UNINITIALISED) continue;
            state = INITIALISED;
            page.written = true;
        }
    }
    const auto limit = static_cast<uint32_t>(std::min<size_t>(use.type->alignment, 16));
    log(event_key(site & SITE_MASK, space_of_place(where), OBJECT, limit), offset_of(where));
}

/// Looks at the states of bytes of one page; false if some are no memory of the kernel's.
bool runner_state::check_states(shadow_page& page, place where, uint32_t bytes, access_kind kind,
                                uint32_t site) {
    uint8_t* states = &page.states[where % PAGE_BYTES];
    bool has_unwritten = false;
    for (uint32_t i = 0; i < bytes; i++) {
        if (states[i] == NOT_ALLOCATED || states[i] == ROW_PADDING) return false;
        has_unwritten |= states[i] == UNINITIALISED;
    }
    if (has_unwritten && kind != access_kind::write) {
        const bool may_be_others = space_of_place(where) == space::global && order.has_acquired(me);
        incident found = new_incident(incident_kind::uninitialised_read, kind, site);
        found.what.where = space_of_place(where);
        found.what.allocation = allocation_at(where);
        found.address = offset_of(where);
        found.bytes = bytes;
        if (may_be_others) {
            reads_of_others.push_back(found);
            std::replace(states, states + bytes, uint8_t{UNINITIALISED}, uint8_t{WRITTEN_BY_LAUNCH});
        } else {
            note(found);
        }
    }
    if (kind != access_kind::read) {
        std::memset(states, INITIALISED, bytes);
        page.note_write(me);
    }
    return true;
}

/// Variables may lie side by side: a wide access that ends in the next one meets memory all the way.
bool runner_state::reaches_next_variable(place where, uint32_t bytes) const {
    const uint32_t first = offset_of(where), last = first + bytes - 1;
    if (first / 4 == last / 4) return false;
    switch (space_of_place(where)) {
        case space::shared:
            return shared_owners[first / 4] != shared_owners[last / 4];
        case space::device_variable:
            return simt::device_variable_at(return_address_of(first)) !=
                   simt::device_variable_at(return_address_of(last));
        default:
            return false;
    }
}

/// An access beside the memory it was meant for, or one that begins in it and ends beside it.
void runner_state::report_stray(place where, uint32_t bytes, access_kind kind, uint32_t site) {
    incident found = new_incident(incident_kind::out_of_bounds, kind, site);
    found.what.where = space_of_place(where);
    found.address = offset_of(where);
    found.bytes = bytes;
    if (found.what.where == space::global) {
        const uintptr_t address = device.begin + offset_of(where);
        if (const simt::allocation* meant = simt::allocation_near(address)) {
            found.what.allocation = meant->serial;
            const bool is_inside = address - meant->begin < meant->bytes;
            const bool has_padding = meant->row_bytes < meant->pitch;
            if (is_inside && meant->live && has_padding) found.what.kind = incident_kind::row_overrun;
            if (is_inside && !meant->live) found.what.kind = incident_kind::use_after_free;
            const simt::heap_piece piece =
                meant->is_heap ? simt::heap_piece_near(address) : simt::heap_piece{};
            if (address - piece.begin < piece.bytes && !piece.live)
                found.what.kind = incident_kind::use_after_free;
        }
    }
    note(found);
    // Beyond all that kernels may have in shared memory there are the backend's own variables: such an access is not made, as a
    // GPU would not make it.
    if (found.what.where == space::shared && !static_shared.contains(found.address, bytes) &&
        !dynamic_shared.contains(found.address, bytes))
        simt::stop_launch(cudaErrorIllegalAddress);
}

void runner_state::check_cell(shadow_page& page, place where, uint32_t bytes, access_kind kind, stamp now) {
    const uint32_t word = where % PAGE_BYTES / 4, byte = page.byte_at(where);
    const uint32_t thread = thread_of(now), site = site_of_stamp(now);
    crowd& readers = page.readers.at(word, byte);
    last_write& known = page.writes.at(word, byte);
    const stamp writer = known.writer;
    if (writer >= barrier && !clock.is_ordered(time_of(writer), thread_of(writer), thread)) {
        if (kind == access_kind::write) {  // whether both store the same is seen when this store is done
            const bool is_known = known.flags & last_write::VALUE_KNOWN;
            conflicts.push_back({where, writer, site, bytes, known.value, is_known});
        } else {
            report_race(where, bytes, kind, site, access_kind::write, writer);
        }
    }
    if (kind != access_kind::read) {
        const stamp reader = readers.conflict(now, clock);
        if (reader != 0) report_race(where, bytes, kind, site, access_kind::read, reader);
    }
    if (kind != access_kind::atomic && page.has_atomics) {
        const stamp other = page.atomics->at(word, byte).conflict(now, clock);
        if (other != 0) report_race(where, bytes, kind, site, access_kind::atomic, other);
    }
    switch (kind) {
        case access_kind::read:
            readers.join(now, clock);
            break;
        case access_kind::write:
            known.writer = now;
            break;
        case access_kind::atomic:
            page.make_atomics();
            page.atomics->at(word, byte).join(now, clock);
            break;
    }
}

void runner_state::report_race(place where, uint32_t bytes, access_kind kind, uint32_t site,
                               access_kind other_kind, stamp other) {
    incident race = new_incident(incident_kind::race, kind, site);
    race.what.where = space_of_place(where);
    race.what.allocation = allocation_at(where);
    race.what.other_access = other_kind;
    race.what.other_site = site_of_stamp(other);
    race.other_block = context->block;
    race.other_thread = thread_of(other);
    race.address = offset_of(where);
    race.bytes = bytes;
    note(race);
}

// ---- plain writes and their values

void runner_state::announce_atomic(place where, uintptr_t address) {
    if (space_of_place(where) != space::shared && context->launch->blocks > 1) {
        pending.lock = lock_piece(address);
        pending.address = address;
        pending.bytes = 0;
    }
    synchronise(where, true, true);  // under the lock: in the order of the operations
}

void runner_state::announce_write(place where, uintptr_t address, uint32_t bytes) {
    const bool has_neighbours = space_of_place(where) != space::shared && context->launch->blocks > 1;
    const bool is_one_piece = address / LARGEST_STORE == (address + bytes - 1) / LARGEST_STORE;
    if (bytes <= LARGEST_STORE && (is_one_piece || !has_neighbours)) {
        pending.lock = has_neighbours ? lock_piece(address) : -1;
        pending.where = where;
        pending.address = address;
        pending.bytes = bytes;
        pending.has_source = false;
        return;
    }
    forget_values(where, bytes);
}

void runner_state::disown_pending_write() {
    if (pending.address == 0 || pending.is_wait) return;
    pending.address = 0;
    forget_values(pending.where, pending.bytes);
    unlock_pending_write();
}

/// What is stored here is unknown, and therefore taken to differ from what any other thread stores.
void runner_state::forget_values(place where, uint32_t bytes) {
    const unseen own_work;
    for_each_cell(shadow, where, bytes, [&](shadow_page& page, place here, uint32_t) {
        page.write_at(here).flags |= last_write::VALUES_DIFFER;
    });
    for (const write_conflict& conflict : conflicts)
        report_conflict(conflict, false);
    conflicts.clear();
}

/// The announced store has been made: its value is in memory.
void runner_state::settle() {
    const unseen own_work;
    const place start = pending.where;
    const uintptr_t address = pending.address;
    pending.address = 0;
    if (pending.is_wait) {
        pending.is_wait = false;
        return synchronise(start, true, false);
    }
    for (const write_conflict& conflict : conflicts) {
        const uint32_t value = load_value(address + (conflict.where - start), conflict.bytes);
        report_conflict(conflict, conflict.other_value_known && conflict.other_value == value);
    }
    conflicts.clear();
    for_each_cell(shadow, start, pending.bytes, [&](shadow_page& page, place here, uint32_t step) {
        learn_value(page.write_at(here), load_value(address + (here - start), step));
    });
    unlock_pending_write();
}

void runner_state::unlock_pending_write() {
    if (pending.lock >= 0) unlock_piece(pending.lock);
    pending.lock = -1;
}

void runner_state::report_conflict(const write_conflict& conflict, bool same_value) {
    incident race = new_incident(incident_kind::race, access_kind::write, conflict.site);
    race.is_error = !same_value;
    race.what.where = space_of_place(conflict.where);
    race.what.allocation = allocation_at(conflict.where);
    race.what.other_access = access_kind::write;
    race.what.other_site = site_of_stamp(conflict.other);
    race.other_block = context->block;
    race.other_thread = thread_of(conflict.other);
    race.address = offset_of(conflict.where);
    race.bytes = conflict.bytes;
    note(race);
}

}  // namespace inspect
