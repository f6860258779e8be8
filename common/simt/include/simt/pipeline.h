// What asynchronous copies from global to shared memory are made of.
#pragma once
#include <cstddef>

extern "C" {
/// Copies `bytes` - `zeros` bytes and fills the rest with zeros.
/// bytes is 4, 8 or 16, both pointers aligned to it.
void __pipeline_memcpy_async(void* shared, const void* global, size_t bytes, size_t zeros = 0);
/// Closes a batch of the copies asked for since the last call.
void __pipeline_commit();
/// Waits for all batches of this thread but the newest `batches`.
void __pipeline_wait_prior(size_t batches);
}
