// The fetch functions that kernels call, one for every type a texture can return.
#include <cstring>

#include "simt/engine/observer.h"
#include "simt/texture/texture_object.h"

namespace simt {
namespace {

/// The texture of a handle; a fetch from none ends the launch.
const texture_object& texture_of(cudaTextureObject_t handle, uintptr_t site) {
    const texture_object* texture = find_texture(handle);
    if (!texture) {
        report({"illegal-address", true,
                "a fetch from a texture object that was never created, or is destroyed", site, 0});
        stop_launch(cudaErrorIllegalAddress);
    }
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

}  // namespace

// The address these functions return to is the place of the fetch in the source.
template <class T>
[[gnu::noinline]] T fetch_linear(cudaTextureObject_t texture, int x) {
    const auto site = reinterpret_cast<uintptr_t>(__builtin_return_address(0));
    return texel_as<T>(sample_element(texture_of(texture, site), x, site));
}
template <class T>
[[gnu::noinline]] T fetch_1d(cudaTextureObject_t texture, float x) {
    const auto site = reinterpret_cast<uintptr_t>(__builtin_return_address(0));
    // The second coordinate is row 0 of whatever the texture is.
    return texel_as<T>(sample(texture_of(texture, site), x, 0.0f, site));
}
template <class T>
[[gnu::noinline]] T fetch_2d(cudaTextureObject_t texture, float x, float y) {
    const auto site = reinterpret_cast<uintptr_t>(__builtin_return_address(0));
    return texel_as<T>(sample(texture_of(texture, site), x, y, site));
}

#define SIMT_FETCHES(type)                                      \
    template type fetch_linear<type>(cudaTextureObject_t, int); \
    template type fetch_1d<type>(cudaTextureObject_t, float);   \
    template type fetch_2d<type>(cudaTextureObject_t, float, float);
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
