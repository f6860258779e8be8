// Locks for small pieces of global memory, held from the announcement of a store
// until its value has been read back.
#pragma once
#include <cstdint>

namespace inspect {

/// Locks the 16-byte piece around an address; returns the lock's number, or -1 if it could not be had in
/// reasonable time (the holder's thread has crashed). A runner holds one lock at a time, so runners cannot
/// wait for each other in a circle.
int lock_piece(uintptr_t address);
void unlock_piece(int lock);

}  // namespace inspect
