// Built-in vector types: char1 .. double4, their make_ functions, and dim3.
#pragma once

// Always inlined: a call would show up in the inspector's traces, and on a GPU there is none.
#define SIMT_INLINE static inline __attribute__((always_inline))
#define SIMT_ALWAYS_INLINE __attribute__((always_inline)) inline

// What device code alone can call: the rewriter's mark for it.
#ifdef SIMT_REWRITE
#define SIMT_DEVICE __attribute__((deprecated("simt: built-in")))
#else
#define SIMT_DEVICE
#endif
#define SIMT_DEVICE_INLINE SIMT_DEVICE SIMT_INLINE

/// One element type in widths 1 to 4. Two and four elements are aligned for one access, as on the GPU.
#define SIMT_VECTOR_TYPES(name, element, align2, align4)                             \
    struct name##1 {                                                                 \
        element x;                                                                   \
    };                                                                               \
    struct alignas(align2) name##2 {                                                 \
        element x, y;                                                                \
    };                                                                               \
    struct name##3 {                                                                 \
        element x, y, z;                                                             \
    };                                                                               \
    struct alignas(align4) name##4 {                                                 \
        element x, y, z, w;                                                          \
    };                                                                               \
    SIMT_INLINE name##1 make_##name##1(element x) {                                  \
        return {x};                                                                  \
    }                                                                                \
    SIMT_INLINE name##2 make_##name##2(element x, element y) {                       \
        return {x, y};                                                               \
    }                                                                                \
    SIMT_INLINE name##3 make_##name##3(element x, element y, element z) {            \
        return {x, y, z};                                                            \
    }                                                                                \
    SIMT_INLINE name##4 make_##name##4(element x, element y, element z, element w) { \
        return {x, y, z, w};                                                         \
    }

SIMT_VECTOR_TYPES(char, signed char, 2, 4)
SIMT_VECTOR_TYPES(uchar, unsigned char, 2, 4)
SIMT_VECTOR_TYPES(short, short, 4, 8)
SIMT_VECTOR_TYPES(ushort, unsigned short, 4, 8)
SIMT_VECTOR_TYPES(int, int, 8, 16)
SIMT_VECTOR_TYPES(uint, unsigned int, 8, 16)
SIMT_VECTOR_TYPES(long, long, 16, 16)
SIMT_VECTOR_TYPES(ulong, unsigned long, 16, 16)
SIMT_VECTOR_TYPES(longlong, long long, 16, 16)
SIMT_VECTOR_TYPES(ulonglong, unsigned long long, 16, 16)
SIMT_VECTOR_TYPES(float, float, 8, 16)
SIMT_VECTOR_TYPES(double, double, 16, 16)
#undef SIMT_VECTOR_TYPES

/// Sizes of a grid or block; what is not given is 1. Unlike uint3 it has a constructor, which is why
/// threadIdx is no dim3: GCC treats only plain structs as read-only data, which is never instrumented.
struct dim3 {
    unsigned int x, y, z;
    constexpr dim3(unsigned int x = 1, unsigned int y = 1, unsigned int z = 1) : x(x), y(y), z(z) {}
    constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
    constexpr operator uint3() const { return {x, y, z}; }
};
