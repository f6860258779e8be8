// __syncthreads() and its kin.
#include <set>
#include <utility>

#include "simt/engine/report.h"
#include "simt/engine/runner.h"

namespace simt {

void runner::wait_at_barrier(uintptr_t site, bool predicate) {
    votes_ += predicate;
    if (site == simt_step.site || lead_in_step(state::at_barrier, site, false)) return pass_turn();
    wait_out_of_step(site);
}

bool runner::come_to_barrier(uintptr_t site) {
    if (!THREADS_WAIT_IN_KERNEL)
        wait_at_barrier(site);
    else if (lead_in_step(state::at_barrier, site, true))
        return true;
    else
        wait_out_of_step(site);
    return false;
}

void runner::wait_out_of_step(uintptr_t site) {
    leave_step();
    if (waiting_ == 0) {
        barrier_site_ = site;
    } else if (site != barrier_site_ && !barrier_reported_) {
        compare_barriers(site);
    }
    waiting_++;
    spins_[context.thread] = 0;
    site_[context.thread] = site;
    state_[context.thread] = state::at_barrier;
    suspend();
}

/// The compiler may copy one barrier of the source to several places:
/// only its line and column say whether it is one.
void runner::compare_barriers(uintptr_t site) {
    static thread_local std::set<std::pair<uintptr_t, uintptr_t>> known_same;
    const uintptr_t first = barrier_site_;
    if (known_same.contains({first, site})) return;
    on_large_stack([&] {
        const source_location here = locate(site), there = locate(first);
        if (here.line == there.line && here.column == there.column && here.file == there.file) {
            known_same.insert({first, site});
            return;
        }
        barrier_reported_ = true;
        trouble what{"divergent-barrier", true,
                     "threads of one block wait at different barriers (" + this_thread() + " at this one)"};
        what.site = site;
        what.other_site = first;
        report(what);
    });
}

/// Every thread that has not returned has arrived. False if they can never go on.
bool runner::release_barrier() {
    if (finished_ > 0 && !barrier_reported_) {
        unsigned waits = 0;
        while (state_[waits] != state::at_barrier)
            waits++;
        trouble what{"divergent-barrier", true,
                     std::to_string(waiting_) + (waiting_ == 1 ? " thread waits" : " threads wait") +
                         " at a barrier that " + std::to_string(finished_) +
                         (finished_ == 1 ? " thread of the block has" : " threads of the block have") +
                         " skipped by returning (" + thread_name(context, waits) + " waits)"};
        what.site = barrier_site_;
        report(what);
    }
    if (waits_for_grid_ && !meet_grid()) return false;
    last_votes_ = votes_;
    last_voters_ = waiting_;
    votes_ = 0;
    waiting_ = 0;
    patient_last_ = {};
    barrier_reported_ = false;
    if (the_observer) the_observer->block_synchronised(context);
    for (unsigned w = 0; w < warps_; w++) {
        wake(w, live_lanes(w));
    }
    warp_ = __builtin_ctz(ready_warps_);
    join_step();
    return true;
}

void runner::wait_for_grid(uintptr_t site) {
    waits_for_grid_ = true;
    wait_at_barrier(site);
}

/// All threads of the block are there. False if other blocks never will be.
bool runner::meet_grid() {
    waits_for_grid_ = false;
    if (the_observer) the_observer->block_meets_grid(context);
    note_patience(true);
    const bool all_came = run_->meeting.arrive([&] {
        if (the_observer) the_observer->grid_synchronised(run_->info);
    });
    note_patience(false);
    if (all_came) {
        if (the_observer) the_observer->block_leaves_grid(context);
        return true;
    }
    if (!run_->has_failed()) {
        trouble what{
            "deadlock", true,
            "the grid can never finish: blocks wait for all others at grid.sync(), and some have ended"};
        what.site = barrier_site_;
        report(what);
    }
    return false;
}

}  // namespace simt

using simt::address_of;

extern "C" {

void __syncthreads() {
    simt::current_runner->wait_at_barrier(address_of(__builtin_return_address(0)));
}

bool simt_come_to_barrier(uintptr_t site) {
    return simt::current_runner->come_to_barrier(site);
}

void simt_grid_sync() {
    simt::runner& runner = *simt::current_runner;
    const uintptr_t site = address_of(__builtin_return_address(0));
    if (runner.is_cooperative()) return runner.wait_for_grid(site);
    simt::refuse_kernel(
        "grid.sync() in a kernel whose blocks need not be there together: launch it with "
        "cudaLaunchCooperativeKernel",
        site);
}

int simt_is_cooperative() {
    return simt::current_runner->is_cooperative();
}

int __syncthreads_count(int predicate) {
    simt::runner& runner = *simt::current_runner;
    runner.wait_at_barrier(address_of(__builtin_return_address(0)), predicate != 0);
    return int(runner.votes());
}

int __syncthreads_and(int predicate) {
    simt::runner& runner = *simt::current_runner;
    runner.wait_at_barrier(address_of(__builtin_return_address(0)), predicate != 0);
    return runner.votes() == runner.voters();
}

int __syncthreads_or(int predicate) {
    simt::runner& runner = *simt::current_runner;
    runner.wait_at_barrier(address_of(__builtin_return_address(0)), predicate != 0);
    return runner.votes() != 0;
}

}  // extern "C"
