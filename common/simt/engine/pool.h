// The runners of the process, and what each of their OS threads needs.
#pragma once
#include "simt/engine/runner.h"

namespace simt {

/// From now on the host waits for every launch, and runners are made when there is one: in a lab's worker, whose threads the
/// judge asks where they are.
void keep_host_waiting();
/// Whether it may go on without a kernel that waits for it. Nobody watches kernels that run beside the host.
bool host_may_go_on();

/// Makes the threads that launches run on, and stacks for blocks of the usual size: the first launch finds them. For what
/// is asked for before that launch.
void make_runners();

/// Executes all blocks of a launch, on the calling thread and on as many further ones as SIMT_THREADS says (default: one
/// per processor); of a cooperative one each on an OS thread of its own. One launch at a time, but for one that goes on
/// without the host. False, with one line on stderr, if there is no memory for stacks.
bool run_grid(grid_run& run);

/// The same on other threads than this one, which goes on at once.
bool begin_grid(grid_run& run);
/// Waits until the launch has ended: true; or until all that is left of it waits for somebody outside: false.
bool ends_without_host(const grid_run& run);
bool has_ended(const grid_run& run);
/// Waits until it has.
void finish_grid(const grid_run& run);

/// One more block of the launch does nothing but wait.
void tell_of_patient_block(const grid_run& run);

/// Lets signal handlers run on this OS thread when a fiber's stack has overflowed.
/// Cheap after the first call.
void give_thread_a_signal_stack();

}  // namespace simt
