// Warp primitives: lanes meet, exchange values and go on.
#include "simt/engine/matrices.h"
#include "simt/engine/report.h"
#include "simt/engine/runner.h"

namespace simt {

static bool is_shuffle(warp_operation operation) {
    return operation >= warp_operation::shuffle && operation <= warp_operation::shuffle_xor;
}

/// The lane that a shuffle reads from, as PTX defines it: an out-of-range source is the lane itself.
static int shuffle_source(const warp_meeting::lane& lane, int self) {
    const int width = lane.width >= 1 && lane.width <= WARP_SIZE ? lane.width : WARP_SIZE;
    const int base = self & ~(width - 1);
    const int last = base + width - 1;
    int source = self;
    switch (lane.operation) {
        case warp_operation::shuffle:
            return base + (lane.argument & (width - 1));
        case warp_operation::shuffle_up:
            source = self - lane.argument;
            return source < base ? self : source;
        case warp_operation::shuffle_down:
            source = self + lane.argument;
            return source > last ? self : source;
        default:
            source = self ^ (lane.argument & (WARP_SIZE - 1));
            return source > last ? self : source;
    }
}

static uint64_t combine(warp_operation operation, uint64_t a, uint64_t b) {
    switch (operation) {
        case warp_operation::reduce_add:
            return a + b;
        case warp_operation::reduce_min:
            return int64_t(b) < int64_t(a) ? b : a;
        case warp_operation::reduce_max:
            return int64_t(b) > int64_t(a) ? b : a;
        case warp_operation::reduce_and:
            return a & b;
        case warp_operation::reduce_or:
            return a | b;
        default:
            return a ^ b;
    }
}

/// What one lane gets, all get.
static bool is_same_for_all(warp_operation operation) {
    return operation == warp_operation::ballot || operation == warp_operation::match_all ||
           (operation >= warp_operation::reduce_add && operation <= warp_operation::reduce_xor);
}

/// What lane `self` gets out of the meeting of `lanes`.
static uint64_t meeting_result(const warp_meeting& meeting, uint32_t lanes, int self) {
    const warp_meeting::lane& mine = meeting.lanes[self];
    if (mine.operation == warp_operation::barrier || mine.operation == warp_operation::matrix) return 0;
    if (is_shuffle(mine.operation)) {
        const int source = shuffle_source(mine, self);
        const bool takes_part = lanes >> source & 1;
        return takes_part ? meeting.lanes[source].value : ~uint64_t{0};  // undefined on a GPU: NaN shows up
    }
    uint64_t holds = 0;  // lanes whose predicate holds or whose value equals mine
    uint64_t total = mine.value;
    for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
        const int lane = __builtin_ctz(rest);
        const uint64_t value = meeting.lanes[lane].value;
        const bool counts = mine.operation == warp_operation::ballot ? value != 0 : value == mine.value;
        holds |= uint64_t{counts} << lane;
        if (lane != self) total = combine(mine.operation, total, value);
    }
    if (mine.operation == warp_operation::ballot || mine.operation == warp_operation::match_any) return holds;
    if (mine.operation == warp_operation::match_all) return holds == lanes ? holds : 0;
    return total;
}

/// Lanes that met must have asked for the same thing, and a shuffle must read from a lane that is there.
void runner::check_meeting(unsigned warp, uint32_t lanes) {
    const warp_meeting& meeting = meetings_[warp];
    const int first = __builtin_ctz(lanes);
    for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
        const int self = __builtin_ctz(rest);
        const warp_meeting::lane& lane = meeting.lanes[self];
        const warp_meeting::lane& other = meeting.lanes[first];
        const unsigned thread = warp * WARP_SIZE + self;
        if (lane.operation != other.operation || lane.mask != other.mask) {
            trouble what{
                "warp-mask", true,
                "lanes that name each other in their masks are at different warp primitives or use different "
                "masks (" +
                    thread_name(context, thread) + ")"};
            what.site = lane.site;
            what.other_site = other.site;
            report(what);
            return;
        }
        if (lanes != ~0u && is_shuffle(lane.operation) && !(lanes >> shuffle_source(lane, self) & 1)) {
            trouble what{"warp-mask", true,
                         "a shuffle reads from lane " + std::to_string(shuffle_source(lane, self)) +
                             ", which does not take part; the value is undefined (" +
                             thread_name(context, thread) + ")"};
            what.site = lane.site;
            report(what);
            return;
        }
    }
    check_absent_lanes(warp, lanes);
}

/// Lanes that the mask names and that have returned need not come;
/// but they may have been here under another mask.
void runner::check_absent_lanes(unsigned warp, uint32_t lanes) {
    const warp_meeting& meeting = meetings_[warp];
    const warp_meeting::lane& waiting = meeting.lanes[__builtin_ctz(lanes)];
    for (uint32_t rest = waiting.mask & meeting.met & ~lanes; rest != 0; rest &= rest - 1) {
        const int absent = __builtin_ctz(rest);
        const warp_meeting::lane& other = meeting.lanes[absent];
        if (other.site != waiting.site || other.mask == waiting.mask) continue;
        trouble what{"warp-mask", true,
                     "lanes use different masks at one warp primitive: this mask names lane " +
                         std::to_string(absent) + ", which was here under a mask of its own (" +
                         thread_name(context, warp * WARP_SIZE + absent) + ")"};
        what.site = waiting.site;
        report(what);
        return;
    }
}

static bool is_alike(const matrix_product* one, const matrix_product* other) {
    if (!one || !other) return one == other;
    return one->m == other->m && one->n == other->n && one->factors == other->factors &&
           one->of_c == other->of_c && one->of_d == other->of_d && one->saturates == other->saturates;
}

/// All lanes of the warp have come, to the same function of wmma; a product is made for all of them.
static void meet_for_matrices(block_context& context, const warp_meeting& meeting, uint32_t lanes) {
    const uintptr_t site = meeting.lanes[__builtin_ctz(lanes)].site;
    if (lanes != ~0u)
        refuse_kernel("a function of wmma needs all 32 lanes of a warp, not " +
                          std::to_string(__builtin_popcount(lanes)),
                      site);
    const matrix_product* products[WARP_SIZE];
    for (int lane = 0; lane < WARP_SIZE; lane++) {
        products[lane] = reinterpret_cast<const matrix_product*>(meeting.lanes[lane].value);
        if (meeting.lanes[lane].operation != warp_operation::matrix || !is_alike(products[0], products[lane]))
            refuse_kernel("lanes of one warp are at different functions of wmma", site);
    }
    if (!products[0]) return;
    multiply_matrices(products, site);
    if (the_observer) the_observer->matrices_multiplied(context);
}

void runner::finish_meeting(unsigned warp, uint32_t lanes) {
    check_meeting(warp, lanes);
    warp_meeting& meeting = meetings_[warp];
    const int first = __builtin_ctz(lanes);
    if (meeting.lanes[first].operation == warp_operation::matrix) meet_for_matrices(context, meeting, lanes);
    uint64_t results[WARP_SIZE];
    bool all_barriers = true;
    for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
        const int lane = __builtin_ctz(rest);
        const warp_operation operation = meeting.lanes[lane].operation;
        const bool is_known = lane != first && operation == meeting.lanes[first].operation;
        results[lane] =
            is_known && is_same_for_all(operation) ? results[first] : meeting_result(meeting, lanes, lane);
        all_barriers &= operation == warp_operation::barrier;
    }
    for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
        const int lane = __builtin_ctz(rest);
        meeting.lanes[lane].value = results[lane];
    }
    meeting.arrived &= ~lanes;
    if (all_barriers && the_observer) the_observer->warp_synchronised(context, warp, lanes);
    const uint32_t waiting = meeting.waiting & lanes;
    meeting.waiting &= ~lanes;
    wake(warp, waiting);
}

/// A lane has returned: others may have waited for nobody else.
void runner::finish_meetings(unsigned warp) {
    warp_meeting& meeting = meetings_[warp];
    for (uint32_t rest = meeting.arrived; rest != 0; rest &= rest - 1) {
        const int lane = __builtin_ctz(rest);
        if (!(meeting.arrived >> lane & 1)) continue;  // released with an earlier one
        const uint32_t expected = meeting.lanes[lane].mask & live_lanes(warp);
        if ((meeting.arrived & expected) == expected) finish_meeting(warp, expected);
    }
}

uint64_t runner::meet(warp_operation operation, uint32_t mask, uint64_t value, int argument, int width,
                      uintptr_t site) {
    leave_step();
    const unsigned thread = context.thread, warp = thread / WARP_SIZE, lane = thread % WARP_SIZE;
    if (!(mask >> lane & 1)) {
        trouble what{"warp-mask", true,
                     "a lane is not in the mask of its own warp primitive (" + this_thread() + ")"};
        what.site = site;
        report(what);
        mask |= 1u << lane;
    }
    warp_meeting& meeting = meetings_[warp];
    meeting.lanes[lane] = {operation, mask, value, argument, width, site};
    meeting.arrived |= 1u << lane;
    meeting.met |= 1u << lane;
    const uint32_t expected = mask & live_lanes(warp);
    if ((meeting.arrived & expected) == expected) {
        finish_meeting(warp, expected);
    } else {
        site_[thread] = site;
        state_[thread] = state::at_meeting;
        meeting.waiting |= 1u << lane;
        suspend();
    }
    return meeting.lanes[lane].value;
}

}  // namespace simt

extern "C" {

uint64_t simt_warp(simt::warp_operation operation, unsigned int mask, uint64_t value, int argument,
                   int width) {
    const auto site = reinterpret_cast<uintptr_t>(__builtin_return_address(0));
    return simt::current_runner->meet(operation, mask, value, argument, width, site);
}

void simt_keep_in_step(unsigned int place) {
    const auto stack = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
    if (simt::current_runner) simt::current_runner->converge(place, stack);
}

bool simt_come_to_place(uintptr_t site, unsigned place, uintptr_t stack) {
    return simt::current_runner->come_to_place(site, place, stack);
}

int simt_is_shared(volatile void* address) {
    return simt::current_block && simt::current_block->is_shared(reinterpret_cast<uintptr_t>(address));
}

unsigned int __activemask() {
    const auto site = reinterpret_cast<uintptr_t>(__builtin_return_address(0));
    return simt::current_runner->converge(site, reinterpret_cast<uintptr_t>(__builtin_frame_address(0)));
}

unsigned int simt_active_mask(unsigned int place) {
    return simt::current_runner->converge(place, reinterpret_cast<uintptr_t>(__builtin_frame_address(0)));
}

}  // extern "C"
