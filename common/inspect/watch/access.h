// One access of the running thread: which memory it goes to, what is logged,
// and the checks for the usual case.
#pragma once
#include <cstring>

#include "inspect/watch/runner_state.h"

namespace inspect {

/// Accesses that go neither to device memory, nor shared memory, nor the thread's own stack.
void inspect_unusual_access(runner_state& runner, uintptr_t address, uint32_t bytes, access_kind kind,
                            uint32_t site);

/// The address is not a multiple of `bytes`: a GPU refuses that, and ends the launch.
[[noreturn]] void refuse_misaligned(runner_state& runner, place where, uint32_t bytes, access_kind kind,
                                    uint32_t site);

/// An aggregate: a float3, a struct, a memcpy. nvcc makes it accesses as wide as the alignment of the type,
/// up to 16 bytes, and so it is counted, but for padding at its end; of 4 bytes or less where the type is not known.
void inspect_aggregate(uintptr_t address, size_t bytes, access_kind kind, uintptr_t return_address,
                       const simt::copied_type& type = {});
/// The same where the type may be known by the instruction.
void inspect_copy(uintptr_t address, size_t bytes, access_kind kind, uintptr_t return_address);

/// The kernel is about to use members of the object at this address.
void inspect_object(uintptr_t address, const object_use& use, uintptr_t return_address);

/// An access that the backend makes for a kernel: an atomic operation, a cached load of a vector, a memcpy.
void inspect_backend_access(uintptr_t address, size_t bytes, access_kind kind, uintptr_t return_address);

/// The checks of check() for a word of which there is nothing to report;
/// false, with nothing done, if that is not sure.
template <access_kind KIND>
[[gnu::always_inline]] inline bool check_quickly(runner_state& runner, shadow_page& page, place where,
                                                 uint32_t site) {
    constexpr uint32_t ALL_INITIALISED = INITIALISED * 0x01010101u;
    constexpr uint32_t ALL_UNINITIALISED = UNINITIALISED * 0x01010101u;
    constexpr stamp THREAD = stamp{1023} << THREAD_SHIFT;

    const uint32_t byte = where % PAGE_BYTES, word = byte / 4;
    crowd& readers = page.readers.of_word(word);
    const stamp now = runner.stamp_at(site);
    if (KIND == access_kind::read && page.is_only_read(runner.barrier))
        return readers.join_quickly(now, runner.barrier);
    stamp& writer = page.writes.of_word(word).writer;
    if (page.has_atomics || page.is_split(word)) return false;
    if (writer >= runner.barrier && ((writer ^ now) & THREAD) != 0) return false;
    uint32_t states;
    std::memcpy(&states, &page.states[byte], sizeof states);
    if constexpr (KIND == access_kind::read) {
        return states == ALL_INITIALISED && readers.join_quickly(now, runner.barrier);
    } else {
        const stamp reader = readers.last;
        const bool readers_are_past = reader < runner.barrier || ((reader ^ now) & (THREAD | FLAGS)) == 0;
        if (!readers_are_past || (states != ALL_INITIALISED && states != ALL_UNINITIALISED)) return false;
        std::memcpy(&page.states[byte], &ALL_INITIALISED, sizeof states);
        page.note_write(now);
        writer = now;
        return true;
    }
}

/// All that one access to device or shared memory asks for.
template <space SPACE, uint32_t BYTES, access_kind KIND>
[[gnu::noinline]] void inspect_memory(runner_state& runner, uintptr_t address, uint32_t offset,
                                      uint32_t site) {
    const bool is_source = KIND == access_kind::read && runner.may_be_source(BYTES);
    if (!is_source) runner.settle_pending_write();
    const place where = make_place(SPACE, offset);
    if (address % BYTES != 0) refuse_misaligned(runner, where, BYTES, KIND, site);
    runner.log(event_key(site & SITE_MASK, SPACE, KIND, BYTES), offset, is_source);
    bool is_checked = false;
    if constexpr (BYTES >= 4 && KIND != access_kind::atomic) {
        is_checked = BYTES == 4 || !runner.reaches_next_variable(where, BYTES);
        shadow_page& page = runner.shadow.page_for(where);
        if (KIND == access_kind::read) page.look(runner.barrier);
        for (uint32_t done = 0; is_checked && done < BYTES; done += 4)
            is_checked = check_quickly<KIND>(runner, page, where + done, site);
    }
    if (!is_checked) runner.check(where, BYTES, KIND, site);
    if (KIND == access_kind::write) runner.announce_write(where, address, BYTES);
    if (KIND == access_kind::atomic) runner.announce_atomic(where, address);
}

/// The checks for a word that is read.
[[gnu::noinline]] inline void check_read(runner_state& runner, shadow_page& page, place where,
                                         uint32_t site) {
    page.look(runner.barrier);
    if (!check_quickly<access_kind::read>(runner, page, where, site))
        runner.check(where, 4, access_kind::read, site);
}
/// The same on a page that is not at hand.
[[gnu::noinline]] inline void check_read_elsewhere(runner_state& runner, place where, uint32_t site) {
    check_read(runner, runner.shadow.page_for(where), where, site);
}

/// The same if nothing but reads has come to its page, after one of them.
[[gnu::noinline]] inline void join_readers(runner_state& runner, crowd& readers, place where, uint32_t site) {
    if (!readers.join_quickly(runner.stamp_at(site), runner.barrier))
        runner.check(where, 4, access_kind::read, site);
}

/// The usual case of inspect_memory(), a word that is read and nothing to wait for: without a call that comes back,
/// for it is most of the time that an inspection takes. False, with nothing done, in any other case.
template <space SPACE>
[[gnu::always_inline]] inline bool inspect_usual_read(runner_state& runner, uintptr_t address,
                                                      uint32_t offset, uint32_t site) {
    if (runner.pending.address != 0 || runner.lanes.is_full() || address % 4 != 0) return false;
    runner.lanes.push(event_key(site & SITE_MASK, SPACE, access_kind::read, 4), offset);
    const place where = make_place(SPACE, offset);
    shadow_page& page = runner.shadow.recent_at(where);
    crowd& readers = page.readers.of_word(where % PAGE_BYTES / 4);
    if (!page.holds(where)) {
        check_read_elsewhere(runner, where, site);
    } else if (!page.is_only_read(runner.barrier)) {
        check_read(runner, page, where, site);
    } else if (readers.last < runner.barrier) {
        readers.last = runner.stamp_at(site);
    } else if ((readers.last & crowd::SEVERAL_WARPS) == 0) {
        join_readers(runner, readers, where, site);
    }
    return true;
}

/// An access of BYTES (a power of two up to 16) by the instruction before the return address.
template <uint32_t BYTES, access_kind KIND>
[[gnu::always_inline]] inline void inspect_access(uintptr_t address, uintptr_t return_address) {
    constexpr bool MAY_BE_USUAL = BYTES == 4 && KIND == access_kind::read;
    runner_state* runner = current_runner;
    if (__builtin_expect(runner == nullptr, 0)) return;  // host code
    const uint32_t site = site_of(return_address);
    if (runner->device.contains(address)) {
        const auto offset = static_cast<uint32_t>(address - runner->device.begin);
        if (MAY_BE_USUAL && inspect_usual_read<space::global>(*runner, address, offset, site)) return;
        inspect_memory<space::global, BYTES, KIND>(*runner, address, offset, site);
    } else if (KIND == access_kind::read && runner->constant.contains(address, BYTES) &&
               address % BYTES == 0 && !runner->lanes.is_full()) {
        runner->lanes.push(event_key(site & SITE_MASK, space::constant, KIND, BYTES), site_of(address));
    } else if (runner->statics.contains(address)) {
        const auto offset = static_cast<uint32_t>(address - runner->statics.begin + runner->shared_shift);
        if (MAY_BE_USUAL && inspect_usual_read<space::shared>(*runner, address, offset, site)) return;
        inspect_memory<space::shared, BYTES, KIND>(*runner, address, offset, site);
    } else if (!runner->stack.contains(address)) {
        inspect_unusual_access(*runner, address, BYTES, KIND, site);
    }
}

/// An access to a volatile word: by these, threads may wait for each other.
template <uint32_t BYTES, access_kind KIND>
inline void inspect_volatile_access(uintptr_t address, uintptr_t return_address) {
    inspect_access<BYTES, KIND>(address, return_address);
    runner_state* runner = current_runner;
    if (runner == nullptr || runner->stack.contains(address)) return;
    const place where = runner->place_of(address);
    if (where == runner_state::NO_PLACE) return;
    if (KIND == access_kind::read) runner->announce_wait(where, address, site_of(return_address));
    if (KIND == access_kind::write) runner->announce_volatile_write(where, site_of(return_address));
}

/// An access of 8 or 16 bytes, which may be one of two floats: then it is two.
template <uint32_t BYTES, access_kind KIND>
inline void inspect_wide_access(uintptr_t address, uintptr_t return_address) {
    runner_state* runner = current_runner;
    if (runner == nullptr || runner->stack.contains(address)) return;
    const simt::copied_type type = runner->copies.type_at(return_address);
    if (type.alignment == 0 || type.alignment >= BYTES) {
        inspect_access<BYTES, KIND>(address, return_address);
    } else {
        inspect_aggregate(address, BYTES, KIND, return_address, type);
    }
}

}  // namespace inspect
