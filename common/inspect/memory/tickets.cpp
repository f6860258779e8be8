// Which accesses of a block come before and after the tickets that it takes.
#include "inspect/memory/tickets.h"

#include <algorithm>

namespace inspect {

namespace {

constexpr size_t MOST_TICKETS = 16;  // a block that fences and counts in every thread is no queue

}  // namespace

void block_tickets::start_block() {
    tickets.clear();
    fences.clear();
}

block_tickets::moment block_tickets::make_moment(uint32_t thread, const block_clock& clock) {
    return {thread, clock.now(), time_of(clock.barrier()), clock.warp_barrier_of(thread / LANES)};
}

bool block_tickets::moment::is_after(stamp access) const {
    const uint32_t who = thread_of(access), when = time_of(access);
    if (who == thread) return when <= time;
    return when < block_before || (who / LANES == thread / LANES && when < warp_before);
}

bool block_tickets::ticket::is_before(stamp access) const {
    const uint32_t who = thread_of(access), when = time_of(access);
    if (who == taken.thread) return when > taken.time;
    return when >= block_after || (who / LANES == taken.thread / LANES && when >= warp_after);
}

void block_tickets::fenced(uint32_t thread, block_clock& clock) {
    if (fences.empty()) fences.resize(WARPS * LANES);
    fences[thread] = make_moment(thread, clock);
    clock.tick();
}

bool block_tickets::taken(place counter, uint32_t thread, block_clock& clock) {
    if (fences.empty() || tickets.size() == MOST_TICKETS) return false;
    const auto is_earlier = [&](const ticket& one) { return one.counter == counter; };
    tickets.erase(std::remove_if(tickets.begin(), tickets.end(), is_earlier), tickets.end());
    ticket made;
    made.counter = counter;
    made.taken = make_moment(thread, clock);
    made.fence = fences[thread];
    made.has_fence = fences[thread].time != 0;
    tickets.push_back(made);
    clock.tick();
    return true;
}

void block_tickets::block_synchronised(const block_clock& clock) {
    for (ticket& one : tickets)
        one.block_after = std::min(one.block_after, clock.now());
}

void block_tickets::warp_synchronised(uint32_t warp, const block_clock& clock) {
    if (clock.warp_barrier_of(warp) != clock.now()) return;  // of a part of the warp
    for (ticket& one : tickets) {
        if (one.taken.thread / LANES == warp) one.warp_after = std::min(one.warp_after, clock.now());
    }
}

bool block_tickets::is_released(stamp access) const {
    const moment own = fences.empty() ? moment() : fences[thread_of(access)];
    const bool is_own_visible = own.time != 0 && time_of(access) <= own.time;
    return std::any_of(tickets.begin(), tickets.end(), [&](const ticket& one) {
        const bool is_visible = is_own_visible || (one.has_fence && one.fence.is_after(access));
        return is_visible && one.taken.is_after(access);
    });
}

place block_tickets::counter_before(stamp access) const {
    for (auto one = tickets.rbegin(); one != tickets.rend(); ++one) {
        if (one->is_before(access)) return one->counter;
    }
    return NO_COUNTER;
}

}  // namespace inspect
