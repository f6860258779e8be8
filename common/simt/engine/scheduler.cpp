// Scheduling: which CUDA thread of a block runs next, and on which fiber.
#include <sched.h>
#include <sys/mman.h>

#include <chrono>

#include "simt/engine/pool.h"
#include "simt/engine/report.h"
#include "simt/engine/runner.h"

namespace simt {

// ---- fibers

int runner::take_fiber() {
    if (!free_fibers_.empty()) {
        const int fiber = free_fibers_.back();
        free_fibers_.pop_back();
        return fiber;
    }
    const int taken = fibers_taken_++;
    if (taken == fibers_made_) make_next_fiber();
    return taken;
}

/// Whoever touches it faults. Linux has a way since 6.13 that leaves the memory around it in one piece, and for which
/// runners need not wait for each other.
static void guard_page(char* page, size_t bytes) {
    constexpr int INSTALL_GUARD = 102;  // MADV_GUARD_INSTALL, which older headers do not know
    if (madvise(page, bytes, INSTALL_GUARD) != 0) mprotect(page, bytes, PROT_NONE);
}

void runner::make_next_fiber() {
    const int made = fibers_made_++;
    char* bottom = stacks_ + made * stack_bytes_;
    if (guarded_) guard_page(bottom, page_bytes());
    // Stacks of the same alignment would all use the same few lines of the caches.
    const size_t colour = size_t(made) * 832 % 8192 / 64 * 64;
    turns_[made].stack = first_stacks_[made] =
        make_fiber(bottom + stack_bytes_ - colour, stack_bytes_ - colour - page_bytes(), simt_begin_fiber);
}

void runner::make_current(int thread, int fiber) {
    state_[thread] = state::ready;
    fiber_of_[thread] = fiber;
    current_fiber_ = fiber;
    context.thread = thread;
    context.stack_begin = context.stacks_begin + fiber * stack_bytes_;
    context.stack_end = context.stack_begin + stack_bytes_;
    simt_thread = {turns_[thread].index, unsigned(thread)};
    if (the_observer) the_observer->thread_resumes(context);
}

/// The running thread has returned: its fiber takes the next thread that has not begun,
/// or makes room for another fiber.
bool runner::finish_thread() {
    if (in_step_ && (simt_step.finishing || running_thread() == 0)) return finish_in_step();
    leave_step();
    if (the_observer) the_observer->thread_pauses(context, true);
    const unsigned thread = context.thread;
    state_[thread] = state::finished;
    patient_last_ = {};
    finished_lanes_[thread / WARP_SIZE] |= 1u << thread % WARP_SIZE;
    finished_++;
    if (meetings_[thread / WARP_SIZE].arrived) finish_meetings(thread / WARP_SIZE);

    const int mine = current_fiber_;
    const int next = next_thread();
    if (next != NONE && state_[next] == state::unstarted) {
        make_current(next, mine);
        return false;
    }
    free_fibers_.push_back(mine);
    if (next != NONE) make_current(next, fiber_of_[next]);
    leave_fiber(turns_[mine].stack, first_stacks_[mine],
                next == NONE ? scheduler_ : turns_[current_fiber_].stack);
    return false;
}

void runner::exit_thread() {
    leave_step();
    end_thread(first_stacks_[current_fiber_]);
}

/// The running thread waits, its state says for what; returns when it may go on.
void runner::suspend() {
    if (the_observer) the_observer->thread_pauses(context, false);
    const int mine = current_fiber_;
    const int next = next_thread();
    if (next == NONE) switch_fiber(turns_[mine].stack, scheduler_);  // a deadlock: never continued
    make_current(next, state_[next] == state::unstarted ? take_fiber() : fiber_of_[next]);
    if (current_fiber_ != mine) switch_fiber(turns_[mine].stack, turns_[current_fiber_].stack);
}

// ---- scheduling

void runner::wake(unsigned warp, uint32_t lanes) {
    if (lanes == 0) return;
    for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
        state_[warp * WARP_SIZE + __builtin_ctz(rest)] = state::ready;
    }
    ready_[warp] |= lanes;
    ready_warps_ |= 1u << warp;
}

bool runner::wake_held(unsigned warp) {
    if (!the_observer) return false;
    uint32_t lanes = the_observer->warp_drained(context, warp);
    for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
        const int lane = __builtin_ctz(rest);
        if (state_[warp * WARP_SIZE + lane] != state::held) lanes &= ~(1u << lane);
    }
    wake(warp, lanes);
    return lanes != 0;
}

/// The thread to run next, taken off the ready lists; NONE when the block has ended, well or not.
int runner::next_thread() {
    for (;;) {
        if (__builtin_expect(ready_[warp_] != 0, 1)) {
            const int lane = __builtin_ctz(ready_[warp_]);
            ready_[warp_] &= ready_[warp_] - 1;
            return int(warp_ * WARP_SIZE) + lane;
        }
        ready_warps_ &= ~(1u << warp_);
        if (wake_held(warp_) || wake_converging(warp_)) continue;
        if (ready_warps_ != 0) {
            const uint32_t later = ready_warps_ & ~((2u << warp_) - 1);
            warp_ = __builtin_ctz(later ? later : ready_warps_);
        } else if (finished_ == threads_) {
            return NONE;
        } else if (waiting_ + finished_ == threads_) {
            if (release_barrier()) continue;
            run_->fail(context.block, cudaErrorLaunchTimeout);
            abandoned_ = true;
            return NONE;
        } else if (patient_warps_ != 0 && run_->stopped) {  // what they wait for may never come
            abandoned_ = true;
            return NONE;
        } else if (wake_any_held() | wake_patient()) {
            continue;
        } else {
            report_deadlock();
            run_->fail(context.block, cudaErrorLaunchTimeout);
            abandoned_ = true;
            return NONE;
        }
    }
}

void runner::give_way() {
    leave_step();
    const unsigned warp = context.thread / WARP_SIZE;
    patient_[warp] |= 1u << context.thread % WARP_SIZE;
    patient_warps_ |= 1u << warp;
    suspend();
}

/// Nobody else can run: those that have given way do, one after the other. What they wait for may be up to
/// another block.
bool runner::wake_patient() {
    if (patient_warps_ == 0) return false;
    tell_of_patience();
    for (unsigned w = 0; w < warps_; w++) {
        wake(w, patient_[w]);
        patient_[w] = 0;
    }
    patient_warps_ = 0;
    sched_yield();
    return true;
}

/// The host may go on meanwhile. While it does not, once for a launch: what they wait for will never come, if it is the
/// host's to write.
void runner::tell_of_patience() {
    constexpr std::chrono::seconds LONG{5}, AT_WORK{1};
    constexpr std::chrono::milliseconds HOST_MAY_GO_ON{2};
    const auto now = std::chrono::steady_clock::now();
    if (now - patient_last_ > AT_WORK) patient_since_ = now;
    patient_last_ = now;
    if (now - patient_since_ >= HOST_MAY_GO_ON) note_patience(true);
    if (now - patient_since_ < LONG || !run_->host_waits || run_->patience_told.exchange(true)) return;
    on_large_stack([&] {
        complain(run_->info.name + " has waited for " + std::to_string(LONG.count()) +
                 " s for somebody to write what it reads: the host cannot, for it waits for the kernel, nor "
                 "can blocks that have not begun (block " +
                 std::to_string(context.block) + ")");
    });
}

void runner::note_patience(bool is_patient) {
    if (is_patient == is_patient_) return;
    is_patient_ = is_patient;
    run_->patient_blocks += is_patient ? 1 : -1;
    if (is_patient) tell_of_patient_block(*run_);
}

bool runner::wake_any_held() {
    for (unsigned w = 0; w < warps_; w++) {
        if (wake_held(w)) return true;
    }
    return false;
}

void runner::report_deadlock() {
    unsigned at_barrier = 0, in_warp = 0, waiting = 0;
    int barrier_thread = NONE, warp_thread = NONE, waiting_thread = NONE;
    for (unsigned t = 0; t < threads_; t++) {
        if (state_[t] == state::at_barrier && at_barrier++ == 0) barrier_thread = t;
        if (state_[t] == state::at_meeting && in_warp++ == 0) warp_thread = t;
        if (state_[t] == state::waiting && waiting++ == 0) waiting_thread = t;
    }
    const int example = warp_thread != NONE      ? warp_thread
                        : waiting_thread != NONE ? waiting_thread
                                                 : barrier_thread;
    std::string text = "the block can never finish: " + std::to_string(finished_) + " threads have returned";
    if (at_barrier) text += ", " + std::to_string(at_barrier) + " wait for the block at a barrier";
    if (in_warp) text += ", " + std::to_string(in_warp) + " wait for lanes of their warp that do not come";
    if (waiting) text += ", " + std::to_string(waiting) + " wait for threads of the block that do not come";
    text += " (" + thread_name(context, example < 0 ? 0 : example) + ")";
    trouble what{"deadlock", true, text};
    what.site = example < 0 ? 0 : site_[example];
    if (example != barrier_thread && barrier_thread != NONE) what.other_site = site_[barrier_thread];
    report(what);
}

void runner::hold() {
    state_[context.thread] = state::held;
    suspend();
}

/// Lanes that converge go on when nothing else in the warp can: those of the innermost function, and there those that are
/// least far, before the others, whom they may come to join.
bool runner::wake_converging(unsigned warp) {
    if (converging_ == 0) return false;
    const unsigned first = warp * WARP_SIZE;
    uint32_t lanes = 0;
    unsigned front = first;
    const auto is_before = [&](unsigned a, unsigned b) {
        return depth_[a] != depth_[b] ? depth_[a] > depth_[b] : place_[a] < place_[b];
    };
    for (uint32_t rest = live_lanes(warp); rest != 0; rest &= rest - 1) {
        const unsigned thread = first + __builtin_ctz(rest);
        if (state_[thread] != state::converging) continue;
        if (lanes == 0 || is_before(thread, front)) {
            lanes = 0;
            front = thread;
        }
        if (!is_before(front, thread)) lanes |= 1u << (thread - first);
    }
    for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
        meetings_[warp].lanes[__builtin_ctz(rest)].value = lanes;
    }
    wake(warp, lanes);
    converging_ -= __builtin_popcount(lanes);
    return lanes != 0;
}

uint32_t runner::converge(uintptr_t place, uintptr_t stack) {
    leave_step();
    const unsigned thread = context.thread;
    wait_to_converge(thread, place, stack);
    suspend();
    return uint32_t(meetings_[thread / WARP_SIZE].lanes[thread % WARP_SIZE].value);
}

bool runner::come_to_place(uintptr_t site, uintptr_t place, uintptr_t stack) {
    if (THREADS_WAIT_IN_KERNEL && lead_in_step(state::converging, site, true)) {
        place_in_step_ = place;
        return true;
    }
    converge(place, stack);
    return false;
}

void runner::wait_to_converge(unsigned thread, uintptr_t place, uintptr_t stack) {
    place_[thread] = place;
    depth_[thread] = address_of(first_stacks_[fiber_of_[thread]]) - stack;
    state_[thread] = state::converging;
    converging_++;
}

}  // namespace simt
