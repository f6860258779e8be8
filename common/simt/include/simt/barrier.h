// Barriers that are no calls, and which of both kinds a file has.
#pragma once
#include "simt/execution.h"

#ifdef __x86_64__
/// __syncthreads() where nobody watches: the rewriter writes it in its place. The thread waits where it stands, with
/// nothing in a register but %rbp and %rsp, which are kept (engine/turns.cpp).
SIMT_DEVICE_INLINE void simt_syncthreads() {
    asm volatile(
        "leaq 1f(%%rip), %%rcx\n\t"
        "jmp simt_barrier\n"
        "1:" ::
            : "rax", "rbx", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15",
              "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10",
              "xmm11", "xmm12", "xmm13", "xmm14", "xmm15", "memory", "cc");
}
#else
extern "C" SIMT_DEVICE void simt_syncthreads() __asm__("__syncthreads");
#endif

namespace simt {
/// The rewriter makes it true where __syncthreads() becomes simt_syncthreads().
inline constexpr bool WAIT_IN_KERNEL = false;
/// True for shared memory where nobody watches; where somebody does the engine has to be asked.
[[gnu::always_inline]] inline bool is_unwatched_shared(const volatile void* address) {
    return WAIT_IN_KERNEL && reinterpret_cast<size_t>(address) - simt_statics.begin < simt_statics.bytes;
}
/// A barrier of the backend's own headers.
[[gnu::always_inline]] SIMT_DEVICE inline void wait_for_block() {
    if constexpr (WAIT_IN_KERNEL)
        simt_syncthreads();
    else
        __syncthreads();
}
}  // namespace simt
