// Built-in variables, dynamic shared memory, barriers and clocks: what a thread knows of its block.
#pragma once
#include "simt/types.h"

/// A promise to nvcc, from which nothing follows here.
#define __builtin_assume(condition) static_cast<void>(0)

// const: GCC never instruments reads of read-only objects, and may keep them in a register across a barrier,
// which is right because they are constant within a thread. The engine defines the same symbols as writable.
extern const __thread uint3 threadIdx, blockIdx, blockDim, gridDim;
static constexpr int warpSize = 32;

struct simt_memory_range {
    size_t begin, bytes;
};
extern "C" {
/// Where __shared__ variables lie; empty if somebody watches.
extern const __thread simt_memory_range simt_statics;
/// Dynamic shared memory: every `extern __shared__` array is this one. Aligned: a float4 in it is one access.
extern __thread char simt_dynsmem[] __attribute__((aligned(1024)));

SIMT_DEVICE void __syncthreads();
/// Barriers that also give every thread the number of threads, or whether all or any, whose predicate holds.
SIMT_DEVICE int __syncthreads_count(int predicate);
SIMT_DEVICE int __syncthreads_and(int predicate);
SIMT_DEVICE int __syncthreads_or(int predicate);

/// Waits for all threads of all blocks of a cooperative launch; any other launch ends with an error.
SIMT_DEVICE void simt_grid_sync();
SIMT_DEVICE int simt_is_cooperative();

/// True in a kernel, false on the host.
bool simt_in_kernel();
/// Ends the launch with cudaErrorLaunchFailure.
[[noreturn]] void simt_trap();
/// The thread ends (PTX's exit). (nvcc does not know either that this never returns.)
void simt_exit_thread();
/// Cycles of the emulated device, at the rate of cudaDevAttrClockRate.
long long int simt_clock64();
/// A thread waits for another one; true. Pure in its way: memory that is not volatile may as well be read
/// before, as on a GPU. `once` keeps calls apart.
[[gnu::const, gnu::nothrow, gnu::leaf]] int simt_spin(int once);
/// Others run before this thread goes on.
void simt_give_way();
}

namespace simt {
/// In the condition of a loop that may wait for another thread.
[[gnu::always_inline]] inline bool spin() {
    int once;
    asm volatile("1: .pushsection simt_waits, \"a?\"\n .byte 0\n .popsection" : "=r"(once));
    asm volatile("" ::"r"(simt_spin(once)));
    return true;
}

/// Which of a function's two bodies runs, where __CUDA_ARCH__ makes a difference.
constexpr __attribute__((always_inline)) inline bool in_kernel() {
    return !__builtin_is_constant_evaluated() && simt_in_kernel();
}
}  // namespace simt

SIMT_DEVICE_INLINE long long int clock64() {
    return simt_clock64();
}
[[noreturn]] SIMT_DEVICE_INLINE void __trap() {
    simt_trap();
}
SIMT_DEVICE_INLINE void __nanosleep(unsigned int) {
    simt_give_way();
}

// Threads of a block run one after the other, so only the compiler has to keep the order.
SIMT_DEVICE_INLINE void __threadfence_block() {
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
}
SIMT_DEVICE_INLINE void __threadfence() {
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
SIMT_DEVICE_INLINE void __threadfence_system() {
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
