// Atomic operations on device and shared memory. Each returns the old value. They are calls into the engine,
// whose return address tells the inspector which line made the access; but see add_atomically().
#pragma once
#include "simt/barrier.h"

SIMT_DEVICE unsigned int simt_atomic_add(unsigned int* address, unsigned int value);
SIMT_DEVICE unsigned long long int simt_atomic_add(unsigned long long int* address,
                                                   unsigned long long int value);
SIMT_DEVICE float simt_atomic_add(float* address, float value);
SIMT_DEVICE double simt_atomic_add(double* address, double value);

namespace simt {
/// Where nobody watches, a sum in shared memory is no call: threads of a block have their turns one after the other.
/// Who adds nothing waits for somebody who does, and only the engine can give that one its turn.
template <class type>
[[gnu::always_inline]] SIMT_DEVICE inline type add_atomically(type* address, type value) {
    if (WAIT_IN_KERNEL && value != 0 && is_unwatched_shared(address)) {
        const type old = *address;
        *address = old + value;
        return old;
    }
    return simt_atomic_add(address, value);
}
}  // namespace simt

SIMT_DEVICE_INLINE unsigned int atomicAdd(unsigned int* address, unsigned int value) {
    return simt::add_atomically(address, value);
}
/// Sums of signed ones wrap around, too.
SIMT_DEVICE_INLINE int atomicAdd(int* address, int value) {
    return int(simt::add_atomically(reinterpret_cast<unsigned int*>(address), unsigned(value)));
}
SIMT_DEVICE_INLINE unsigned long long int atomicAdd(unsigned long long int* address,
                                                    unsigned long long int value) {
    return simt::add_atomically(address, value);
}
SIMT_DEVICE_INLINE float atomicAdd(float* address, float value) {
    return simt::add_atomically(address, value);
}
SIMT_DEVICE_INLINE double atomicAdd(double* address, double value) {
    return simt::add_atomically(address, value);
}

SIMT_DEVICE int atomicSub(int* address, int value);
SIMT_DEVICE unsigned int atomicSub(unsigned int* address, unsigned int value);

SIMT_DEVICE int atomicExch(int* address, int value);
SIMT_DEVICE unsigned int atomicExch(unsigned int* address, unsigned int value);
SIMT_DEVICE unsigned long long int atomicExch(unsigned long long int* address, unsigned long long int value);
SIMT_DEVICE float atomicExch(float* address, float value);

SIMT_DEVICE int atomicMin(int* address, int value);
SIMT_DEVICE unsigned int atomicMin(unsigned int* address, unsigned int value);
SIMT_DEVICE long long int atomicMin(long long int* address, long long int value);
SIMT_DEVICE unsigned long long int atomicMin(unsigned long long int* address, unsigned long long int value);

SIMT_DEVICE int atomicMax(int* address, int value);
SIMT_DEVICE unsigned int atomicMax(unsigned int* address, unsigned int value);
SIMT_DEVICE long long int atomicMax(long long int* address, long long int value);
SIMT_DEVICE unsigned long long int atomicMax(unsigned long long int* address, unsigned long long int value);

/// old >= limit ? 0 : old + 1
SIMT_DEVICE unsigned int atomicInc(unsigned int* address, unsigned int limit);
/// old == 0 || old > limit ? limit : old - 1
SIMT_DEVICE unsigned int atomicDec(unsigned int* address, unsigned int limit);

SIMT_DEVICE int atomicCAS(int* address, int expected, int value);
SIMT_DEVICE unsigned int atomicCAS(unsigned int* address, unsigned int expected, unsigned int value);
SIMT_DEVICE unsigned long long int atomicCAS(unsigned long long int* address, unsigned long long int expected,
                                             unsigned long long int value);
SIMT_DEVICE unsigned short int atomicCAS(unsigned short int* address, unsigned short int expected,
                                         unsigned short int value);

SIMT_DEVICE int atomicAnd(int* address, int value);
SIMT_DEVICE unsigned int atomicAnd(unsigned int* address, unsigned int value);
SIMT_DEVICE unsigned long long int atomicAnd(unsigned long long int* address, unsigned long long int value);
SIMT_DEVICE int atomicOr(int* address, int value);
SIMT_DEVICE unsigned int atomicOr(unsigned int* address, unsigned int value);
SIMT_DEVICE unsigned long long int atomicOr(unsigned long long int* address, unsigned long long int value);
SIMT_DEVICE int atomicXor(int* address, int value);
SIMT_DEVICE unsigned int atomicXor(unsigned int* address, unsigned int value);
SIMT_DEVICE unsigned long long int atomicXor(unsigned long long int* address, unsigned long long int value);

// Scopes: a wider one is always right.
#define SIMT_SCOPE(name)                                                     \
    template <class type, class value_type>                                  \
    SIMT_DEVICE_INLINE type name##_block(type* address, value_type value) {  \
        return name(address, static_cast<type>(value));                      \
    }                                                                        \
    template <class type, class value_type>                                  \
    SIMT_DEVICE_INLINE type name##_system(type* address, value_type value) { \
        return name(address, static_cast<type>(value));                      \
    }
SIMT_SCOPE(atomicAdd)
SIMT_SCOPE(atomicSub)
SIMT_SCOPE(atomicExch)
SIMT_SCOPE(atomicMin)
SIMT_SCOPE(atomicMax)
SIMT_SCOPE(atomicInc)
SIMT_SCOPE(atomicDec)
SIMT_SCOPE(atomicAnd)
SIMT_SCOPE(atomicOr)
SIMT_SCOPE(atomicXor)
#undef SIMT_SCOPE
template <class type, class expected_type, class value_type>
SIMT_DEVICE_INLINE type atomicCAS_block(type* address, expected_type expected, value_type value) {
    return atomicCAS(address, static_cast<type>(expected), static_cast<type>(value));
}
template <class type, class expected_type, class value_type>
SIMT_DEVICE_INLINE type atomicCAS_system(type* address, expected_type expected, value_type value) {
    return atomicCAS(address, static_cast<type>(expected), static_cast<type>(value));
}
