// Faults of kernels and of host code become findings with a line of source.
#pragma once

namespace simt {

/// Lets the fault handler run on this OS thread when a fiber's stack has overflowed. Cheap after the first
/// call.
void give_thread_a_signal_stack();

}  // namespace simt
