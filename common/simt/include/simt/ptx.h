// What inline PTX may say: the rewriter turns asm("mov.u32 %0, %%laneid;" : "=r"(lane)) into
// lane = simt::ptx::laneid() (PTX ISA, "Special Registers", "bfind", "vabsdiff4").
#pragma once
#include "simt/execution.h"

extern "C" {
/// Nanoseconds since 1970.
unsigned long long int simt_globaltimer();
/// The multiprocessor of a block: they get blocks in turn.
unsigned int simt_smid();
unsigned int simt_nsmid();
}

namespace simt::ptx {

SIMT_DEVICE_INLINE unsigned int thread_of_block() {
    return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}
SIMT_DEVICE_INLINE unsigned int laneid() {
    return thread_of_block() % warpSize;
}
SIMT_DEVICE_INLINE unsigned int warpid() {
    return thread_of_block() / warpSize;
}
SIMT_DEVICE_INLINE unsigned int smid() {
    return simt_smid();
}
SIMT_DEVICE_INLINE unsigned int nsmid() {
    return simt_nsmid();
}

SIMT_DEVICE_INLINE unsigned int lanemask_eq() {
    return 1u << laneid();
}
SIMT_DEVICE_INLINE unsigned int lanemask_lt() {
    return lanemask_eq() - 1;
}
SIMT_DEVICE_INLINE unsigned int lanemask_le() {
    return lanemask_eq() | lanemask_lt();
}
SIMT_DEVICE_INLINE unsigned int lanemask_ge() {
    return ~lanemask_lt();
}
SIMT_DEVICE_INLINE unsigned int lanemask_gt() {
    return ~lanemask_le();
}

SIMT_DEVICE_INLINE long long int clock() {
    return clock64();
}
SIMT_DEVICE_INLINE unsigned long long int globaltimer() {
    return simt_globaltimer();
}

SIMT_DEVICE_INLINE void membar_cta() {
    __threadfence_block();
}
SIMT_DEVICE_INLINE void membar_gl() {
    __threadfence();
}

/// The number of the highest bit that is set, ~0 if none is.
SIMT_DEVICE_INLINE unsigned int bfind(unsigned int value) {
    return value == 0 ? ~0u : 31u - unsigned(__builtin_clz(value));
}

/// The distances of four bytes each, added up.
SIMT_DEVICE_INLINE unsigned int vabsdiff4_add(unsigned int a, unsigned int b, unsigned int sum) {
    for (int k = 0; k < 32; k += 8) {
        const int distance = int(a >> k & 255) - int(b >> k & 255);
        sum += unsigned(distance < 0 ? -distance : distance);
    }
    return sum;
}

}  // namespace simt::ptx
