// Creates and frees arrays.
#include "simt/texture/array.h"

#include <cstring>
#include <mutex>
#include <set>

#include "simt/engine/error_state.h"
#include "simt/engine/far_device.h"
#include "simt/engine/limits.h"
#include "simt/engine/observer.h"
#include "simt/engine/unwritten.h"
#include "simt/memory/address_space.h"
#include "simt/memory/allocations.h"
#include "simt/memory/arena.h"
#include "simt/memory/copy.h"
#include "simt/memory/labels.h"

namespace simt {
namespace {

struct array_list {
    std::mutex mutex;
    std::set<const cudaArray*> arrays;
    uint64_t last_serial = 0;
};

array_list& known_arrays() {
    static auto* list = new array_list;  // never destroyed, see allocations.cpp
    return *list;
}

/// What an array with these flags may have of each, or why there is none; zeros: no such array.
struct array_limit {
    size_t width = 0, height = 0, depth = 0;
};
array_limit limit_of(const cudaExtent& extent, unsigned int flags) {
    const bool layered = flags & cudaArrayLayered;
    if (flags & cudaArrayCubemap) {
        const bool has_faces = extent.width == extent.height && extent.depth > 0 && extent.depth % 6 == 0;
        if (!has_faces || (!layered && extent.depth != 6)) return {};
        return {MAX_TEXTURE_LAYER, MAX_TEXTURE_LAYER, layered ? MAX_LAYERS / 6 * 6 : 6};
    }
    if (layered)
        return {MAX_TEXTURE_LAYER, extent.height == 0 ? 0 : MAX_TEXTURE_LAYER,
                extent.depth == 0 ? 0 : MAX_LAYERS};
    if (extent.height == 0) return {MAX_TEXTURE_1D, 0, 0};
    if (extent.depth == 0) return {MAX_TEXTURE_2D[0], MAX_TEXTURE_2D[1], 0};
    return {MAX_TEXTURE_3D, MAX_TEXTURE_3D, MAX_TEXTURE_3D};
}

void end_array(const cudaArray* array) {
    array->memory->end();
    count_array_bytes(-ptrdiff_t(array->bytes()));
    delete array;
}

}  // namespace

array_memory::array_memory(size_t bytes) : texels(new char[bytes]), bytes(bytes) {
    std::memset(texels.get(), unwritten_byte(), bytes);
    if (the_observer) written.resize(bytes);
}

void array_memory::mark_written(size_t offset, size_t count) {
    if (!written.empty()) std::memset(written.data() + offset, true, count);
}

void array_memory::end() {
    is_live = false;
    std::memset(texels.get(), unwritten_byte(), bytes);
}

size_t texel_bytes_of(const cudaChannelFormatDesc& channels) {
    const bool known_size = channels.x == 8 || channels.x == 16 || channels.x == 32;
    const bool one = channels.y == 0 && channels.z == 0 && channels.w == 0;
    const bool two = channels.y == channels.x && channels.z == 0 && channels.w == 0;
    const bool four = channels.y == channels.x && channels.z == channels.x && channels.w == channels.x;
    if (!known_size || !(one || two || four)) return 0;
    const bool is_float = channels.f == cudaChannelFormatKindFloat;
    const bool is_integer =
        channels.f == cudaChannelFormatKindSigned || channels.f == cudaChannelFormatKindUnsigned;
    // Halves, floats of 16 bits, are a later lab's.
    if (!is_integer && !(is_float && channels.x == 32)) return 0;
    return size_t(channels.x) / 8 * (one ? 1 : two ? 2 : 4);
}

std::vector<array_allocation> live_arrays() {
    const std::lock_guard lock(known_arrays().mutex);
    std::vector<array_allocation> live;
    for (const cudaArray* array : known_arrays().arrays)
        live.push_back({array->serial, array->bytes(), array->site});
    return live;
}

bool is_array(const cudaArray* array) {
    const std::lock_guard lock(known_arrays().mutex);
    return known_arrays().arrays.count(array) != 0;
}

void free_all_arrays() {
    const std::lock_guard lock(known_arrays().mutex);
    for (const cudaArray* array : known_arrays().arrays)
        end_array(array);
    known_arrays().arrays.clear();
}

static cudaError_t create_array(const char* call, cudaArray_t* array, const cudaChannelFormatDesc* channels,
                                const cudaExtent& extent, unsigned int flags) {
    if (const cudaError_t failed = sticky_error()) return failed;
    if (!array || !channels) return refuse(cudaErrorInvalidValue, "%s: a null pointer", call);
    constexpr unsigned int known =
        cudaArrayLayered | cudaArrayCubemap | cudaArraySurfaceLoadStore | cudaArrayTextureGather;
    if (flags & ~known) return refuse(cudaErrorInvalidValue, "%s: unknown flags", call);
    const size_t texel_bytes = texel_bytes_of(*channels);
    if (texel_bytes == 0) {
        return refuse(
            cudaErrorInvalidChannelDescriptor,
            "%s: channels of %d, %d, %d, %d bits; 1, 2 or 4 equal ones of 8, 16 or 32 bits are possible",
            call, channels->x, channels->y, channels->z, channels->w);
    }
    const array_limit limit = limit_of(extent, flags);
    const bool fits = extent.width > 0 && extent.width <= limit.width && extent.height <= limit.height &&
                      extent.depth <= limit.depth;
    if (!fits) {
        return refuse(cudaErrorInvalidValue, "%s: %zu x %zu x %zu texels; of this kind: %zu x %zu x %zu",
                      call, extent.width, extent.height, extent.depth, limit.width, limit.height,
                      limit.depth);
    }
    auto created = std::make_unique<cudaArray>();
    created->channels = *channels;
    created->width = extent.width;
    created->height = extent.height;
    created->depth = extent.depth;
    created->flags = flags;
    created->texel_bytes = texel_bytes;
    if (created->bytes() > device_memory_info().free) {
        return refuse(cudaErrorMemoryAllocation, "%s: %zu bytes do not fit", call, created->bytes());
    }
    created->memory = std::make_shared<array_memory>(created->bytes());
    if (the_observer) created->site = user_frame();
    count_array_bytes(ptrdiff_t(created->bytes()));
    const std::lock_guard lock(known_arrays().mutex);
    created->serial = ++known_arrays().last_serial;
    *array = created.release();
    known_arrays().arrays.insert(*array);
    return done(call);
}

}  // namespace simt

using namespace simt;

extern "C" {

cudaError_t cudaMalloc3DArray(cudaArray_t* array, const cudaChannelFormatDesc* channels, cudaExtent extent,
                              unsigned int flags) {
    if (device_is_far()) return ask_device<cudaMalloc3DArray>(array, channels, extent, flags);
    return create_array("cudaMalloc3DArray", array, channels, extent, flags);
}

cudaError_t cudaMallocArray(cudaArray_t* array, const cudaChannelFormatDesc* channels, size_t width,
                            size_t height, unsigned int flags) {
    if (device_is_far()) return ask_device<cudaMallocArray>(array, channels, width, height, flags);
    return create_array("cudaMallocArray", array, channels, {width, height, 0}, flags);
}

cudaError_t cudaFreeArray(cudaArray_t array) {
    if (device_is_far()) return ask_device<cudaFreeArray>(array);
    if (!array) return remember(cudaSuccess);
    const std::lock_guard lock(known_arrays().mutex);
    if (known_arrays().arrays.erase(array) == 0) {
        return refuse(cudaErrorInvalidResourceHandle,
                      "cudaFreeArray: there is no such array (or it was freed before)");
    }
    end_array(array);
    return remember(cudaSuccess);
}

cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc* channels, cudaExtent* extent, unsigned int* flags,
                             cudaArray_t array) {
    if (device_is_far()) return look_at_device<cudaArrayGetInfo>(channels, extent, flags, array);
    if (!is_array(array))
        return refuse(cudaErrorInvalidResourceHandle, "cudaArrayGetInfo: there is no such array");
    if (channels) *channels = array->channels;
    if (extent) *extent = {array->width, array->height, array->depth};
    if (flags) *flags = array->flags;
    return remember(cudaSuccess);
}

cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc* channels, cudaArray_const_t array) {
    if (device_is_far()) return look_at_device<cudaGetChannelDesc>(channels, array);
    if (!is_array(array))
        return refuse(cudaErrorInvalidResourceHandle, "cudaGetChannelDesc: there is no such array");
    if (!channels) return refuse(cudaErrorInvalidValue, "cudaGetChannelDesc: a null pointer for the result");
    *channels = array->channels;
    return remember(cudaSuccess);
}

}  // extern "C"
