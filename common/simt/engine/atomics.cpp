// Atomic operations: blocks run at the same time on several runners, so these are the processor's own, but in shared
// memory, which no other runner sees.
#include <cstring>

#include "simt/engine/runner.h"
#include "simt/include/cuda_bf16.h"
#include "simt/include/cuda_fp16.h"

namespace {

using ull = unsigned long long int;

/// Who changes nothing, time and again, waits for somebody who does.
template <class type>
[[gnu::always_inline]] inline void note_change(const type& before, const type& after) {
    const void *const old_bits = &before, *const new_bits = &after;  // a NaN is as it was, too
    if (memcmp(old_bits, new_bits, sizeof before) == 0 && simt::current_runner) simt::current_runner->spin();
}

/// Replaces the value by function(value); returns the old one.
/// Values are exchanged as bits: a NaN equals itself.
template <class type, class function_type>
type update(type* address, void* return_address, const function_type& function) {
    simt::tell_access(address, sizeof(type), simt::access_kind::atomic, simt::address_of(return_address));
    type old;
    if (simt::current_block && simt::current_block->is_shared(simt::address_of(address))) {
        old = *address;
        const type desired = *address = function(old);
        note_change(old, desired);
        return old;
    }
    __atomic_load(address, &old, __ATOMIC_SEQ_CST);
    for (;;) {
        type desired = function(old);
        if (__atomic_compare_exchange(address, &old, &desired, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) {
            note_change(old, desired);
            return old;
        }
    }
}

template <class type>
type add(type* address, type value, void* caller) {
    return update(address, caller, [value](type old) { return type(old + value); });
}
template <class type>
type exchange(type* address, type value, void* caller) {
    return update(address, caller, [value](type) { return value; });
}
template <class type>
type minimum(type* address, type value, void* caller) {
    return update(address, caller, [value](type old) { return value < old ? value : old; });
}
template <class type>
type maximum(type* address, type value, void* caller) {
    return update(address, caller, [value](type old) { return value > old ? value : old; });
}
template <class type>
type compare_and_swap(type* address, type expected, type value, void* caller) {
    if (simt::current_block && simt::the_observer)
        simt::the_observer->compares_and_swaps(*simt::current_block, reinterpret_cast<uintptr_t>(address));
    return update(address, caller, [expected, value](type old) { return old == expected ? value : old; });
}
template <class type>
type bit_and(type* address, type value, void* caller) {
    return update(address, caller, [value](type old) { return type(old & value); });
}
template <class type>
type bit_or(type* address, type value, void* caller) {
    return update(address, caller, [value](type old) { return type(old | value); });
}
template <class type>
type bit_xor(type* address, type value, void* caller) {
    return update(address, caller, [value](type old) { return type(old ^ value); });
}

}  // namespace

__half atomicAdd(__half* address, __half value) {
    return add(address, value, __builtin_return_address(0));
}
__half2 atomicAdd(__half2* address, __half2 value) {
    return add(address, value, __builtin_return_address(0));
}
__nv_bfloat16 atomicAdd(__nv_bfloat16* address, __nv_bfloat16 value) {
    return add(address, value, __builtin_return_address(0));
}
__nv_bfloat162 atomicAdd(__nv_bfloat162* address, __nv_bfloat162 value) {
    return add(address, value, __builtin_return_address(0));
}
unsigned int simt_atomic_add(unsigned int* address, unsigned int value) {
    return add(address, value, __builtin_return_address(0));
}
ull simt_atomic_add(ull* address, ull value) {
    return add(address, value, __builtin_return_address(0));
}
float simt_atomic_add(float* address, float value) {
    return add(address, value, __builtin_return_address(0));
}
double simt_atomic_add(double* address, double value) {
    return add(address, value, __builtin_return_address(0));
}
int atomicSub(int* address, int value) {
    return update(address, __builtin_return_address(0), [value](int old) { return old - value; });
}
unsigned int atomicSub(unsigned int* address, unsigned int value) {
    return update(address, __builtin_return_address(0), [value](unsigned int old) { return old - value; });
}
int atomicExch(int* address, int value) {
    return exchange(address, value, __builtin_return_address(0));
}
unsigned int atomicExch(unsigned int* address, unsigned int value) {
    return exchange(address, value, __builtin_return_address(0));
}
ull atomicExch(ull* address, ull value) {
    return exchange(address, value, __builtin_return_address(0));
}
float atomicExch(float* address, float value) {
    return exchange(address, value, __builtin_return_address(0));
}
int atomicMin(int* address, int value) {
    return minimum(address, value, __builtin_return_address(0));
}
unsigned int atomicMin(unsigned int* address, unsigned int value) {
    return minimum(address, value, __builtin_return_address(0));
}
long long int atomicMin(long long int* address, long long int value) {
    return minimum(address, value, __builtin_return_address(0));
}
ull atomicMin(ull* address, ull value) {
    return minimum(address, value, __builtin_return_address(0));
}
int atomicMax(int* address, int value) {
    return maximum(address, value, __builtin_return_address(0));
}
unsigned int atomicMax(unsigned int* address, unsigned int value) {
    return maximum(address, value, __builtin_return_address(0));
}
long long int atomicMax(long long int* address, long long int value) {
    return maximum(address, value, __builtin_return_address(0));
}
ull atomicMax(ull* address, ull value) {
    return maximum(address, value, __builtin_return_address(0));
}
unsigned int atomicInc(unsigned int* address, unsigned int limit) {
    return update(address, __builtin_return_address(0),
                  [limit](unsigned int old) { return old >= limit ? 0 : old + 1; });
}
unsigned int atomicDec(unsigned int* address, unsigned int limit) {
    return update(address, __builtin_return_address(0),
                  [limit](unsigned int old) { return old == 0 || old > limit ? limit : old - 1; });
}
int atomicCAS(int* address, int expected, int value) {
    return compare_and_swap(address, expected, value, __builtin_return_address(0));
}
unsigned int atomicCAS(unsigned int* address, unsigned int expected, unsigned int value) {
    return compare_and_swap(address, expected, value, __builtin_return_address(0));
}
ull atomicCAS(ull* address, ull expected, ull value) {
    return compare_and_swap(address, expected, value, __builtin_return_address(0));
}
unsigned short int atomicCAS(unsigned short int* address, unsigned short int expected,
                             unsigned short int value) {
    return compare_and_swap(address, expected, value, __builtin_return_address(0));
}
int atomicAnd(int* address, int value) {
    return bit_and(address, value, __builtin_return_address(0));
}
unsigned int atomicAnd(unsigned int* address, unsigned int value) {
    return bit_and(address, value, __builtin_return_address(0));
}
ull atomicAnd(ull* address, ull value) {
    return bit_and(address, value, __builtin_return_address(0));
}
int atomicOr(int* address, int value) {
    return bit_or(address, value, __builtin_return_address(0));
}
unsigned int atomicOr(unsigned int* address, unsigned int value) {
    return bit_or(address, value, __builtin_return_address(0));
}
ull atomicOr(ull* address, ull value) {
    return bit_or(address, value, __builtin_return_address(0));
}
int atomicXor(int* address, int value) {
    return bit_xor(address, value, __builtin_return_address(0));
}
unsigned int atomicXor(unsigned int* address, unsigned int value) {
    return bit_xor(address, value, __builtin_return_address(0));
}
ull atomicXor(ull* address, ull value) {
    return bit_xor(address, value, __builtin_return_address(0));
}
