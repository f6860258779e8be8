// The runners of the process.
#pragma once
#include "simt/engine/runner.h"

namespace simt {

/// Executes all blocks of a launch, on the calling thread and on as many further
/// ones as SIMT_THREADS says (default: one per processor). One launch at a time.
/// False, with one line on stderr, if there is no memory for stacks.
bool run_grid(grid_run& run);

}  // namespace simt
