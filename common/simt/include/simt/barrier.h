// Barriers that are no calls, and which of both kinds a file has.
#pragma once
#include "simt/execution.h"

extern "C" {
/// The lanes of the warp that can run come to this place of the text, or behind it, before one goes on.
SIMT_DEVICE void simt_keep_in_step(unsigned int place);
}

#ifdef __x86_64__
/// Goes on at %rcx, later. The thread waits where it stands, with nothing in a register but %rbp and %rsp, which are kept
/// (engine/turns.cpp).
#define SIMT_WAIT_IN_KERNEL(for_whom, place)                                                              \
    asm volatile(                                                                                         \
        "leaq 1f(%%rip), %%rcx\n\t"                                                                       \
        "jmp " for_whom                                                                                   \
        "\n"                                                                                              \
        "1:"                                                                                              \
        : "+d"(place)::"rax", "rbx", "rcx", "rsi", "rdi", "r8", "r9", "r10", "r11", "r12", "r13", "r14",  \
          "r15", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", \
          "xmm11", "xmm12", "xmm13", "xmm14", "xmm15", "memory", "cc")

/// __syncthreads() where nobody watches: the rewriter writes it in its place.
SIMT_DEVICE_INLINE void simt_syncthreads() {
    unsigned int nowhere = 0;
    SIMT_WAIT_IN_KERNEL("simt_barrier", nowhere);
}
/// simt_keep_in_step() there.
SIMT_ALWAYS_INLINE void simt_wait_in_step(unsigned int place) {
    SIMT_WAIT_IN_KERNEL("simt_converge", place);
}
#undef SIMT_WAIT_IN_KERNEL
#else
extern "C" {
SIMT_DEVICE void simt_syncthreads() __asm__("__syncthreads");
SIMT_DEVICE void simt_wait_in_step(unsigned int place) __asm__("simt_keep_in_step");
}
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
[[gnu::always_inline]] inline void keep_in_step(unsigned int place) {
    if constexpr (WAIT_IN_KERNEL)
        simt_wait_in_step(place);
    else
        simt_keep_in_step(place);
}
}  // namespace simt
