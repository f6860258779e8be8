// The life of a block as the inspector follows it: threads come and go, warps are merged, barriers pass.
#include "inspect/watch/runner_state.h"

#include <algorithm>
#include <cstring>

#include "simt/engine/limits.h"
#include "simt/engine/symbols.h"

namespace inspect {

namespace {

constexpr uintptr_t SHARED_GUARD = 512;  // bytes on either side of a variable, which the rewriter puts there

}  // namespace

constinit thread_local runner_state* current_runner = nullptr;
constinit thread_local uintptr_t current_basic_block = 0;

runner_state::runner_state(device_state& memory, grid_facts& facts)
    : shadow(*this), memory(memory), facts(facts) {}

void runner_state::begin_block(simt::block_context& block) {
    context = &block;
    device = {simt::device_begin, simt::device_end - simt::device_begin};
    statics = {block.statics_begin, block.statics_end - block.statics_begin};
    shared_shift = statics.begin % PAGE_BYTES;  // pages begin at multiples of their size
    if (described_launch != block.launch->serial) describe_shared_memory();
    blocks++;

    std::fill(threads, threads + block.launch->threads, thread_state{});
    std::fill(std::begin(lanes.rows), std::end(lanes.rows), 0);
    std::memset(depths, 0, sizeof depths);
    held = 0;
    shadow.start_block();
    clock.start_block();
    order.start_block();
}

void runner_state::leave_facts() {
    if (context->launch->blocks > 1) facts.add(shadow, context->block, order);
    shadow.for_each_page([&](const shadow_page& page) {
        if (space_of_place(page.base) != space::global) return;
        if (facts.touched.is_wanted()) facts.touched.add(page);
        if (page.written) memory.merge_written(page.states.data(), offset_of(page.base), PAGE_BYTES);
    });
}

void runner_state::grid_synchronised() {
    shadow.for_each_page([&](shadow_page& page) {
        if (space_of_place(page.base) == space::shared) return;
        page.forget_touches();
        fill_states(page.states.data(), page.base);
    });
    order.start_block();
}

void runner_state::resume_thread() {
    const thread_state& thread = threads[context->thread];
    current_basic_block = thread.basic_block;
    lanes.open(context->thread % LANES);
    stack = {context->stack_begin, context->stack_end - context->stack_begin};
    refresh_stamps();
    current_runner = this;
}

void runner_state::pause_thread() {
    settle_pending_write();
    current_runner = nullptr;
    threads[context->thread].basic_block = current_basic_block;
    lanes.close(context->thread % LANES);
}

/// The log of the running lane is full.
void runner_state::wait_for_merge() {
    held |= 1u << context->thread % LANES;
    simt::hold_thread();
}

uint32_t runner_state::merge(uint32_t warp) {
    if (merged_warp != warp) members.finish();
    merged_warp = warp;
    merge_warp(lanes, held, depths[warp], members);
    if (held == 0) members.finish();
    uint32_t ready = 0;
    for (uint32_t rest = held; rest != 0; rest &= rest - 1) {
        const uint32_t lane = __builtin_ctz(rest);
        if (lanes.rows[lane] < LOG_ROWS) ready |= 1u << lane;
    }
    held &= ~ready;
    return ready;
}

void runner_state::synchronise_block() {
    clock.block_synchronised();
    if (!order.empty()) order.block_synchronised(clock);
    refresh_stamps();
}

void runner_state::synchronise_warp(uint32_t warp, uint32_t synchronised) {
    const unseen own_work;
    clock.warp_synchronised(warp, synchronised, simt::live_lanes(*context, warp));
    if (!order.empty()) order.warp_synchronised(warp, clock);
    refresh_stamps();
}

void runner_state::synchronise_threads(uint32_t first, uint32_t threads) {
    const unseen own_work;
    clock.threads_synchronised(first, threads);
    refresh_stamps();
}

void runner_state::fence(bool to_all) {
    settle_pending_write();
    end_objects();
    const unseen own_work;
    order.fenced(context->thread, to_all, clock);
    refresh_stamps();
}

void runner_state::heap_changed(uintptr_t address, size_t bytes, byte_state state) {
    const unseen own_work;
    settle_pending_write();
    const auto offset = static_cast<uint32_t>(address - device.begin);
    memory.set_states(offset, bytes, state);
    for (uint32_t done = 0; done < bytes; done++) {
        const uint32_t byte = (offset + done) % PAGE_BYTES;
        shadow_page& page = shadow.page_at(make_place(space::global, offset + done));
        page.states[byte] = state;
        page.forget_look();
        if (state != UNINITIALISED) continue;
        // Who had these addresses before has nothing to do with who has them now.
        page.readers.of_word(byte / 4) = {};
        page.writes.of_word(byte / 4) = {};
    }
}

void runner_state::refresh_stamps() {
    me = make_stamp(clock.now(), context->thread);
    barrier = clock.barrier();
}

void runner_state::enter_function(uint32_t call) {
    thread_state& thread = threads[context->thread];
    thread.callers[thread.depth++ % thread.callers.size()] = current_basic_block & ~IN_OBJECT;
    current_basic_block = return_address_of(0) | (current_basic_block & IN_OBJECT);
    log(event_key(call & SITE_MASK, space::call_begins), 0);
}

void runner_state::leave_function() {
    thread_state& thread = threads[context->thread];
    current_basic_block =
        thread.callers[--thread.depth % thread.callers.size()] | (current_basic_block & IN_OBJECT);
    if (!lanes.take_back_call()) log(event_key(0, space::call_ends), 0);
}

// ---- what memory is

void runner_state::describe_shared_memory() {
    described_launch = context->launch->serial;
    blocks = 0;
    shared = simt::shared_variables_of(context->launch->kernel);
    const size_t bytes = (shared_shift + statics.bytes + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES;
    shared_states.assign(bytes, NOT_ALLOCATED);
    shared_owners.assign(bytes / 4, 0);
    const auto describe = [&](size_t begin, size_t count, uint16_t owner) {
        std::fill_n(shared_states.begin() + shared_shift + begin, count, UNINITIALISED);
        const size_t first = (shared_shift + begin) / 4, last = (shared_shift + begin + count + 3) / 4;
        std::fill(shared_owners.begin() + first, shared_owners.begin() + last, owner);
    };
    const auto& all = simt::shared_variables();
    if (all.empty()) {
        static_shared = {shared_shift, statics.bytes};
    } else {
        const size_t begin = all.front().begin - std::min(all.front().begin, SHARED_GUARD);
        static_shared = {shared_shift + begin, all.back().begin + all.back().bytes + SHARED_GUARD - begin};
    }
    dynamic_shared = {shared_shift + context->dynamic_begin - statics.begin, simt::SHARED_PER_BLOCK_OPTIN};
    for (const simt::variable& usable : shared) {
        const auto is_it = [&](const simt::variable& other) { return other.begin == usable.begin; };
        const auto index = std::find_if(all.begin(), all.end(), is_it) - all.begin();
        describe(usable.begin, usable.bytes, static_cast<uint16_t>(index + 1));
    }
    describe(context->dynamic_begin - statics.begin, context->launch->dynamic_shared, DYNAMIC_SHARED);
}

void runner_state::fill_states(uint8_t* states, place base) {
    const uint32_t offset = offset_of(base);
    switch (space_of_place(base)) {
        case space::global:
            memory.read_states(states, offset, PAGE_BYTES);
            break;
        case space::shared:
            std::memcpy(states, &shared_states[offset], PAGE_BYTES);
            break;
        default:  // __device__ variables: the program begins with all of them set
            for (uint32_t i = 0; i < PAGE_BYTES; i++) {
                states[i] =
                    simt::device_variable_at(return_address_of(offset + i)) ? INITIALISED : NOT_ALLOCATED;
            }
    }
}

// ---- counting

/// Which variable a request is about, as a number:
/// serial, index or place of the variable; 0 if it is unknown.
uint32_t runner_state::variable_of(space where, uint32_t offset) {
    switch (where) {
        case space::global:
            return memory.pieces.at(memory.owner(offset), simt::device_begin + offset);
        case space::shared:
            return shared_owners[offset / 4];
        case space::constant:
            if (constant.contains(return_address_of(offset))) return site_of(constant.begin);
            if (const auto* found = simt::constant_variable_at(return_address_of(offset)))
                return site_of(found->begin);
            return 0;
        case space::device_variable:
            if (const auto* found = simt::device_variable_at(return_address_of(offset)))
                return site_of(found->begin);
            return 0;
        default:
            return 0;
    }
}

void runner_state::request(uint32_t key, uint32_t mask, const uint32_t* offsets) {
    const uint32_t variable = variable_of(space_of(key), offsets[__builtin_ctz(mask)]);
    count_request(traffic.at(key, variable), key, mask, offsets, costs);
    if (__builtin_expect(drawing != nullptr, 0))
        drawing->request(key, variable, mask, offsets, context->block, merged_warp);
}

// ---- incidents

incident runner_state::new_incident(incident_kind kind, access_kind access, uint32_t site) const {
    incident made;
    made.what.kind = kind;
    made.what.access = access;
    made.what.site = site;
    made.when = {context->launch->serial, context->block, context->thread};
    return made;
}

}  // namespace inspect
