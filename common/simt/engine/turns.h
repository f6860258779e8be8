// Turns: how a thread in step (step.cpp) hands the processor to the next one, in a few instructions.
#pragma once
#include <cstddef>
#include <cstdint>

#include "simt/engine/fiber.h"
#include "simt/engine/observer.h"

namespace simt {

#if defined(__x86_64__) && !defined(SIMT_FIBER_BOOST)
inline constexpr bool THREADS_WAIT_IN_KERNEL = true;
#else
inline constexpr bool THREADS_WAIT_IN_KERNEL = false;
#endif

/// What a thread needs to go on. Fibers that wait in switch_fiber need their stack alone.
struct alignas(32) turn {
    fiber stack = nullptr;
    void* frame = nullptr;  // %rbp of a thread that waits in its kernel (simt_syncthreads() of execution.h)
    uint3 index{};          // threadIdx
    unsigned thread = 0;
};

/// threadIdx as the engine writes it, and the thread's number behind it.
struct thread_words {
    uint3 index{};
    unsigned thread = 0;
};

/// Whose turn it is in this OS thread's block. All threads after that one go on at the same place, `resume`.
struct step_state {
    uintptr_t site =
        0;  // the barrier at which the threads before the running one wait; 0: there are none, or no step
    turn *now = nullptr, *first = nullptr, *last = nullptr;
    void* resume = nullptr;
    bool all_begun =
        false;  // each thread has the fiber of its number; else those before the running one have
    bool in_kernel = false;  // those before the running one wait in their kernels, not in switch_fiber
    bool finishing = false;  // those before the running one have returned
};

/// What the threads of this OS thread's block execute.
struct kernel_words {
    void (*call)(const void* kernel, const void* closure) = nullptr;
    const void *kernel = nullptr, *closure = nullptr;
};

/// Where a fiber goes on that waits in switch_fiber.
void* where_fibers_continue();
/// Where a thread begins on an empty fiber.
void* where_threads_begin();
/// The running thread waits in its fiber; the next one goes on at simt_step.resume.
void switch_turn(turn& from, turn& to);
/// The running thread has ended: another one begins on its fiber when that is continued the next time. `empty` is the
/// fiber as make_fiber gave it; where this returns, it does so then.
void leave_fiber(fiber& mine, fiber empty, fiber to);
/// The running thread, which is not in step, ends as if its kernel had returned. `empty` is its fiber as make_fiber gave it.
[[noreturn]] void end_thread(fiber empty);
/// A thread that waits in its kernel at this place may be continued by switch_fiber from now on.
void wait_in_fiber(turn& waiting, void* place);

}  // namespace simt

extern __thread simt::thread_words simt_thread __asm__("threadIdx");
namespace simt {
/// The running thread's number, in step, too, where context.thread is not kept up.
inline unsigned running_thread() {
    return simt_thread.thread;
}
}  // namespace simt
extern "C" __thread simt::step_state simt_step;
extern "C" __thread simt::kernel_words simt_kernel;
/// What a fiber does: threads begin and end on it, one after the other.
extern "C" void simt_begin_fiber();
/// The running thread has returned from its kernel. True: the next one in step goes on; false: another one begins on
/// this fiber.
extern "C" bool simt_finish_thread();
/// The running thread has come to a barrier, at which it can wait in its kernel. True: it shall, as all after it will;
/// false: it has waited already.
extern "C" bool simt_come_to_barrier(uintptr_t site);
/// The same of a place where lanes converge (simt_keep_in_step() of warp.h), from this end of the thread's stack.
extern "C" bool simt_come_to_place(uintptr_t site, unsigned place, uintptr_t stack);
