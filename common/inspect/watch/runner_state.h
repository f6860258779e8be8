// The inspector's state of one runner: where its memories lie,
// the running thread's log, shadow, counts, incidents.
#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "inspect/memory/block_clock.h"
#include "inspect/memory/block_shadow.h"
#include "inspect/memory/copied_types.h"
#include "inspect/memory/current_runner.h"
#include "inspect/memory/device_state.h"
#include "inspect/memory/grid_facts.h"
#include "inspect/memory/incident.h"
#include "inspect/memory/lane_log.h"
#include "inspect/memory/sync_sites.h"
#include "inspect/watch/member_merge.h"
#include "inspect/watch/object_uses.h"
#include "inspect/watch/requests.h"
#include "inspect/watch/sketcher.h"
#include "inspect/watch/warp_merge.h"

namespace inspect {

inline constexpr uint32_t MAX_THREADS = 1024;

/// A range of addresses.
struct address_range {
    uintptr_t begin = 0;
    size_t bytes = 0;
    bool contains(uintptr_t address) const { return address - begin < bytes; }
    bool contains(uintptr_t address, size_t count) const {
        return contains(address) && count <= bytes - (address - begin);
    }
};

/// A write that was announced: it is in memory when the next thing happens.
struct pending_write {
    place where = 0;
    uintptr_t address = 0;    // 0: none
    uint32_t bytes = 0;       // whose value is to be read back
    bool is_wait = false;     // no write, but a read of a volatile: what it has seen is known afterwards
    bool has_source = false;  // a read has followed that may be of the same copy
    int lock = -1;            // of its memory, held so that no other block stores there meanwhile; -1: none
};

/// A plain write that no barrier orders after another thread's plain write to the same cell.
struct write_conflict {
    place where = 0;
    stamp other = 0;
    uint32_t site = 0;   // of the later write
    uint32_t bytes = 0;  // of the cell: 4 or 1
    uint32_t other_value = 0;
    bool other_value_known = false;
};

class runner_state : public page_source, public request_sink {
public:
    runner_state(device_state& memory, grid_facts& facts);

    // ---- called by the observer
    void begin_block(simt::block_context& context);
    /// What the block has done since it began, or since the grid was synchronised, is known to all.
    void leave_facts();
    /// And all others' is known to the block.
    void grid_synchronised();
    void resume_thread();
    void pause_thread();
    uint32_t merge(uint32_t warp);
    void synchronise_block();
    void synchronise_warp(uint32_t warp, uint32_t lanes);
    void synchronise_threads(uint32_t first, uint32_t threads);
    /// The running thread got a piece of the heap, or gave it back.
    void heap_changed(uintptr_t address, size_t bytes, byte_state state);
    /// The running thread makes its stores visible to its block, or to others, too.
    void fence(bool to_all);

    /// Of the running thread, now.
    stamp stamp_at(uint32_t site) const { return me | stamp{site & SITE_MASK} << STAMP_SITE_SHIFT; }

    /// True if this runner has executed a block of the launch.
    bool took_part_in(uint32_t launch) const { return described_launch == launch; }

    // ---- called for events of the running thread
    /// Waits if the log is full, unless this event belongs to the last one.
    void log(uint32_t key, uint32_t offset, bool at_once = false) {
        if (__builtin_expect(lanes.is_full() && !at_once, 0)) wait_for_merge();
        lanes.push(key, offset);
    }
    /// `call`: the site behind the call.
    void enter_function(uint32_t call);
    void leave_function();
    /// The running thread turns back to an earlier basic block, or leaves one in which it used members of an object.
    [[gnu::noinline]] void log_turn(uintptr_t from, uintptr_t to) {
        log(event_key(site_of(from) & SITE_MASK, space::loop_edge), site_of(to));
    }
    /// Whatever the running thread does next, a store that it announced has been made.
    void settle_pending_write() {
        if (__builtin_expect(pending.address != 0, 0)) settle();
    }
    /// True, once, for a read that may be the source of the announced store: the compiler announces `*p = *q`
    /// of a float4 as a store and a read, and then does both. If the two belong to different statements the
    /// store has been made already, and is just looked at a little later.
    bool may_be_source(uint32_t bytes) {
        if (pending.address == 0 || pending.bytes != bytes || pending.has_source) return false;
        return pending.has_source = true;
    }
    /// After check(): the running thread is about to store these bytes.
    void announce_write(place where, uintptr_t address, uint32_t bytes);

    /// After check(): an atomic operation is about to change global memory, and must not do so while the
    /// value that another block has stored there is read back.
    void announce_atomic(place where, uintptr_t address);
    /// After check(): a volatile word is about to be read, or has been announced to be written.
    void announce_wait(place where, uintptr_t address, uint32_t site);
    void announce_volatile_write(place where, uint32_t site);
    /// The running thread is about to compare and swap this word.
    void compare_and_swap(place where);
    /// The place of an address in a memory that threads share; NO_PLACE for any other.
    place place_of(uintptr_t address) const;
    static constexpr place NO_PLACE = ~place{0};

    /// The announced store is part of a larger one that has not been made yet: its value will not be known.
    void disown_pending_write();

    /// The running thread is about to use members of an object in one of the memories.
    void use_object(place where, const object_use& use, uint32_t site);

    /// What follows is not put together with what the running thread has done so far.
    void end_objects() {
        if ((current_basic_block & IN_OBJECT) == 0) return;
        current_basic_block &= ~IN_OBJECT;
        log_turn(current_basic_block, current_basic_block);
    }

    /// Checks one access of the current thread against states and shadow cells.
    void check(place where, uint32_t bytes, access_kind kind, uint32_t site);
    /// True for an access that begins in one variable and ends in another.
    bool reaches_next_variable(place where, uint32_t bytes) const;

    // ---- incidents
    incident new_incident(incident_kind kind, access_kind access, uint32_t site) const;
    /// Serial of the allocation that a place in global memory belongs to, else 0.
    uint32_t allocation_at(place where) const {
        return space_of_place(where) == space::global ? memory.owner(offset_of(where)) : 0;
    }
    void note(const incident& what) { incidents.add(what); }

    // Read at every access, therefore first and without wrapping.
    uint32_t shared_shift = 0;  // offset of the static image in the shared space
    address_range device, statics, stack;
    address_range constant;  // the __constant__ variable that was used last
    stamp me = 0;            // of the running thread, now, without a site
    stamp barrier = 0;       // clock.barrier()
    pending_write pending;
    /// By the store that comes next: whoever looks at this word is no racer.
    place stored_for_others = NO_PLACE;
    lane_log lanes;
    copied_types copies;
    block_shadow shadow;
    block_clock clock;
    block_order order;
    sync_sites sites;
    simt::block_context* context = nullptr;
    device_state& memory;
    grid_facts& facts;
    traffic_table traffic;
    known_costs costs;
    std::unique_ptr<sketcher> drawing;  // null unless pictures are asked for
    uint64_t blocks = 0;                // of the running launch, begun by this runner
    uint64_t matrix_products = 0;       // the same, of warps
    incident_table incidents;
    // Reads of what another block may have written before: whether one has is known when the launch ends.
    std::vector<incident> reads_of_others;
    std::vector<simt::variable> shared;  // static shared variables that the running kernel can use

    // ---- page_source, request_sink
    void fill_states(uint8_t* states, place base) override;
    void request(uint32_t key, uint32_t mask, const uint32_t* offsets) override;

private:
    struct thread_state {
        uintptr_t basic_block = return_address_of(0);  // none yet: where the program begins
        uint32_t object_time = 0;                      // when it last used members of an object
        uint32_t depth = 0;
        std::array<uintptr_t, 16> callers{};  // basic blocks to return to; deeper recursion reuses them
    };

    void wait_for_merge();
    void settle();
    void synchronise(place where, bool reads, bool writes);
    void forget_values(place where, uint32_t bytes);
    void unlock_pending_write();
    void report_conflict(const write_conflict& conflict, bool same_value);
    void describe_shared_memory();
    void refresh_stamps();

    bool check_states(shadow_page& page, place where, uint32_t bytes, access_kind kind, uint32_t site);
    void report_stray(place where, uint32_t bytes, access_kind kind, uint32_t site);
    void check_cell(shadow_page& page, place where, uint32_t bytes, access_kind kind, stamp now);
    void report_race(place where, uint32_t bytes, access_kind kind, uint32_t site, access_kind other_kind,
                     stamp other);
    uint32_t variable_of(space where, uint32_t offset);

    thread_state threads[MAX_THREADS];
    uint32_t depths[WARPS][LANES] = {};  // call depth as far as merged
    uint32_t merged_warp = 0;            // whose requests come
    uint32_t held = 0;                   // lanes of the running warp that wait for a merge
    object_uses objects;
    member_merge members{*this, objects};
    std::vector<write_conflict> conflicts;  // of the pending write
    // Offsets in shared memory that kernels may use: all their variables with their guards, and the largest array of a launch.
    address_range static_shared, dynamic_shared;
    // Shared memory as this launch has it: by byte, its state at the start of a block,
    // and by word, its variable.
    uint32_t described_launch = 0;
    std::vector<uint8_t> shared_states;
    std::vector<uint16_t> shared_owners;
};

/// Identity of the dynamic shared memory among the shared variables; others are their index plus one.
inline constexpr uint32_t DYNAMIC_SHARED = 0xffff;

/// A basic block begins at this address. A lower one than the last is the end of a loop, the one turn that the merge must
/// know; and after IN_OBJECT, beyond all addresses, that a block with an object has ended.
[[gnu::always_inline]] inline void begin_basic_block(uintptr_t address) {
    const uintptr_t before = current_basic_block;
    current_basic_block = address;
    if (address > before) return;
    runner_state* runner = current_runner;
    if (runner) runner->log_turn(before, address);
}

}  // namespace inspect
