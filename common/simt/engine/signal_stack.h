// Where signal handlers run: not on the stack that may just have overflowed.
#pragma once

namespace simt {

/// Lets signal handlers run on this OS thread when a fiber's stack has overflowed.
/// Cheap after the first call.
void give_thread_a_signal_stack();

}  // namespace simt
