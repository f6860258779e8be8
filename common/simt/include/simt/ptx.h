// What inline PTX may say: the rewriter (simt/rewrite/assembly.cpp) turns asm("popc.b32 %0, %1;" : "=r"(n) : "r"(word)) into
// simt::ptx::put(n, simt::ptx::popc(simt::ptx::input(word))). What it reads and writes is in ptx_memory.h.
#pragma once
#include <type_traits>

#include "simt/arithmetic.h"
#include "simt/conversions.h"
#include "simt/execution.h"
#include "simt/float16_bits.h"
#include "simt/min_max.h"
#include "simt/packed_integers.h"
#include "simt/phases.h"
#include "simt/warp.h"

extern "C" {
/// Nanoseconds since 1970.
unsigned long long int simt_globaltimer();
/// The multiprocessor of a block: they get blocks in turn.
unsigned int simt_smid();
unsigned int simt_nsmid();
}

namespace simt::ptx {

// ---- operands: a register's bits, whatever type the variable has

template <class to_type, class from_type>
SIMT_ALWAYS_INLINE to_type bits_as(from_type from) {
    if constexpr (std::is_pointer_v<from_type> || std::is_pointer_v<to_type>)
        return (to_type)from;
    else if constexpr (sizeof(to_type) == sizeof(from_type) && !std::is_enum_v<from_type>)
        return same_bits<to_type>(from);
    else
        return static_cast<to_type>(from);
}

template <class type>
struct input {
    type value;
    SIMT_ALWAYS_INLINE explicit input(type value) : value(value) {}
    template <class to_type>
    SIMT_ALWAYS_INLINE operator to_type() const {
        return bits_as<to_type>(value);
    }
};
template <class to_type, class from_type>
SIMT_ALWAYS_INLINE void put(to_type& to, from_type value) {
    to = bits_as<to_type>(value);
}

// ---- special registers

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

#define SIMT_PTX_PLACE(name, variable)           \
    SIMT_DEVICE_INLINE unsigned int name##_x() { \
        return variable.x;                       \
    }                                            \
    SIMT_DEVICE_INLINE unsigned int name##_y() { \
        return variable.y;                       \
    }                                            \
    SIMT_DEVICE_INLINE unsigned int name##_z() { \
        return variable.z;                       \
    }
SIMT_PTX_PLACE(tid, threadIdx)
SIMT_PTX_PLACE(ntid, blockDim)
SIMT_PTX_PLACE(ctaid, blockIdx)
SIMT_PTX_PLACE(nctaid, gridDim)
#undef SIMT_PTX_PLACE

SIMT_DEVICE_INLINE long long int clock() {
    return clock64();
}
SIMT_DEVICE_INLINE unsigned long long int globaltimer() {
    return simt_globaltimer();
}

SIMT_DEVICE_INLINE long long int clock64() {
    return ::clock64();
}

// ---- order and control

SIMT_DEVICE_INLINE void bar_sync(int barrier, unsigned int threads = 0) {
    if (threads != 0 && threads != blockDim.x * blockDim.y * blockDim.z)
        simt_refuse("bar.sync of fewer threads than the block has is not on the CPU backend");
    if (barrier != 0) simt_refuse("bar.sync of another barrier than 0 is not on the CPU backend");
    __syncthreads();
}
SIMT_DEVICE_INLINE void bar_warp_sync(unsigned int mask) {
    __syncwarp(mask);
}
SIMT_DEVICE_INLINE void nanosleep(unsigned int nanoseconds) {
    __nanosleep(nanoseconds);
}
SIMT_DEVICE_INLINE void trap() {
    __trap();
}
SIMT_DEVICE_INLINE void exit() {
    simt_exit_thread();
}
SIMT_DEVICE_INLINE void membar_cta() {
    __threadfence_block();
}
SIMT_DEVICE_INLINE void membar_gl() {
    __threadfence();
}

// ---- arithmetic (PTX ISA, the instructions of these names): integers are modulo a power of two

template <class type>
using wide = std::conditional_t<std::is_integral_v<type>, unsigned long long, type>;
#define SIMT_PTX(name, parameters, value)     \
    template <class type>                     \
    SIMT_DEVICE_INLINE type name parameters { \
        return static_cast<type>(value);      \
    }
SIMT_PTX(mov, (type a), a)
SIMT_PTX(abs, (type a), a < 0 ? -a : a)
SIMT_PTX(neg, (type a), -wide<type>(a))
SIMT_PTX(sqrt, (type a), ::sqrt(a))
SIMT_PTX(add, (type a, type b), wide<type>(a) + wide<type>(b))
SIMT_PTX(sub, (type a, type b), wide<type>(a) - wide<type>(b))
SIMT_PTX(mul, (type a, type b), wide<type>(a) * wide<type>(b))
SIMT_PTX(mad, (type a, type b, type c), wide<type>(a) * wide<type>(b) + wide<type>(c))
SIMT_PTX(div, (type a, type b), a / b)
SIMT_PTX(bit_and, (type a, type b), a& b)
SIMT_PTX(bit_or, (type a, type b), a | b)
SIMT_PTX(bit_xor, (type a, type b), a ^ b)
SIMT_PTX(bit_not, (type a), ~a)
SIMT_PTX(shl, (type a, unsigned int by), by < 8 * sizeof(type) ? wide<type>(a) << by : 0)
SIMT_PTX(shr, (type a, unsigned int by),
         a >> (by < 8 * sizeof(type) ? by : 8 * sizeof(type) - 1) >> (by >= 8 * sizeof(type)))
SIMT_PTX(dp4a, (type a, type b, type c), __dp4a(a, b, c))
#undef SIMT_PTX

// ---- sums of several words: the carry, or what was borrowed, comes from the instruction before and goes to the one behind

template <class type>
SIMT_DEVICE_INLINE type addc(type a, type b, bool& carry) {
    using word = std::make_unsigned_t<type>;
    const word sum = word(a) + word(b), all = sum + carry;
    carry = sum < word(a) || all < sum;
    return static_cast<type>(all);
}
template <class type>
SIMT_DEVICE_INLINE type subc(type a, type b, bool& carry) {
    using word = std::make_unsigned_t<type>;
    const word difference = word(a) - word(b), all = difference - carry;
    carry = word(a) < word(b) || difference < all;
    return static_cast<type>(all);
}
template <class type>
SIMT_DEVICE_INLINE type product_high(type a, type b) {
    using wide = std::conditional_t<std::is_signed_v<type>, __int128, unsigned __int128>;
    return static_cast<type>(wide(a) * wide(b) >> 8 * sizeof(type));
}
template <class type>
SIMT_DEVICE_INLINE type madc_lo(type a, type b, type c, bool& carry) {
    return addc(mul<type>(a, b), c, carry);
}
template <class type>
SIMT_DEVICE_INLINE type madc_hi(type a, type b, type c, bool& carry) {
    return addc(product_high(a, b), c, carry);
}
#define SIMT_PTX_CARRY(name, parameters, value) \
    template <class type>                       \
    SIMT_DEVICE_INLINE type name parameters {   \
        carry = false;                          \
        return value;                           \
    }
SIMT_PTX_CARRY(add_cc, (type a, type b, bool& carry), addc(a, b, carry))
SIMT_PTX_CARRY(sub_cc, (type a, type b, bool& carry), subc(a, b, carry))
SIMT_PTX_CARRY(mad_lo_cc, (type a, type b, type c, bool& carry), madc_lo(a, b, c, carry))
SIMT_PTX_CARRY(mad_hi_cc, (type a, type b, type c, bool& carry), madc_hi(a, b, c, carry))
#undef SIMT_PTX_CARRY

/// Of two zeros the negative one is smaller; a NaN is neither smaller nor larger than a number.
template <class type>
SIMT_ALWAYS_INLINE bool is_below(type a, type b) {
    if constexpr (std::is_floating_point_v<type>)
        return b != b || a < b || (a == b && __builtin_signbit(a));
    else
        return a < b;
}
template <class type>
SIMT_DEVICE_INLINE type min(type a, type b) {
    return is_below(a, b) ? a : b;
}
template <class type>
SIMT_DEVICE_INLINE type max(type a, type b) {
    return is_below(a, b) && b == b ? b : a == a ? a : b;
}
template <class type>
SIMT_DEVICE_INLINE type fma(type a, type b, type c) {
    if constexpr (std::is_same_v<type, float>)
        return __builtin_fmaf(a, b, c);
    else
        return __builtin_fma(a, b, c);
}
SIMT_DEVICE_INLINE unsigned long long mul_wide(unsigned int a, unsigned int b) {
    return static_cast<unsigned long long>(a) * b;
}
SIMT_DEVICE_INLINE long long mul_wide_signed(int a, int b) {
    return static_cast<long long>(a) * b;
}
SIMT_DEVICE_INLINE int mul_hi_signed(int a, int b) {
    return __mulhi(a, b);
}
SIMT_DEVICE_INLINE unsigned int sad(unsigned int a, unsigned int b, unsigned int sum) {
    return sum + (a > b ? a - b : b - a);
}
/// Shifts by more than 31 bits leave nothing.
SIMT_DEVICE_INLINE unsigned int vshl_add(unsigned int a, unsigned int by, unsigned int sum) {
    return shl<unsigned int>(a, by) + sum;
}
SIMT_DEVICE_INLINE unsigned int vshr_add(unsigned int a, unsigned int by, unsigned int sum) {
    return shr<unsigned int>(a, by) + sum;
}
SIMT_DEVICE_INLINE unsigned int vadd_add(unsigned int a, unsigned int b, unsigned int sum) {
    return a + b + sum;
}
SIMT_DEVICE_INLINE float mul_rz(float a, float b) {
    return __fmul_rz(a, b);
}
SIMT_DEVICE_INLINE float fma_rz(float a, float b, float c) {
    return __fmaf_rz(a, b, c);
}
template <class to_type, class from_type>
SIMT_DEVICE_INLINE to_type cvt(from_type a) {
    return simt::cast<to_type>(a);
}
SIMT_DEVICE_INLINE unsigned int shf_l_wrap(unsigned int low, unsigned int high, unsigned int by) {
    return __funnelshift_l(low, high, by);
}
SIMT_DEVICE_INLINE unsigned int shf_r_wrap(unsigned int low, unsigned int high, unsigned int by) {
    return __funnelshift_r(low, high, by);
}
/// Bit k of the table is the result where a, b and c are the bits of k, a the highest.
SIMT_DEVICE_INLINE unsigned int lop3(unsigned int a, unsigned int b, unsigned int c, unsigned int table) {
    unsigned int result = 0;
    for (unsigned int k = 0; k < 8; k++) {
        if (table >> k & 1) result |= (k & 4 ? a : ~a) & (k & 2 ? b : ~b) & (k & 1 ? c : ~c);
    }
    return result;
}

// What a GPU approximates.
#define SIMT_PTX_APPROXIMATION(name, value)  \
    SIMT_DEVICE_INLINE float name(float a) { \
        return value;                        \
    }
SIMT_PTX_APPROXIMATION(ex2_approx, exp2f(a))
SIMT_PTX_APPROXIMATION(lg2_approx, log2f(a))
SIMT_PTX_APPROXIMATION(sin_approx, sinf(a))
SIMT_PTX_APPROXIMATION(cos_approx, cosf(a))
SIMT_PTX_APPROXIMATION(tanh_approx, tanhf(a))
SIMT_PTX_APPROXIMATION(rcp, 1.0f / a)
SIMT_PTX_APPROXIMATION(sqrt_approx, sqrtf(a))
SIMT_PTX_APPROXIMATION(rsqrt_approx, 1.0f / sqrtf(a))
#undef SIMT_PTX_APPROXIMATION

// Numbers of 16 bits, as bits; of two the first lies in the upper half.
#define SIMT_PTX_NARROW(name, mantissa)                                                         \
    SIMT_DEVICE_INLINE unsigned short cvt_##name##_f32(float a) {                               \
        return float16_format<mantissa>::from(a);                                               \
    }                                                                                           \
    SIMT_DEVICE_INLINE unsigned int cvt_##name##x2_f32(float high, float low) {                 \
        return static_cast<unsigned int>(cvt_##name##_f32(high)) << 16 | cvt_##name##_f32(low); \
    }                                                                                           \
    SIMT_DEVICE_INLINE float cvt_f32_##name(unsigned short a) {                                 \
        return float16_format<mantissa>::to_float(a);                                           \
    }
SIMT_PTX_NARROW(f16, 10)
SIMT_PTX_NARROW(bf16, 7)
#undef SIMT_PTX_NARROW
/// 10 bits behind the point; a tie goes away from zero.
SIMT_DEVICE_INLINE unsigned int cvt_tf32_f32(float a) {
    const unsigned int bits = __float_as_uint(a);
    return isfinite(a) ? (bits + 0x1000u) & ~0x1fffu : bits;
}

// ---- comparisons and predicates

/// Ordered ones are false of NaNs, unordered ones (equ, ltu, ...) true.
#define SIMT_PTX_COMPARISON(name, ordered)                 \
    template <class type>                                  \
    SIMT_DEVICE_INLINE bool is_##name(type a, type b) {    \
        return ordered;                                    \
    }                                                      \
    template <class type>                                  \
    SIMT_DEVICE_INLINE bool is_##name##u(type a, type b) { \
        return a != a || b != b || (ordered);              \
    }
SIMT_PTX_COMPARISON(eq, a == b)
SIMT_PTX_COMPARISON(ne, a<b || a> b)
SIMT_PTX_COMPARISON(lt, a < b)
SIMT_PTX_COMPARISON(le, a <= b)
SIMT_PTX_COMPARISON(gt, a > b)
SIMT_PTX_COMPARISON(ge, a >= b)
#undef SIMT_PTX_COMPARISON
template <class type>
SIMT_DEVICE_INLINE type selp(type a, type b, bool first) {
    return first ? a : b;
}
SIMT_DEVICE_INLINE bool predicate_not(bool a) {
    return !a;
}

// ---- among lanes

/// shfl.sync: the last operand but one has the lane at which sources end, and above it what a lane's number and its
/// source's may not differ in. Where there is no source a lane keeps its value, and the predicate is false.
enum class lane_move { idx, up, down, bfly };
template <lane_move move>
SIMT_DEVICE_INLINE unsigned int shfl(unsigned int value, unsigned int argument, unsigned int segments,
                                     unsigned int mask, bool* has_source = nullptr) {
    const unsigned int lane = laneid(), fixed = segments >> 8 & 31, by = argument & 31;
    const unsigned int last = (lane & fixed) | (segments & 31 & ~fixed);
    const unsigned int source = move == lane_move::up     ? lane - by
                                : move == lane_move::down ? lane + by
                                : move == lane_move::bfly ? lane ^ by
                                                          : (lane & fixed) | (by & ~fixed);
    const bool has =
        move == lane_move::up ? static_cast<int>(source) >= static_cast<int>(last) : source <= last;
    if (has_source != nullptr) *has_source = has;
    return __shfl_sync(mask, value, static_cast<int>(has ? source : lane));
}
SIMT_DEVICE_INLINE unsigned int vote_ballot(bool of_lane, unsigned int mask) {
    return __ballot_sync(mask, of_lane);
}
SIMT_DEVICE_INLINE bool vote_all(bool of_lane, unsigned int mask) {
    return __all_sync(mask, of_lane) != 0;
}
SIMT_DEVICE_INLINE bool vote_any(bool of_lane, unsigned int mask) {
    return __any_sync(mask, of_lane) != 0;
}
SIMT_DEVICE_INLINE unsigned int match_any(unsigned int value, unsigned int mask) {
    return __match_any_sync(mask, value);
}
SIMT_DEVICE_INLINE unsigned int match_any_long(unsigned long long value, unsigned int mask) {
    return __match_any_sync(mask, value);
}
SIMT_DEVICE_INLINE unsigned int activemask() {
    return __activemask();
}

// ---- bits

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
SIMT_DEVICE_INLINE unsigned int popc_long(unsigned long long value) {
    return unsigned(__popcll(static_cast<long long>(value)));
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
