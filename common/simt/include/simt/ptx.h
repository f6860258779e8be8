// What inline PTX may say: the rewriter turns asm("mov.u32 %0, %%laneid;" : "=r"(lane)) into
// lane = simt::ptx::laneid() (PTX ISA, "Special Registers", "bfe", "bfi", "bfind", "vabsdiff4").
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

/// So many bits from one on; beyond the highest bit there are zeros. Of position and number the lowest 8 bits count.
SIMT_DEVICE_INLINE unsigned int bfe(unsigned int value, unsigned int from, unsigned int bits) {
    const unsigned int begin = from & 255, count = bits & 255;
    const unsigned int rest = begin < 32 ? value >> begin : 0;
    return count < 32 ? rest & ((1u << count) - 1) : rest;
}
/// The same as a number with a sign: beyond the highest bit, and above the highest of the field, there is its sign.
SIMT_DEVICE_INLINE int bfe_signed(int value, unsigned int from, unsigned int bits) {
    const unsigned int begin = from & 255, count = bits & 255;
    if (count == 0) return 0;
    const int rest = value >> (begin < 32 ? begin : 31);
    return count < 32 ? int(unsigned(rest) << (32 - count)) >> (32 - count) : rest;
}
/// The value with so many bits of the field in it, from one on.
SIMT_DEVICE_INLINE unsigned int bfi(unsigned int field, unsigned int value, unsigned int from,
                                    unsigned int bits) {
    const unsigned int begin = from & 255, count = bits & 255;
    if (begin >= 32) return value;
    const unsigned int mask = (count < 32 ? (1u << count) - 1 : ~0u) << begin;
    return (value & ~mask) | (field << begin & mask);
}
SIMT_DEVICE_INLINE unsigned int brev(unsigned int value) {
    return __brev(value);
}
SIMT_DEVICE_INLINE unsigned int clz(unsigned int value) {
    return unsigned(__clz(int(value)));
}
SIMT_DEVICE_INLINE unsigned int popc(unsigned int value) {
    return unsigned(__popc(value));
}
SIMT_DEVICE_INLINE unsigned int mul_hi(unsigned int a, unsigned int b) {
    return __umulhi(a, b);
}
/// __byte_perm(); where the highest bit of a nibble is set there is the sign of its byte, eight times.
SIMT_DEVICE_INLINE unsigned int prmt(unsigned int a, unsigned int b, unsigned int selector) {
    const unsigned int chosen = __byte_perm(a, b, selector);
    unsigned int result = 0;
    for (int k = 0; k < 4; k++) {
        const unsigned int byte = chosen >> (8 * k) & 255;
        result |= (selector >> (4 * k) & 8 ? (byte >> 7) * 255 : byte) << (8 * k);
    }
    return result;
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
