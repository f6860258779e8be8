// Conversions between numbers as a GPU makes them, and bit patterns.
#pragma once
#include <math.h>

#include <limits>
#include <type_traits>

#include "simt/vector_types.h"

namespace simt {

/// PTX's cvt.rzi: values beyond the integer's range become its ends. NaN becomes 0, but where 64 bits are
/// involved the top bit alone (PTX ISA 9.0, cvt).
template <class integer, class floating>
constexpr __attribute__((always_inline)) inline integer convert(floating value) {
    using limits = std::numeric_limits<integer>;
    constexpr floating END = static_cast<floating>(1ull << (limits::digits - 1)) * 2;
    constexpr floating BEGIN = limits::is_signed ? -END : static_cast<floating>(-1);
    // One test for the usual case.
    if (__builtin_expect(value > BEGIN && value < END, 1)) return static_cast<integer>(value);
    if (value <= BEGIN) return limits::min();
    if (value >= END) return limits::max();
    constexpr bool IS_NARROW = sizeof(floating) == 4 && sizeof(integer) <= 4;
    return IS_NARROW ? 0 : static_cast<integer>(1ull << (8 * sizeof(integer) - 1));
}

// (C++17: programs may be of that.)
template <class type>
using if_arithmetic = std::enable_if_t<std::is_arithmetic_v<type>, int>;
template <class type>
using if_other =
    std::enable_if_t<!std::is_arithmetic_v<std::remove_cv_t<std::remove_reference_t<type>>>, int>;

/// static_cast in device code. Integers of 8 and 16 bits are the lower part of what 32 bits would hold.
template <class to_type, class from_type, if_arithmetic<from_type> = 0>
constexpr __attribute__((always_inline)) inline to_type cast(from_type value) {
    constexpr bool CONVERTS = std::is_integral_v<to_type> && !std::is_same_v<to_type, bool> &&
                              (std::is_same_v<from_type, float> || std::is_same_v<from_type, double>);
    if constexpr (CONVERTS && sizeof(to_type) < 4) {
        return static_cast<to_type>(
            convert<std::conditional_t<std::is_signed_v<to_type>, int, unsigned>>(value));
    } else if constexpr (CONVERTS) {
        return convert<to_type>(value);
    } else {
        return static_cast<to_type>(value);
    }
}
template <class to_type, class from_type, if_other<from_type> = 0>
constexpr __attribute__((always_inline)) inline to_type cast(from_type&& value) {
    return static_cast<to_type>(static_cast<from_type&&>(value));
}

/// (int)x and int(x), which also make integers of pointers.
template <class to_type, class from_type, if_arithmetic<from_type> = 0>
constexpr __attribute__((always_inline)) inline to_type c_cast(from_type value) {
    return cast<to_type>(value);
}
template <class to_type, class from_type, if_other<from_type> = 0>
constexpr __attribute__((always_inline)) inline to_type c_cast(from_type&& value) {
    return (to_type) static_cast<from_type&&>(value);
}

/// A number that becomes what is asked for as a GPU does it: without a cast the rewriter puts converted(x).
template <class floating>
struct unconverted {
    floating value;
    template <class to_type, if_arithmetic<to_type> = 0>
    constexpr __attribute__((always_inline)) inline operator to_type() const {
        return cast<to_type>(value);
    }
};
template <class type>
constexpr __attribute__((always_inline)) inline decltype(auto) converted(type&& value) {
    using plain = std::remove_cv_t<std::remove_reference_t<type>>;
    if constexpr (std::is_floating_point_v<plain>)
        return unconverted<plain>{value};
    else
        return static_cast<type&&>(value);
}

/// a of `a += x`.
template <class type>
struct updated {
    type& to;
    constexpr explicit __attribute__((always_inline)) inline updated(type& to) : to(to) {}
    // A macro keeps the four alike.
#define SIMT_UPDATE(sign)                                                                        \
    template <class operand>                                                                     \
    constexpr __attribute__((always_inline)) inline type& operator sign##=(operand&& by) const { \
        return to = cast<std::remove_cv_t<type>>(to sign by);                                    \
    }
    SIMT_UPDATE(+)
    SIMT_UPDATE(-)
    SIMT_UPDATE(*)
    SIMT_UPDATE(/)
#undef SIMT_UPDATE
};

template <class to_type, class from_type>
SIMT_INLINE to_type same_bits(from_type from) {
    static_assert(sizeof(to_type) == sizeof(from_type));
    to_type to;
    __builtin_memcpy(&to, &from, sizeof to);
    return to;
}

}  // namespace simt

// ---- to integers: to the nearest, towards zero, down, up
#define SIMT_TO_INTEGER(name, floating, integer, nearest, down, up) \
    SIMT_DEVICE_INLINE integer name##_rn(floating a) {              \
        return simt::convert<integer>(nearest(a));                  \
    }                                                               \
    SIMT_DEVICE_INLINE integer name##_rz(floating a) {              \
        return simt::convert<integer>(a);                           \
    }                                                               \
    SIMT_DEVICE_INLINE integer name##_rd(floating a) {              \
        return simt::convert<integer>(down(a));                     \
    }                                                               \
    SIMT_DEVICE_INLINE integer name##_ru(floating a) {              \
        return simt::convert<integer>(up(a));                       \
    }
SIMT_TO_INTEGER(__float2int, float, int, rintf, floorf, ceilf)
SIMT_TO_INTEGER(__float2uint, float, unsigned int, rintf, floorf, ceilf)
SIMT_TO_INTEGER(__float2ll, float, long long, rintf, floorf, ceilf)
SIMT_TO_INTEGER(__float2ull, float, unsigned long long, rintf, floorf, ceilf)
SIMT_TO_INTEGER(__double2int, double, int, rint, floor, ceil)
SIMT_TO_INTEGER(__double2uint, double, unsigned int, rint, floor, ceil)
SIMT_TO_INTEGER(__double2ll, double, long long, rint, floor, ceil)
SIMT_TO_INTEGER(__double2ull, double, unsigned long long, rint, floor, ceil)
#undef SIMT_TO_INTEGER

// ---- from integers, and to float
#define SIMT_TO_FLOATING(name, from, floating) \
    SIMT_DEVICE_INLINE floating name(from a) { \
        return static_cast<floating>(a);       \
    }
SIMT_TO_FLOATING(__int2float_rn, int, float)
SIMT_TO_FLOATING(__uint2float_rn, unsigned int, float)
SIMT_TO_FLOATING(__ll2float_rn, long long, float)
SIMT_TO_FLOATING(__ull2float_rn, unsigned long long, float)
SIMT_TO_FLOATING(__int2double_rn, int, double)
SIMT_TO_FLOATING(__uint2double_rn, unsigned int, double)
SIMT_TO_FLOATING(__ll2double_rn, long long, double)
SIMT_TO_FLOATING(__ull2double_rn, unsigned long long, double)
SIMT_TO_FLOATING(__double2float_rn, double, float)
#undef SIMT_TO_FLOATING

// ---- bit patterns
#define SIMT_SAME_BITS(name, from, to)   \
    SIMT_DEVICE_INLINE to name(from a) { \
        return simt::same_bits<to>(a);   \
    }
SIMT_SAME_BITS(__float_as_int, float, int)
SIMT_SAME_BITS(__float_as_uint, float, unsigned int)
SIMT_SAME_BITS(__int_as_float, int, float)
SIMT_SAME_BITS(__uint_as_float, unsigned int, float)
SIMT_SAME_BITS(__double_as_longlong, double, long long)
SIMT_SAME_BITS(__longlong_as_double, long long, double)
#undef SIMT_SAME_BITS
SIMT_DEVICE_INLINE int __double2hiint(double a) {
    return static_cast<int>(__double_as_longlong(a) >> 32);
}
SIMT_DEVICE_INLINE int __double2loint(double a) {
    return static_cast<int>(__double_as_longlong(a));
}
SIMT_DEVICE_INLINE double __hiloint2double(int high, int low) {
    return __longlong_as_double(static_cast<long long>(high) << 32 | static_cast<unsigned int>(low));
}
