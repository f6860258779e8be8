// Which accesses of a block come before its releases and after what it acquires.
#include "inspect/memory/block_order.h"

#include <algorithm>
#include <functional>

namespace inspect {

namespace {

constexpr uint32_t THREADS = WARPS * LANES;
constexpr size_t MOST_EVENTS = 1 << 16;  // of a block; what comes later orders nothing

/// Keeps one mark of a word: the first release, the last acquisition.
template <class relation>
void keep(order_marks& marks, const order_mark& mark, const relation& is_better) {
    for (order_mark& one : marks) {
        if (one.where != mark.where) continue;
        if (is_better(mark.when, one.when)) one.when = mark.when;
        return;
    }
    marks.push_back(mark);
}

}  // namespace

void block_order::start_block() {
    events.clear();
    fences.clear();
    in_block.clear();
    last_release.clear();
    last_acquisition.clear();
}

// ---- moments

block_order::moment block_order::make_moment(uint32_t thread, const block_clock& clock) {
    return {thread, clock.now(), time_of(clock.barrier()), clock.warp_barrier_of(thread / LANES),
            clock.acquired_by(thread)};
}

bool block_order::moment::is_after(stamp access) const {
    const uint32_t who = thread_of(access), when = time_of(access);
    if (time == 0) return false;
    if (who == thread) return when <= time;
    if (when < block_before || (who / LANES == thread / LANES && when < warp_before)) return true;
    return known && when < (*known)[who];
}

void block_order::moment::add_to(thread_times& all) const {
    for (uint32_t who = 0; who < THREADS; who++) {
        uint32_t until = who == thread ? time + 1 : block_before;
        if (who / LANES == thread / LANES) until = std::max(until, warp_before);
        if (known) until = std::max(until, (*known)[who]);
        all[who] = std::max(all[who], until);
    }
}

bool block_order::event::is_before(stamp access) const {
    const uint32_t who = thread_of(access), when = time_of(access);
    if (who == at.thread) return when > at.time;
    return when >= block_after || (who / LANES == at.thread / LANES && when >= warp_after);
}

// ---- within the block

void block_order::fenced(uint32_t thread, bool to_all, block_clock& clock) {
    if (fences.empty()) fences.resize(THREADS);
    fences[thread].to_block = make_moment(thread, clock);
    if (to_all) fences[thread].to_all = fences[thread].to_block;
    clock.tick();
}

void block_order::release(place where, uint32_t thread) {
    if (!has_fenced(thread)) return;
    thread_times& all = in_block[where];
    if (all.empty()) all.resize(THREADS);
    fences[thread].to_block.add_to(all);
}

void block_order::acquire(place where, uint32_t thread, block_clock& clock) {
    const auto found = in_block.find(where);
    if (found != in_block.end()) clock.acquire(thread, found->second);
}

// ---- beside other blocks

bool block_order::releases_more(place where, uint32_t thread, const block_clock& clock) const {
    if (fences.empty()) return false;
    const auto known = last_release.find({where, thread});
    if (known == last_release.end()) return true;
    const event& before = events[known->second];
    return before.fence.time != fences[thread].to_all.time ||
           before.at.block_before != time_of(clock.barrier());
}

void block_order::add(event made, block_clock& clock) {
    if (events.size() == MOST_EVENTS) return;
    (made.releases ? last_release : last_acquisition)[{made.mark.where, made.at.thread}] = events.size();
    events.push_back(std::move(made));
    clock.tick();
}

void block_order::note_release(const order_mark& mark, uint32_t thread, block_clock& clock) {
    event made;
    made.mark = mark;
    made.releases = true;
    made.at = make_moment(thread, clock);
    made.fence = fences[thread].to_all;
    add(std::move(made), clock);
}

void block_order::note_acquire(const order_mark& mark, uint32_t thread, block_clock& clock) {
    event made;
    made.mark = mark;
    made.at = make_moment(thread, clock);
    add(std::move(made), clock);
}

uint64_t block_order::last_acquired(place where, uint32_t thread) const {
    const auto known = last_acquisition.find({where, thread});
    return known == last_acquisition.end() ? 0 : events[known->second].mark.when;
}

void block_order::block_synchronised(const block_clock& clock) {
    for (event& one : events)
        one.block_after = std::min(one.block_after, clock.now());
}

void block_order::warp_synchronised(uint32_t warp, const block_clock& clock) {
    if (clock.warp_barrier_of(warp) != clock.now()) return;  // of a part of the warp
    for (event& one : events) {
        if (one.at.thread / LANES == warp) one.warp_after = std::min(one.warp_after, clock.now());
    }
}

// ---- accesses

/// Made so by the releasing thread's fence or by one of the thread that made the access.
bool block_order::is_visible(stamp access, const event& release) const {
    if (release.fence.is_after(access)) return true;
    const moment& own = fences[thread_of(access)].to_all;
    return own.time != 0 && time_of(access) <= own.time;
}

order_marks block_order::released(stamp access, place at) const {
    order_marks marks;
    for (const event& one : events) {
        if (!one.releases || !one.at.is_after(access)) continue;
        if (one.mark.where != at && !is_visible(access, one)) continue;
        keep(marks, one.mark, std::less<>());
    }
    return marks;
}

order_marks block_order::acquired(stamp access) const {
    order_marks marks;
    for (const event& one : events) {
        if (!one.releases && one.is_before(access)) keep(marks, one.mark, std::greater<>());
    }
    return marks;
}

bool block_order::has_acquired(stamp access) const {
    return std::any_of(events.begin(), events.end(),
                       [&](const event& one) { return !one.releases && one.is_before(access); });
}

}  // namespace inspect
