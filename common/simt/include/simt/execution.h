// Built-in variables, dynamic shared memory, barriers and clocks: what a thread knows of its block.
#pragma once
#include "simt/types.h"

// const: GCC never instruments reads of read-only objects, and may keep them in a register across a barrier,
// which is right because they are constant within a thread. The engine defines the same symbols as writable.
extern const __thread uint3 threadIdx, blockIdx, blockDim, gridDim;
static constexpr int warpSize = 32;

extern "C" {
/// Dynamic shared memory: every `extern __shared__` array is this one.
extern __thread char simt_dynsmem[];

void __syncthreads();
/// Barriers that also give every thread the number of threads, or whether all or any, whose predicate holds.
int __syncthreads_count(int predicate);
int __syncthreads_and(int predicate);
int __syncthreads_or(int predicate);

/// Ends the launch with cudaErrorLaunchFailure.
[[noreturn]] void simt_trap();
/// A counter of this machine's CPU, not of a multiprocessor.
long long int simt_clock64();
}

SIMT_INLINE long long int clock64() {
    return simt_clock64();
}
[[noreturn]] SIMT_INLINE void __trap() {
    simt_trap();
}
SIMT_INLINE void __nanosleep(unsigned int) {}

// Threads of a block run one after the other, so only the compiler has to keep the order.
SIMT_INLINE void __threadfence_block() {
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
}
SIMT_INLINE void __threadfence() {
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
SIMT_INLINE void __threadfence_system() {
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
