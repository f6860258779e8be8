// Threads in step: between two barriers those of a block do the same, one after the other, until each has come to the same
// barrier or has returned. Then nobody is looked for: who is next is known. What else may happen ends it until all
// threads have met again.
#include "simt/engine/runner.h"

namespace simt {

inline void runner::begin_turn(unsigned thread) {
    context.thread = thread;
    spins_ = 0;
    simt_thread_index = index_[thread];
}

void runner::begin_in_step() {
    in_step_ = true;
    all_begun_ = finishing_ = meetings_known_ = false;
    step_site_ = 0;
    begin_turn(0);
    switch_fiber(scheduler_, fibers_[take_fiber()]);
    in_step_ = false;
    step_site_ = 0;
}

/// The first thread has come to a barrier.
void runner::lead_to_barrier(uintptr_t site) {
    while (fibers_made_ < int(threads_))
        make_next_fiber();
    step_site_ = site;
    pass_turn();
}

/// The running thread waits at the barrier, as all before it do.
inline void runner::pass_turn() {
    const unsigned mine = context.thread;
    unsigned next = mine + 1;
    if (next == threads_) {
        last_votes_ = votes_;
        last_voters_ = threads_;
        votes_ = 0;
        all_begun_ = true;
        step_site_ = 0;
        next = 0;
    }
    begin_turn(next);
    switch_fiber(fibers_[mine], fibers_[next]);
}

/// The running thread has returned, as all before it have: another one begins on its fiber, or goes on on its own.
void runner::finish_in_step() {
    finishing_ = true;
    const unsigned mine = context.thread, next = mine + 1;
    if (next == threads_) return switch_fiber(fibers_[all_begun_ ? mine : 0], scheduler_);
    begin_turn(next);
    if (all_begun_) switch_fiber(fibers_[mine], fibers_[next]);
}

/// The running thread does something else than those before it.
void runner::leave_step() {
    if (!in_step_) return;
    in_step_ = false;
    const bool have_come = step_site_ != 0;
    const unsigned mine = context.thread;
    prepare_threads();
    if (!meetings_known_) forget_meetings();
    meetings_known_ = true;
    for (unsigned t = 0; t < threads_; t++) {
        fiber_of_[t] = all_begun_ || have_come ? int(t) : 0;
        if (t > mine) {
            if (all_begun_) state_[t] = state::ready;
            continue;
        }
        state_[t] = t == mine ? state::ready : finishing_ ? state::finished : state::at_barrier;
        site_[t] = step_site_;
        ready_[t / WARP_SIZE] &= ~(1u << t % WARP_SIZE);
        if (finishing_ && t < mine) finished_lanes_[t / WARP_SIZE] |= 1u << t % WARP_SIZE;
    }
    warp_ = mine / WARP_SIZE;
    ready_warps_ &= ~((1u << warp_) - 1);
    (finishing_ ? finished_ : waiting_) = mine;
    fibers_taken_ = fiber_of_[mine] + 1;  // if all have begun, nobody takes one
    current_fiber_ = fiber_of_[mine];
    barrier_site_ = step_site_;
    step_site_ = 0;
}

/// All threads of the block have met, and the first one goes on.
void runner::join_step() {
    if (finished_ > 0 || threads_ == 1 || the_observer || run_->cooperative) return;
    for (unsigned t = 0; t < threads_; t++) {
        if (fiber_of_[t] != int(t)) return;
    }
    in_step_ = all_begun_ = true;
    finishing_ = false;
    step_site_ = 0;
}

}  // namespace simt
