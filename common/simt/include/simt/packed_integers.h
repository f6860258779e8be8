// Integer intrinsics on packed bytes and halfwords, products of them, and wide products.
#pragma once
#include "simt/vector_types.h"

/// The lanes of a word, each `bits` wide, through `function`, and together again as a word.
template <class Lane, class Function>
SIMT_DEVICE_INLINE unsigned int simt_each_lane(unsigned int a, unsigned int b, Function function) {
    constexpr int BITS = 8 * sizeof(Lane);
    constexpr unsigned int MASK = (1u << BITS) - 1;
    unsigned int result = 0;
    for (int shift = 0; shift < 32; shift += BITS) {
        const int x = static_cast<Lane>(a >> shift & MASK), y = static_cast<Lane>(b >> shift & MASK);
        result |= (static_cast<unsigned int>(function(x, y)) & MASK) << shift;
    }
    return result;
}

// One operation on four bytes and on two halfwords.
#define SIMT_PACKED(name, type4, type2, value)                                         \
    SIMT_DEVICE_INLINE unsigned int name##4(unsigned int a, unsigned int b) {          \
        return simt_each_lane<type4>(a, b, [](int x, int y) -> int { return value; }); \
    }                                                                                  \
    SIMT_DEVICE_INLINE unsigned int name##2(unsigned int a, unsigned int b) {          \
        return simt_each_lane<type2>(a, b, [](int x, int y) -> int { return value; }); \
    }
#define SIMT_PACKED_SIGNED(name, value) SIMT_PACKED(name, signed char, short, value)
#define SIMT_PACKED_UNSIGNED(name, value) SIMT_PACKED(name, unsigned char, unsigned short, value)
SIMT_PACKED_UNSIGNED(__vadd, x + y)
SIMT_PACKED_UNSIGNED(__vsub, x - y)
SIMT_PACKED_UNSIGNED(__vabsdiffu, x > y ? x - y : y - x)
SIMT_PACKED_UNSIGNED(__vavgu, (x + y + 1) / 2)
SIMT_PACKED_UNSIGNED(__vhaddu, (x + y) / 2)
SIMT_PACKED_UNSIGNED(__vmaxu, x > y ? x : y)
SIMT_PACKED_UNSIGNED(__vminu, x < y ? x : y)
SIMT_PACKED_SIGNED(__vmaxs, x > y ? x : y)
SIMT_PACKED_SIGNED(__vmins, x < y ? x : y)
SIMT_PACKED_UNSIGNED(__vcmpeq, x == y ? -1 : 0)
SIMT_PACKED_UNSIGNED(__vcmpne, x != y ? -1 : 0)
SIMT_PACKED_UNSIGNED(__vcmpgtu, x > y ? -1 : 0)
SIMT_PACKED_UNSIGNED(__vcmpgeu, x >= y ? -1 : 0)
SIMT_PACKED_UNSIGNED(__vcmpltu, x < y ? -1 : 0)
SIMT_PACKED_UNSIGNED(__vcmpleu, x <= y ? -1 : 0)
SIMT_PACKED_SIGNED(__vcmpgts, x > y ? -1 : 0)
SIMT_PACKED_SIGNED(__vcmpges, x >= y ? -1 : 0)
SIMT_PACKED_SIGNED(__vcmplts, x < y ? -1 : 0)
SIMT_PACKED_SIGNED(__vcmples, x <= y ? -1 : 0)
#undef SIMT_PACKED_UNSIGNED
#undef SIMT_PACKED_SIGNED
#undef SIMT_PACKED

/// c and the products of a's and b's bytes, modulo 2^32.
SIMT_DEVICE_INLINE unsigned int __dp4a(unsigned int a, unsigned int b, unsigned int c) {
    for (int shift = 0; shift < 32; shift += 8) {
        c += (a >> shift & 0xff) * (b >> shift & 0xff);
    }
    return c;
}
SIMT_DEVICE_INLINE int __dp4a(int a, int b, int c) {
    unsigned int sum = static_cast<unsigned int>(c);
    for (int shift = 0; shift < 32; shift += 8) {
        sum += static_cast<unsigned int>(static_cast<signed char>(a >> shift) *
                                         static_cast<signed char>(b >> shift));
    }
    return static_cast<int>(sum);
}

SIMT_DEVICE_INLINE long long __mul64hi(long long a, long long b) {
    return static_cast<long long>((static_cast<__int128>(a) * b) >> 64);
}
SIMT_DEVICE_INLINE unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
    return static_cast<unsigned long long>((static_cast<unsigned __int128>(a) * b) >> 64);
}
