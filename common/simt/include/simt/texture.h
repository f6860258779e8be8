// CUDA arrays, texture objects and the fetches kernels make from them.
#pragma once
#include <type_traits>

#include "types.h"

enum cudaChannelFormatKind {
    cudaChannelFormatKindSigned = 0,
    cudaChannelFormatKindUnsigned = 1,
    cudaChannelFormatKindFloat = 2,
    cudaChannelFormatKindNone = 3,
};
/// Bits of each channel of a texel; 0 for a channel that is not there.
struct cudaChannelFormatDesc {
    int x, y, z, w;
    cudaChannelFormatKind f;
};
enum cudaResourceType {
    cudaResourceTypeArray = 0,
    cudaResourceTypeMipmappedArray = 1,
    cudaResourceTypeLinear = 2,
    cudaResourceTypePitch2D = 3,
};
struct cudaResourceDesc {
    cudaResourceType resType;
    union {
        struct {
            cudaArray_t array;
        } array;
        struct {
            void* devPtr;
            cudaChannelFormatDesc desc;
            size_t sizeInBytes;
        } linear;
        struct {
            void* devPtr;
            cudaChannelFormatDesc desc;
            size_t width, height;  // texels
            size_t pitchInBytes;
        } pitch2D;
    } res;
};
enum cudaTextureAddressMode {
    cudaAddressModeWrap = 0,  // normalised coordinates only; with others the same as Clamp
    cudaAddressModeClamp = 1,
    cudaAddressModeMirror = 2,  // as Wrap
    cudaAddressModeBorder = 3,
};
enum cudaTextureFilterMode {
    cudaFilterModePoint = 0,
    cudaFilterModeLinear = 1,
};
enum cudaTextureReadMode {
    cudaReadModeElementType = 0,
    cudaReadModeNormalizedFloat = 1,  // 8 and 16 bit integers as 0 .. 1 or -1 .. 1
};
struct cudaTextureDesc {
    cudaTextureAddressMode addressMode[3];
    cudaTextureFilterMode filterMode;
    cudaTextureReadMode readMode;
    int sRGB;
    float borderColor[4];
    int normalizedCoords;
    unsigned int maxAnisotropy;
    cudaTextureFilterMode mipmapFilterMode;
    float mipmapLevelBias;
    float minMipmapLevelClamp;
    float maxMipmapLevelClamp;
    int disableTrilinearOptimization;
    int seamlessCubemap;
};
struct cudaResourceViewDesc;  // views are not offered: pass nullptr
typedef unsigned long long cudaTextureObject_t;

extern "C" {
/// An array of width x height texels, or of width when height is 0.
cudaError_t cudaMallocArray(cudaArray_t* array, const cudaChannelFormatDesc* channels, size_t width,
                            size_t height = 0, unsigned int flags = 0);
/// An array of `extent` texels; with cudaArrayLayered its depth counts layers, with cudaArrayCubemap faces.
cudaError_t cudaMalloc3DArray(cudaArray_t* array, const cudaChannelFormatDesc* channels, cudaExtent extent,
                              unsigned int flags = 0);
cudaError_t cudaFreeArray(cudaArray_t array);
cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc* channels, cudaExtent* extent, unsigned int* flags,
                             cudaArray_t array);
cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc* channels, cudaArray_const_t array);

/// In all copies x offsets and widths are bytes, y offsets and heights rows.
cudaError_t cudaMemcpy2DToArray(cudaArray_t dst, size_t x, size_t y, const void* src, size_t src_pitch,
                                size_t width, size_t height, cudaMemcpyKind kind);
cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t dst, size_t x, size_t y, const void* src, size_t src_pitch,
                                     size_t width, size_t height, cudaMemcpyKind kind,
                                     cudaStream_t stream = nullptr);
cudaError_t cudaMemcpy2DFromArray(void* dst, size_t dst_pitch, cudaArray_const_t src, size_t x, size_t y,
                                  size_t width, size_t height, cudaMemcpyKind kind);
cudaError_t cudaMemcpy2DFromArrayAsync(void* dst, size_t dst_pitch, cudaArray_const_t src, size_t x, size_t y,
                                       size_t width, size_t height, cudaMemcpyKind kind,
                                       cudaStream_t stream = nullptr);
cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t dst, size_t dst_x, size_t dst_y, cudaArray_const_t src,
                                     size_t src_x, size_t src_y, size_t width, size_t height,
                                     cudaMemcpyKind kind = cudaMemcpyDeviceToDevice);
/// `bytes` that go on in the next row where a row ends. Deprecated, but everywhere in older code.
cudaError_t cudaMemcpyToArray(cudaArray_t dst, size_t x, size_t y, const void* src, size_t bytes,
                              cudaMemcpyKind kind);
cudaError_t cudaMemcpyToArrayAsync(cudaArray_t dst, size_t x, size_t y, const void* src, size_t bytes,
                                   cudaMemcpyKind kind, cudaStream_t stream = nullptr);
cudaError_t cudaMemcpyFromArray(void* dst, cudaArray_const_t src, size_t x, size_t y, size_t bytes,
                                cudaMemcpyKind kind);
cudaError_t cudaMemcpyFromArrayAsync(void* dst, cudaArray_const_t src, size_t x, size_t y, size_t bytes,
                                     cudaMemcpyKind kind, cudaStream_t stream = nullptr);

cudaError_t cudaCreateTextureObject(cudaTextureObject_t* texture, const cudaResourceDesc* resource,
                                    const cudaTextureDesc* description, const cudaResourceViewDesc* view);
cudaError_t cudaDestroyTextureObject(cudaTextureObject_t texture);
cudaError_t cudaGetTextureObjectResourceDesc(cudaResourceDesc* resource, cudaTextureObject_t texture);
cudaError_t cudaGetTextureObjectTextureDesc(cudaTextureDesc* description, cudaTextureObject_t texture);
}

inline cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, cudaChannelFormatKind f) {
    return {x, y, z, w, f};
}

namespace simt {

/// Element type and number of channels of a type that a texture can return; element void for any other type.
template <class T>
struct texel_traits {
    using element = void;
    static constexpr int channels = 0;
};
template <class E, int N>
struct texel_of {
    using element = E;
    static constexpr int channels = N;
};
template <>
struct texel_traits<char> : texel_of<signed char, 1> {};
template <>
struct texel_traits<signed char> : texel_of<signed char, 1> {};
template <>
struct texel_traits<char1> : texel_of<signed char, 1> {};
template <>
struct texel_traits<char2> : texel_of<signed char, 2> {};
template <>
struct texel_traits<char4> : texel_of<signed char, 4> {};
template <>
struct texel_traits<unsigned char> : texel_of<unsigned char, 1> {};
template <>
struct texel_traits<uchar1> : texel_of<unsigned char, 1> {};
template <>
struct texel_traits<uchar2> : texel_of<unsigned char, 2> {};
template <>
struct texel_traits<uchar4> : texel_of<unsigned char, 4> {};
template <>
struct texel_traits<short> : texel_of<short, 1> {};
template <>
struct texel_traits<short1> : texel_of<short, 1> {};
template <>
struct texel_traits<short2> : texel_of<short, 2> {};
template <>
struct texel_traits<short4> : texel_of<short, 4> {};
template <>
struct texel_traits<unsigned short> : texel_of<unsigned short, 1> {};
template <>
struct texel_traits<ushort1> : texel_of<unsigned short, 1> {};
template <>
struct texel_traits<ushort2> : texel_of<unsigned short, 2> {};
template <>
struct texel_traits<ushort4> : texel_of<unsigned short, 4> {};
template <>
struct texel_traits<int> : texel_of<int, 1> {};
template <>
struct texel_traits<int1> : texel_of<int, 1> {};
template <>
struct texel_traits<int2> : texel_of<int, 2> {};
template <>
struct texel_traits<int4> : texel_of<int, 4> {};
template <>
struct texel_traits<unsigned int> : texel_of<unsigned int, 1> {};
template <>
struct texel_traits<uint1> : texel_of<unsigned int, 1> {};
template <>
struct texel_traits<uint2> : texel_of<unsigned int, 2> {};
template <>
struct texel_traits<uint4> : texel_of<unsigned int, 4> {};
template <>
struct texel_traits<float> : texel_of<float, 1> {};
template <>
struct texel_traits<float1> : texel_of<float, 1> {};
template <>
struct texel_traits<float2> : texel_of<float, 2> {};
template <>
struct texel_traits<float4> : texel_of<float, 4> {};

template <class T>
constexpr bool is_texel = texel_traits<T>::channels != 0;

// One function per type in the library and none of it here:
// the address a fetch returns to is what names it in reports.
template <class T>
T fetch_linear(cudaTextureObject_t texture, int x);
template <class T>
T fetch_1d(cudaTextureObject_t texture, float x);
template <class T>
T fetch_2d(cudaTextureObject_t texture, float x, float y);
template <class T>
T fetch_3d(cudaTextureObject_t texture, float x, float y, float z);
template <class T>
T fetch_layer(cudaTextureObject_t texture, float x, float y, int layer);
template <class T>
T fetch_cube(cudaTextureObject_t texture, float x, float y, float z);
template <class T>
T fetch_cube_layer(cudaTextureObject_t texture, float x, float y, float z, int layer);

}  // namespace simt

template <class T>
inline cudaChannelFormatDesc cudaCreateChannelDesc() {
    static_assert(simt::is_texel<T>,
                  "a texel has 1, 2 or 4 channels of 8, 16 or 32 bit integers or of floats");
    using element = typename simt::texel_traits<T>::element;
    const int bits = 8 * int(sizeof(element));
    const int channels = simt::texel_traits<T>::channels;
    const cudaChannelFormatKind kind = std::is_floating_point_v<element> ? cudaChannelFormatKindFloat
                                       : std::is_signed_v<element>       ? cudaChannelFormatKindSigned
                                                                         : cudaChannelFormatKindUnsigned;
    return {bits, channels > 1 ? bits : 0, channels > 2 ? bits : 0, channels > 2 ? bits : 0, kind};
}

/// Texel x of a texture on linear memory; no filter, no address mode, zero outside.
template <class T>
SIMT_DEVICE_INLINE T tex1Dfetch(cudaTextureObject_t texture, int x) {
    static_assert(simt::is_texel<T>,
                  "tex1Dfetch returns 1, 2 or 4 channels of 8, 16 or 32 bit integers or of floats");
    return simt::fetch_linear<T>(texture, x);
}
/// The texture at x: texel i covers i .. i+1, its centre is i + 0.5.
template <class T>
SIMT_DEVICE_INLINE T tex1D(cudaTextureObject_t texture, float x) {
    static_assert(simt::is_texel<T>,
                  "tex1D returns 1, 2 or 4 channels of 8, 16 or 32 bit integers or of floats");
    return simt::fetch_1d<T>(texture, x);
}
/// The texture at column x and row y: texel (i, j) covers i .. i+1 and j .. j+1,
/// its centre is (i + 0.5, j + 0.5).
template <class T>
SIMT_DEVICE_INLINE T tex2D(cudaTextureObject_t texture, float x, float y) {
    static_assert(simt::is_texel<T>,
                  "tex2D returns 1, 2 or 4 channels of 8, 16 or 32 bit integers or of floats");
    return simt::fetch_2d<T>(texture, x, y);
}
template <class T>
SIMT_DEVICE_INLINE void tex1Dfetch(T* texel, cudaTextureObject_t texture, int x) {
    *texel = tex1Dfetch<T>(texture, x);
}
template <class T>
SIMT_DEVICE_INLINE void tex1D(T* texel, cudaTextureObject_t texture, float x) {
    *texel = tex1D<T>(texture, x);
}
template <class T>
SIMT_DEVICE_INLINE void tex2D(T* texel, cudaTextureObject_t texture, float x, float y) {
    *texel = tex2D<T>(texture, x, y);
}

/// The texture of three dimensions at column x, row y and slice z.
template <class T>
SIMT_DEVICE_INLINE T tex3D(cudaTextureObject_t texture, float x, float y, float z) {
    static_assert(simt::is_texel<T>,
                  "tex3D returns 1, 2 or 4 channels of 8, 16 or 32 bit integers or of floats");
    return simt::fetch_3d<T>(texture, x, y, z);
}
/// One layer, as tex1D and tex2D would fetch from it.
template <class T>
SIMT_DEVICE_INLINE T tex1DLayered(cudaTextureObject_t texture, float x, int layer) {
    return simt::fetch_layer<T>(texture, x, 0.0f, layer);
}
template <class T>
SIMT_DEVICE_INLINE T tex2DLayered(cudaTextureObject_t texture, float x, float y, int layer) {
    return simt::fetch_layer<T>(texture, x, y, layer);
}
/// The cubemap where the direction (x, y, z) meets it.
template <class T>
SIMT_DEVICE_INLINE T texCubemap(cudaTextureObject_t texture, float x, float y, float z) {
    return simt::fetch_cube<T>(texture, x, y, z);
}
template <class T>
SIMT_DEVICE_INLINE T texCubemapLayered(cudaTextureObject_t texture, float x, float y, float z, int layer) {
    return simt::fetch_cube_layer<T>(texture, x, y, z, layer);
}
template <class T>
SIMT_DEVICE_INLINE void tex3D(T* texel, cudaTextureObject_t texture, float x, float y, float z) {
    *texel = tex3D<T>(texture, x, y, z);
}
template <class T>
SIMT_DEVICE_INLINE void tex2DLayered(T* texel, cudaTextureObject_t texture, float x, float y, int layer) {
    *texel = tex2DLayered<T>(texture, x, y, layer);
}

// What the CPU backend has not got is refused by the compiler, by name.
template <class T>
T tex2DLod(cudaTextureObject_t, float, float, float) = delete;
template <class T>
T tex2Dgather(cudaTextureObject_t, float, float, int = 0) = delete;
