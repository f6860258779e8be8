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

/// The nearest number that a lane can hold.
template <class Lane>
SIMT_DEVICE_INLINE int simt_saturated(int x) {
    constexpr int BITS = 8 * sizeof(Lane);
    constexpr int LEAST = static_cast<Lane>(-1) < 0 ? -(1 << (BITS - 1)) : 0,
                  LARGEST = LEAST + (1 << BITS) - 1;
    return x < LEAST ? LEAST : x > LARGEST ? LARGEST : x;
}

// One operation on four bytes and on two halfwords; in it a lane's type is `lane`.
#define SIMT_PACKED_IN(type, name, value)                                                              \
    SIMT_DEVICE_INLINE unsigned int name(unsigned int a, unsigned int b) {                             \
        using lane [[maybe_unused]] = type;                                                            \
        return simt_each_lane<lane>(a, b, [](int x, [[maybe_unused]] int y) -> int { return value; }); \
    }
#define SIMT_PACKED_SIGNED(name, value)         \
    SIMT_PACKED_IN(signed char, name##4, value) \
    SIMT_PACKED_IN(short, name##2, value)
#define SIMT_PACKED_UNSIGNED(name, value)         \
    SIMT_PACKED_IN(unsigned char, name##4, value) \
    SIMT_PACKED_IN(unsigned short, name##2, value)
SIMT_PACKED_UNSIGNED(__vadd, x + y)
SIMT_PACKED_UNSIGNED(__vsub, x - y)
SIMT_PACKED_UNSIGNED(__vaddus, simt_saturated<lane>(x + y))
SIMT_PACKED_UNSIGNED(__vsubus, simt_saturated<lane>(x - y))
SIMT_PACKED_SIGNED(__vaddss, simt_saturated<lane>(x + y))
SIMT_PACKED_SIGNED(__vsubss, simt_saturated<lane>(x - y))
SIMT_PACKED_UNSIGNED(__vabsdiffu, x > y ? x - y : y - x)
SIMT_PACKED_SIGNED(__vabsdiffs, x > y ? x - y : y - x)
SIMT_PACKED_UNSIGNED(__vavgu, (x + y + 1) / 2)
SIMT_PACKED_SIGNED(__vavgs, (x + y + (x + y >= 0)) >> 1)  // halves away from 0
SIMT_PACKED_UNSIGNED(__vhaddu, (x + y) / 2)
SIMT_PACKED_UNSIGNED(__vmaxu, x > y ? x : y)
SIMT_PACKED_UNSIGNED(__vminu, x < y ? x : y)
SIMT_PACKED_SIGNED(__vmaxs, x > y ? x : y)
SIMT_PACKED_SIGNED(__vmins, x < y ? x : y)

// Where it is true all bits of a lane are set, or the lowest.
#define SIMT_PACKED_TEST(name, kind, test) \
    SIMT_PACKED_##kind(__vcmp##name, test ? -1 : 0) SIMT_PACKED_##kind(__vset##name, test ? 1 : 0)
SIMT_PACKED_TEST(eq, UNSIGNED, x == y)
SIMT_PACKED_TEST(ne, UNSIGNED, x != y)
SIMT_PACKED_TEST(gtu, UNSIGNED, x > y)
SIMT_PACKED_TEST(geu, UNSIGNED, x >= y)
SIMT_PACKED_TEST(ltu, UNSIGNED, x < y)
SIMT_PACKED_TEST(leu, UNSIGNED, x <= y)
SIMT_PACKED_TEST(gts, SIGNED, x > y)
SIMT_PACKED_TEST(ges, SIGNED, x >= y)
SIMT_PACKED_TEST(lts, SIGNED, x < y)
SIMT_PACKED_TEST(les, SIGNED, x <= y)
#undef SIMT_PACKED_TEST
#undef SIMT_PACKED_UNSIGNED
#undef SIMT_PACKED_SIGNED
#undef SIMT_PACKED_IN

// Of one word: what is left, or lies between, of 0.
#define SIMT_PACKED_OF_ONE(name, of_two, first, second)    \
    SIMT_DEVICE_INLINE unsigned int name(unsigned int a) { \
        return of_two(first, second);                      \
    }
SIMT_PACKED_OF_ONE(__vneg4, __vsub4, 0, a)
SIMT_PACKED_OF_ONE(__vneg2, __vsub2, 0, a)
SIMT_PACKED_OF_ONE(__vnegss4, __vsubss4, 0, a)
SIMT_PACKED_OF_ONE(__vnegss2, __vsubss2, 0, a)
SIMT_PACKED_OF_ONE(__vabs4, __vabsdiffs4, a, 0)
SIMT_PACKED_OF_ONE(__vabs2, __vabsdiffs2, a, 0)
SIMT_PACKED_OF_ONE(__vabsss4, __vmaxs4, a, __vnegss4(a))
SIMT_PACKED_OF_ONE(__vabsss2, __vmaxs2, a, __vnegss2(a))
#undef SIMT_PACKED_OF_ONE

// The lanes' distances, added up.
#define SIMT_PACKED_SUM(name, distance, bits)                              \
    SIMT_DEVICE_INLINE unsigned int name(unsigned int a, unsigned int b) { \
        const unsigned int lanes = distance(a, b);                         \
        unsigned int sum = 0;                                              \
        for (int shift = 0; shift < 32; shift += bits)                     \
            sum += lanes >> shift & ((1u << bits) - 1);                    \
        return sum;                                                        \
    }
SIMT_PACKED_SUM(__vsads4, __vabsdiffs4, 8)
SIMT_PACKED_SUM(__vsads2, __vabsdiffs2, 16)
SIMT_PACKED_SUM(__vsadu4, __vabsdiffu4, 8)
SIMT_PACKED_SUM(__vsadu2, __vabsdiffu2, 16)
#undef SIMT_PACKED_SUM

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

/// c and the products of a's two halfwords and two bytes of b: the low ones or the high ones, modulo 2^32.
SIMT_DEVICE_INLINE unsigned int __dp2a_lo(unsigned int a, unsigned int b, unsigned int c) {
    return c + (a & 0xffff) * (b & 0xff) + (a >> 16) * (b >> 8 & 0xff);
}
SIMT_DEVICE_INLINE unsigned int __dp2a_hi(unsigned int a, unsigned int b, unsigned int c) {
    return __dp2a_lo(a, b >> 16, c);
}
SIMT_DEVICE_INLINE int __dp2a_lo(int a, int b, int c) {
    const int low = static_cast<short>(a) * static_cast<signed char>(b);
    const int high = static_cast<short>(a >> 16) * static_cast<signed char>(b >> 8);
    return static_cast<int>(static_cast<unsigned int>(c) + static_cast<unsigned int>(low) +
                            static_cast<unsigned int>(high));
}
SIMT_DEVICE_INLINE int __dp2a_hi(int a, int b, int c) {
    return __dp2a_lo(a, b >> 16, c);
}

// The same of vectors.
template <class Vector>
SIMT_DEVICE_INLINE unsigned int simt_packed_bytes(Vector v) {
    return (v.x & 255u) | (v.y & 255u) << 8 | (v.z & 255u) << 16 | (v.w & 255u) << 24;
}
template <class Vector>
SIMT_DEVICE_INLINE unsigned int simt_packed_halfwords(Vector v) {
    return (v.x & 0xffffu) | (v.y & 0xffffu) << 16;
}
SIMT_DEVICE_INLINE unsigned int __dp4a(uchar4 a, uchar4 b, unsigned int c) {
    return __dp4a(simt_packed_bytes(a), simt_packed_bytes(b), c);
}
SIMT_DEVICE_INLINE int __dp4a(char4 a, char4 b, int c) {
    return __dp4a(int(simt_packed_bytes(a)), int(simt_packed_bytes(b)), c);
}
SIMT_DEVICE_INLINE unsigned int __dp2a_lo(ushort2 a, uchar4 b, unsigned int c) {
    return __dp2a_lo(simt_packed_halfwords(a), simt_packed_bytes(b), c);
}
SIMT_DEVICE_INLINE unsigned int __dp2a_hi(ushort2 a, uchar4 b, unsigned int c) {
    return __dp2a_hi(simt_packed_halfwords(a), simt_packed_bytes(b), c);
}
SIMT_DEVICE_INLINE int __dp2a_lo(short2 a, char4 b, int c) {
    return __dp2a_lo(int(simt_packed_halfwords(a)), int(simt_packed_bytes(b)), c);
}
SIMT_DEVICE_INLINE int __dp2a_hi(short2 a, char4 b, int c) {
    return __dp2a_hi(int(simt_packed_halfwords(a)), int(simt_packed_bytes(b)), c);
}

SIMT_DEVICE_INLINE long long __mul64hi(long long a, long long b) {
    return static_cast<long long>((static_cast<__int128>(a) * b) >> 64);
}
SIMT_DEVICE_INLINE unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
    return static_cast<unsigned long long>((static_cast<unsigned __int128>(a) * b) >> 64);
}
