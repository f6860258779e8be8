// The fetch functions that kernels call, one for every type a texture can return.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>

#include "simt/engine/observer.h"
#include "simt/texture/texture_object.h"

namespace simt {
namespace {

[[noreturn]] void refuse_fetch(const std::string& why, uintptr_t site) {
    report({"illegal-address", true, "a fetch from a texture object that " + why, site, 0});
    stop_launch(cudaErrorIllegalAddress);
}

const char* name_of(texture_shape shape) {
    switch (shape) {
        case texture_shape::flat:
            return "of one or two dimensions";
        case texture_shape::volume:
            return "of three dimensions";
        case texture_shape::layers:
            return "layered";
        case texture_shape::cube:
            return "a cubemap";
        case texture_shape::cube_layers:
            return "a layered cubemap";
    }
    return "";
}

/// The texture of a handle; a fetch from none, or of another shape than its own, ends the launch.
const texture_object& texture_of(cudaTextureObject_t handle, texture_shape shape, uintptr_t site) {
    const texture_object* texture = find_texture(handle);
    if (!texture) refuse_fetch("was never created, or is destroyed", site);
    if (texture->shape != shape)
        refuse_fetch("is " + std::string(name_of(texture->shape)) + ", by a function for one that is " +
                         name_of(shape),
                     site);
    if (the_observer && current_block)
        the_observer->texture_fetched(*current_block, texture->texel_bytes, site);
    return *texture;
}

/// Registers as the type that was asked for, whatever the texture holds: floats by their bits, small integers
/// by the lowest ones.
template <class T>
T texel_as(const texel_registers& texel) {
    using element = typename texel_traits<T>::element;
    element parts[texel_traits<T>::channels];
    for (int c = 0; c < texel_traits<T>::channels; c++) {
        // Little endian: the lowest bytes come first.
        std::memcpy(&parts[c], &texel.channel[c], sizeof(element));
    }
    T result;
    std::memcpy(&result, parts, sizeof result);
    return result;
}

/// Where a direction from the middle of a cube meets it: the face is a layer, 6 a cube
/// (CUDA C++ Programming Guide, "Cubemap Textures").
texture_position on_face(float x, float y, float z, int cube) {
    const float ax = std::fabs(x), ay = std::fabs(y), az = std::fabs(z);
    float s = 0.0f, t = 0.0f, m = 0.0f;
    int face = 0;
    if (ax >= ay && ax >= az) {
        face = x >= 0.0f ? 0 : 1;
        m = ax, s = face == 0 ? -z : z, t = -y;
    } else if (ay >= az) {
        face = y >= 0.0f ? 2 : 3;
        m = ay, s = x, t = face == 2 ? z : -z;
    } else {
        face = z >= 0.0f ? 4 : 5;
        m = az, s = face == 4 ? x : -x, t = -y;
    }
    return {(s / m + 1.0f) / 2.0f, (t / m + 1.0f) / 2.0f, 0.0f, 6 * cube + face};
}

}  // namespace

// The address these functions return to is the place of the fetch in the source.
template <class T>
[[gnu::noinline]] T fetch_linear(cudaTextureObject_t texture, int x) {
    const auto site = reinterpret_cast<uintptr_t>(__builtin_return_address(0));
    return texel_as<T>(sample_element(texture_of(texture, texture_shape::flat, site), x, site));
}
template <class T>
[[gnu::noinline]] T fetch_1d(cudaTextureObject_t texture, float x) {
    const auto site = reinterpret_cast<uintptr_t>(__builtin_return_address(0));
    // The second coordinate is row 0 of whatever the texture is.
    return texel_as<T>(sample(texture_of(texture, texture_shape::flat, site), {x}, site));
}
template <class T>
[[gnu::noinline]] T fetch_2d(cudaTextureObject_t texture, float x, float y) {
    const auto site = reinterpret_cast<uintptr_t>(__builtin_return_address(0));
    return texel_as<T>(sample(texture_of(texture, texture_shape::flat, site), {x, y}, site));
}
template <class T>
[[gnu::noinline]] T fetch_3d(cudaTextureObject_t texture, float x, float y, float z) {
    const auto site = reinterpret_cast<uintptr_t>(__builtin_return_address(0));
    return texel_as<T>(sample(texture_of(texture, texture_shape::volume, site), {x, y, z}, site));
}
template <class T>
[[gnu::noinline]] T fetch_layer(cudaTextureObject_t texture, float x, float y, int layer) {
    const auto site = reinterpret_cast<uintptr_t>(__builtin_return_address(0));
    return texel_as<T>(sample(texture_of(texture, texture_shape::layers, site), {x, y, 0.0f, layer}, site));
}
template <class T>
[[gnu::noinline]] T fetch_cube(cudaTextureObject_t texture, float x, float y, float z) {
    const auto site = reinterpret_cast<uintptr_t>(__builtin_return_address(0));
    return texel_as<T>(sample(texture_of(texture, texture_shape::cube, site), on_face(x, y, z, 0), site));
}
template <class T>
[[gnu::noinline]] T fetch_cube_layer(cudaTextureObject_t texture, float x, float y, float z, int layer) {
    const auto site = reinterpret_cast<uintptr_t>(__builtin_return_address(0));
    const texture_object& found = texture_of(texture, texture_shape::cube_layers, site);
    return texel_as<T>(sample(found, on_face(x, y, z, std::clamp(layer, 0, found.depth / 6 - 1)), site));
}

#define SIMT_FETCHES(type)                                                    \
    template type fetch_linear<type>(cudaTextureObject_t, int);               \
    template type fetch_1d<type>(cudaTextureObject_t, float);                 \
    template type fetch_2d<type>(cudaTextureObject_t, float, float);          \
    template type fetch_3d<type>(cudaTextureObject_t, float, float, float);   \
    template type fetch_layer<type>(cudaTextureObject_t, float, float, int);  \
    template type fetch_cube<type>(cudaTextureObject_t, float, float, float); \
    template type fetch_cube_layer<type>(cudaTextureObject_t, float, float, float, int);
SIMT_FETCHES(char)
SIMT_FETCHES(signed char)
SIMT_FETCHES(unsigned char)
SIMT_FETCHES(short)
SIMT_FETCHES(unsigned short)
SIMT_FETCHES(int)
SIMT_FETCHES(unsigned int)
SIMT_FETCHES(float)
SIMT_FETCHES(char1)
SIMT_FETCHES(char2)
SIMT_FETCHES(char4)
SIMT_FETCHES(uchar1)
SIMT_FETCHES(uchar2)
SIMT_FETCHES(uchar4)
SIMT_FETCHES(short1)
SIMT_FETCHES(short2)
SIMT_FETCHES(short4)
SIMT_FETCHES(ushort1)
SIMT_FETCHES(ushort2)
SIMT_FETCHES(ushort4)
SIMT_FETCHES(int1)
SIMT_FETCHES(int2)
SIMT_FETCHES(int4)
SIMT_FETCHES(uint1)
SIMT_FETCHES(uint2)
SIMT_FETCHES(uint4)
SIMT_FETCHES(float1)
SIMT_FETCHES(float2)
SIMT_FETCHES(float4)
#undef SIMT_FETCHES

}  // namespace simt
