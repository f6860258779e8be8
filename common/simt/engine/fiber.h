// Fibers: stacks that one OS thread switches between without asking the system, in a few nanoseconds.
#pragma once
#include <cstddef>

namespace simt {

/// Where a suspended fiber's registers lie on its stack.
using fiber = void*;

/// A fiber on the stack that ends (at its high addresses) at `top`;
/// it starts in `entry`, which must never return.
fiber make_fiber(void* top, size_t stack_bytes, void (*entry)());

/// Suspends the running fiber into `from` and continues `to`. Both must belong to the same OS thread.
void switch_fiber(fiber& from, fiber to);

}  // namespace simt
