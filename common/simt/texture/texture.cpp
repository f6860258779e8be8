// Creates and destroys texture objects, with the rejections of the real runtime.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>

#include "simt/engine/error_state.h"
#include "simt/engine/far_device.h"
#include "simt/engine/limits.h"
#include "simt/engine/observer.h"
#include "simt/memory/address_space.h"
#include "simt/memory/arena.h"
#include "simt/texture/array.h"
#include "simt/texture/handle_table.h"
#include "simt/texture/texture_object.h"

namespace simt {

template <>
inline constexpr bool is_handle<cudaResourceViewDesc> = true;  // there are none
namespace {

constexpr const char* CALL = "cudaCreateTextureObject";
handle_table<texture_object>& known_textures() {
    static auto* table = new handle_table<texture_object>;
    return *table;
}

bool is_mode(cudaTextureAddressMode mode) {
    return mode >= cudaAddressModeWrap && mode <= cudaAddressModeBorder;
}

/// Wrapping and mirroring need normalised coordinates; without them the texture unit clamps.
cudaTextureAddressMode effective_mode(cudaTextureAddressMode mode, bool normalised) {
    const bool periodic = mode == cudaAddressModeWrap || mode == cudaAddressModeMirror;
    return periodic && !normalised ? cudaAddressModeClamp : mode;
}

cudaError_t check_device_memory(const void* pointer) {
    if (!pointer) return refuse(cudaErrorInvalidValue, "%s: the memory is a null pointer", CALL);
    if (device_bytes_from(pointer) == 0) {
        return refuse(cudaErrorInvalidValue, "%s: the memory is not allocated on the device", CALL);
    }
    const size_t misplaced = reinterpret_cast<uintptr_t>(pointer) % TEXTURE_ALIGNMENT;
    if (misplaced == 0) return cudaSuccess;
    return refuse(cudaErrorInvalidValue, "%s: the memory starts %zu bytes after a multiple of %zu", CALL,
                  misplaced, TEXTURE_ALIGNMENT);
}

texture_shape shape_of(const cudaArray& array) {
    const bool layered = array.flags & cudaArrayLayered;
    if (array.flags & cudaArrayCubemap) return layered ? texture_shape::cube_layers : texture_shape::cube;
    if (layered) return texture_shape::layers;
    return array.depth == 0 ? texture_shape::flat : texture_shape::volume;
}

cudaError_t use_array(texture_object& texture) {
    const cudaArray* array = texture.resource.res.array.array;
    if (!is_array(array)) return refuse(cudaErrorInvalidResourceHandle, "%s: there is no such array", CALL);
    texture.array = array->memory;
    texture.texels = array->memory->texels.get();
    texture.width = int(array->width);
    texture.height = int(array->rows());
    texture.depth = int(array->slices());
    texture.shape = shape_of(*array);
    texture.pitch = array->row_bytes();
    texture.bytes = array->bytes();
    return cudaSuccess;
}

cudaError_t use_linear_memory(texture_object& texture) {
    const auto& linear = texture.resource.res.linear;
    if (const cudaError_t bad = check_device_memory(linear.devPtr)) return bad;
    texture.texels = host_view(linear.devPtr);
    texture.address = reinterpret_cast<uintptr_t>(linear.devPtr);
    texture.width = int(std::min(linear.sizeInBytes / texture.texel_bytes, MAX_TEXTURE_LINEAR));
    texture.height = 1;
    texture.pitch = linear.sizeInBytes;
    texture.bytes = device_bytes_from(linear.devPtr);
    texture.is_linear_memory = true;
    return cudaSuccess;
}

cudaError_t use_pitched_memory(texture_object& texture) {
    const auto& pitched = texture.resource.res.pitch2D;
    if (pitched.width > MAX_TEXTURE_PITCHED[0] || pitched.height > MAX_TEXTURE_PITCHED[1] ||
        pitched.pitchInBytes > MAX_TEXTURE_PITCHED[2]) {
        return refuse(cudaErrorInvalidValue,
                      "%s: %zu x %zu texels with a pitch of %zu; the limit is %zu x %zu and %zu", CALL,
                      pitched.width, pitched.height, pitched.pitchInBytes, MAX_TEXTURE_PITCHED[0],
                      MAX_TEXTURE_PITCHED[1], MAX_TEXTURE_PITCHED[2]);
    }
    if (const cudaError_t bad = check_device_memory(pitched.devPtr)) return bad;
    if (pitched.pitchInBytes % TEXTURE_PITCH_ALIGNMENT != 0) {
        return refuse(cudaErrorInvalidValue,
                      "%s: a pitch of %zu bytes is no multiple of %zu; use cudaMallocPitch", CALL,
                      pitched.pitchInBytes, TEXTURE_PITCH_ALIGNMENT);
    }
    texture.texels = host_view(pitched.devPtr);
    texture.address = reinterpret_cast<uintptr_t>(pitched.devPtr);
    texture.width = int(pitched.width);
    texture.height = int(pitched.height);
    texture.pitch = pitched.pitchInBytes;
    texture.bytes = device_bytes_from(pitched.devPtr);
    return cudaSuccess;
}

/// Null for a resource that has no channels of its own, or none.
const cudaChannelFormatDesc* channels_of(const cudaResourceDesc& resource) {
    if (resource.resType == cudaResourceTypeLinear) return &resource.res.linear.desc;
    if (resource.resType == cudaResourceTypePitch2D) return &resource.res.pitch2D.desc;
    if (resource.resType != cudaResourceTypeArray || !is_array(resource.res.array.array)) return nullptr;
    return &resource.res.array.array->channels;
}

cudaError_t use_channels(texture_object& texture) {
    const cudaChannelFormatDesc* channels = channels_of(texture.resource);
    if (!channels) return cudaSuccess;  // use_resource() says what is wrong
    texture.texel_bytes = texel_bytes_of(*channels);
    if (texture.texel_bytes == 0) {
        return refuse(
            cudaErrorInvalidChannelDescriptor,
            "%s: channels of %d, %d, %d, %d bits; 1, 2 or 4 equal ones of 8, 16 or 32 bits are possible",
            CALL, channels->x, channels->y, channels->z, channels->w);
    }
    texture.channel_bits = channels->x;
    texture.channels = int(texture.texel_bytes * 8) / channels->x;
    texture.kind = channels->f;
    return cudaSuccess;
}

cudaError_t use_resource(texture_object& texture) {
    switch (texture.resource.resType) {
        case cudaResourceTypeArray:
            return use_array(texture);
        case cudaResourceTypeLinear:
            return use_linear_memory(texture);
        case cudaResourceTypePitch2D:
            return use_pitched_memory(texture);
        case cudaResourceTypeMipmappedArray:
            return refuse(cudaErrorNotSupported, "%s: the CPU backend has no mipmapped arrays", CALL);
    }
    return refuse(cudaErrorInvalidValue, "%s: there is no resource type %d", CALL,
                  int(texture.resource.resType));
}

cudaError_t use_description(texture_object& texture) {
    const cudaTextureDesc& chosen = texture.description;
    const bool known_filter =
        chosen.filterMode == cudaFilterModePoint || chosen.filterMode == cudaFilterModeLinear;
    const bool is_volume = texture.shape == texture_shape::volume;
    const bool is_cube = texture.shape == texture_shape::cube || texture.shape == texture_shape::cube_layers;
    if (!known_filter || !is_mode(chosen.addressMode[0]) || !is_mode(chosen.addressMode[1]) ||
        (is_volume && !is_mode(chosen.addressMode[2]))) {
        return refuse(cudaErrorInvalidValue, "%s: an unknown filter or address mode", CALL);
    }
    const bool is_float = texture.kind == cudaChannelFormatKindFloat;
    texture.as_normalised_float = chosen.readMode == cudaReadModeNormalizedFloat;
    texture.filtered = chosen.filterMode == cudaFilterModeLinear && !texture.is_linear_memory;
    texture.normalised_coordinates = chosen.normalizedCoords != 0;
    texture.address_x = effective_mode(chosen.addressMode[0], texture.normalised_coordinates);
    texture.address_y = effective_mode(chosen.addressMode[1], texture.normalised_coordinates);
    texture.address_z = effective_mode(chosen.addressMode[2], texture.normalised_coordinates);
    // Where a direction meets a face is computed as a normalised coordinate, and stays on the face.
    if (is_cube) {
        texture.normalised_coordinates = true;
        texture.address_x = texture.address_y = cudaAddressModeClamp;
    }
    texture.is_plain = texture.shape == texture_shape::flat && !texture.is_linear_memory &&
                       !texture.normalised_coordinates && texture.channel_bits == 32;
    if (texture.as_normalised_float && (is_float || texture.channel_bits == 32)) {
        return refuse(cudaErrorInvalidNormSetting,
                      "%s: cudaReadModeNormalizedFloat is for integers of 8 and 16 bits", CALL);
    }
    if (texture.filtered && !is_float && !texture.as_normalised_float) {
        return refuse(
            cudaErrorInvalidFilterSetting,
            "%s: cudaFilterModeLinear needs float texels, or integers read as cudaReadModeNormalizedFloat",
            CALL);
    }
    if (is_cube && chosen.seamlessCubemap && texture.filtered)
        return refuse(cudaErrorNotSupported, "%s: the CPU backend filters no cubemap across its edges", CALL);
    if (chosen.sRGB) return refuse(cudaErrorNotSupported, "%s: the CPU backend converts no sRGB", CALL);
    return cudaSuccess;
}

/// The nearest colour that a normalised integer of the texture can hold.
float as_stored(const texture_object& texture, float colour) {
    const bool is_signed = texture.kind == cudaChannelFormatKindSigned;
    const float largest = float((1 << (texture.channel_bits - (is_signed ? 1 : 0))) - 1);
    return std::round(std::clamp(colour, is_signed ? -1.0f : 0.0f, 1.0f) * largest) / largest;
}

/// The border colour in the form in which a texel arrives: missing channels 0, normalised ones as stored,
/// integers as the bits of the float, cut to the width of the channel.
texel_registers border_of(const texture_object& texture) {
    texel_registers border;
    for (int c = 0; c < texture.channels; c++) {
        float colour = texture.description.borderColor[c];
        if (texture.as_normalised_float) colour = as_stored(texture, colour);
        uint32_t bits = 0;
        std::memcpy(&bits, &colour, sizeof bits);
        if (!texture.as_normalised_float && texture.channel_bits < 32)
            bits &= (1u << texture.channel_bits) - 1;
        border.channel[c] = bits;
    }
    return border;
}

}  // namespace

const texture_object* find_texture(cudaTextureObject_t handle) {
    return known_textures().find(handle);
}

size_t live_textures() {
    return known_textures().size();
}

void destroy_all_textures() {
    known_textures().remove_all();
}

}  // namespace simt

using namespace simt;

extern "C" {

cudaError_t cudaCreateTextureObject(cudaTextureObject_t* handle, const cudaResourceDesc* resource,
                                    const cudaTextureDesc* description, const cudaResourceViewDesc* view) {
    if (device_is_far()) return ask_device<cudaCreateTextureObject>(handle, resource, description, view);
    if (const cudaError_t failed = sticky_error()) return failed;
    if (!handle || !resource || !description)
        return refuse(cudaErrorInvalidValue, "%s: a null pointer", CALL);
    if (view) return refuse(cudaErrorNotSupported, "%s: the CPU backend has no resource views", CALL);
    auto texture = std::make_unique<texture_object>();
    texture->resource = *resource;
    texture->description = *description;
    if (const cudaError_t bad = use_channels(*texture)) return bad;
    if (const cudaError_t bad = use_resource(*texture)) return bad;
    if (const cudaError_t bad = use_description(*texture)) return bad;
    texture->border = border_of(*texture);

    *handle = known_textures().add(std::move(texture));
    if (*handle == 0)
        return refuse(cudaErrorMemoryAllocation, "%s: %zu textures exist already", CALL,
                      handle_table<texture_object>::MOST);
    return done(CALL);
}

cudaError_t cudaDestroyTextureObject(cudaTextureObject_t handle) {
    if (device_is_far()) return ask_device<cudaDestroyTextureObject>(handle);
    known_textures().remove(handle);
    return remember(cudaSuccess);
}

cudaError_t cudaGetTextureObjectResourceDesc(cudaResourceDesc* resource, cudaTextureObject_t handle) {
    if (device_is_far()) return look_at_device<cudaGetTextureObjectResourceDesc>(resource, handle);
    const texture_object* texture = find_texture(handle);
    if (!texture || !resource) {
        return refuse(cudaErrorInvalidValue,
                      "cudaGetTextureObjectResourceDesc: no such texture, or a null pointer");
    }
    *resource = texture->resource;
    return remember(cudaSuccess);
}

cudaError_t cudaGetTextureObjectTextureDesc(cudaTextureDesc* description, cudaTextureObject_t handle) {
    if (device_is_far()) return look_at_device<cudaGetTextureObjectTextureDesc>(description, handle);
    const texture_object* texture = find_texture(handle);
    if (!texture || !description) {
        return refuse(cudaErrorInvalidValue,
                      "cudaGetTextureObjectTextureDesc: no such texture, or a null pointer");
    }
    *description = texture->description;
    return remember(cudaSuccess);
}

}  // extern "C"
