// The runners of the process, and what each of their OS threads needs.
#pragma once
#include "simt/engine/runner.h"

namespace simt {

/// Executes all blocks of a launch, on the calling thread and on as many further
/// ones as SIMT_THREADS says (default: one per processor). One launch at a time.
/// False, with one line on stderr, if there is no memory for stacks.
bool run_grid(grid_run& run);

/// The same for a launch whose blocks are all there at the same time, each on an OS thread of its own.
bool run_cooperative_grid(grid_run& run);

/// Lets signal handlers run on this OS thread when a fiber's stack has overflowed.
/// Cheap after the first call.
void give_thread_a_signal_stack();

}  // namespace simt
