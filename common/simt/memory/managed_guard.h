// Under an observer the host faults at managed memory that kernels have used and it has not waited for: on a GPU they may
// be at work still.
#pragma once
#include <cstdint>

namespace simt {

/// From now on has_managed_memory() (engine/observer.h).
void note_managed_memory();

/// A launch has been asked for, or the host has waited: closes what work that is not over has changed, to writes what it has
/// read; all else is open.
void guard_managed_memory();
/// Kernels run, or functions of the host in the order of a stream.
void open_managed_memory_to_all();

/// True if the host has faulted because of the above: it may go on, and the observer knows what it has done.
bool is_told_of_fault(uintptr_t address, bool writes, uintptr_t site);

/// Code of the host that works in the order of streams, as Thrust's, cannot be told from what does not: nothing is closed to
/// it, managed or device memory. False.
bool never_close_memory();

}  // namespace simt
