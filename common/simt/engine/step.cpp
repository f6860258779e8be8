// Threads in step: between two barriers those of a block do the same, one after the other, until each has come to the
// same barrier, or place where lanes converge, or has returned. Then nobody is looked for: who is next is known. What else
// may happen ends it until all threads have met again.
#include "simt/engine/runner.h"

namespace simt {

inline void runner::begin_turn(turn& next) {
    simt_step.now = &next;
    simt_thread = {next.index, next.thread};
}

void runner::begin_in_step() {
    in_step_ = true;
    meetings_known_ = false;
    simt_step = {0, turns_, turns_, turns_ + threads_ - 1, where_threads_begin()};
    begin_turn(turns_[0]);
    switch_fiber(scheduler_, turns_[take_fiber()].stack);
    in_step_ = false;
    simt_step.site = 0;
    simt_step.finishing = false;
}

/// False if the running thread is not the first one of a block in step.
__attribute__((noinline)) bool runner::lead_in_step(state wait, uintptr_t site, bool in_kernel) {
    if (!in_step_ || running_thread() != 0) return false;
    wait_in_step_ = wait;
    while (fibers_made_ < int(threads_))
        make_next_fiber();
    simt_step.site = site;
    simt_step.in_kernel = in_kernel;
    return true;
}

/// The running thread waits at the same place as all before it do.
inline void runner::pass_turn() {
    turn& mine = *simt_step.now;
    turn* next = &mine + 1;
    if (&mine == simt_step.last) {
        last_votes_ = votes_;
        last_voters_ = threads_;
        votes_ = 0;
        simt_step.site = 0;
        simt_step.all_begun = true;
        simt_step.resume = where_fibers_continue();
        next = turns_;
    }
    begin_turn(*next);
    switch_turn(mine, *next);
}

/// The running thread has returned, as all before it have: another one begins on its fiber, or goes on on its own.
bool runner::finish_in_step() {
    simt_step.finishing = true;
    turn& mine = *simt_step.now;
    if (&mine == simt_step.last) {
        const unsigned fiber = simt_step.all_begun ? mine.thread : 0;
        leave_fiber(turns_[fiber].stack, first_stacks_[fiber], scheduler_);
    } else if (THREADS_WAIT_IN_KERNEL) {
        return true;
    } else {
        begin_turn((&mine)[1]);
        if (simt_step.all_begun) switch_turn(mine, (&mine)[1]);
    }
    return false;
}

/// The running thread does something else than those before it.
void runner::leave_step() {
    if (!in_step_) return;
    in_step_ = false;
    const uintptr_t site = simt_step.site;
    const bool all_begun = simt_step.all_begun, have_come = site != 0;
    const bool came_in_kernel = have_come && simt_step.in_kernel;
    const bool finishing = simt_step.finishing;
    const bool left_in_kernel = all_begun && simt_step.resume != where_fibers_continue();
    const unsigned mine = context.thread = running_thread();
    prepare_threads();
    if (!meetings_known_) forget_meetings();
    meetings_known_ = true;
    for (unsigned t = 0; t < threads_; t++) {
        fiber_of_[t] = all_begun || have_come ? int(t) : 0;
        if (t > mine) {
            if (all_begun) state_[t] = state::ready;
            if (left_in_kernel) wait_in_fiber(turns_[t], simt_step.resume);
            continue;
        }
        state_[t] = t == mine ? state::ready : finishing ? state::finished : wait_in_step_;
        if (state_[t] == state::converging) wait_to_converge(t, place_in_step_, address_of(turns_[t].stack));
        if (came_in_kernel && t < mine) wait_in_fiber(turns_[t], reinterpret_cast<void*>(site));
        site_[t] = site;
        ready_[t / WARP_SIZE] &= ~(1u << t % WARP_SIZE);
        if (finishing && t < mine) finished_lanes_[t / WARP_SIZE] |= 1u << t % WARP_SIZE;
    }
    warp_ = mine / WARP_SIZE;
    // Those that converge are found where warps with nobody ready are taken off.
    if (converging_ == 0) ready_warps_ &= ~((1u << warp_) - 1);
    if (finishing) finished_ = mine;
    if (have_come && wait_in_step_ == state::at_barrier) waiting_ = mine;
    fibers_taken_ = fiber_of_[mine] + 1;  // if all have begun, nobody takes one
    current_fiber_ = fiber_of_[mine];
    barrier_site_ = site;
    simt_step.site = 0;
    simt_step.finishing = false;
}

/// All threads of the block have met, and the first one goes on.
void runner::join_step() {
    if (finished_ > 0 || threads_ == 1 || the_observer || run_->cooperative) return;
    for (unsigned t = 0; t < threads_; t++) {
        if (fiber_of_[t] != int(t)) return;
    }
    in_step_ = true;
    simt_step = {0, turns_, turns_, turns_ + threads_ - 1, where_fibers_continue(), true};
}

}  // namespace simt

using simt::current_runner;

bool simt_finish_thread() {
    return current_runner->finish_thread();
}
