// What a texture object stands for, ready to be fetched from.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>

#include "simt/include/simt/texture.h"
#include "simt/texture/array.h"

namespace simt {

/// The four 32-bit registers in which a texture unit returns a texel.
struct texel_registers {
    uint32_t channel[4] = {0, 0, 0, 0};
};

/// What the coordinates of a fetch mean. A fetch of another shape than the texture's has no meaning.
enum class texture_shape { flat, volume, layers, cube, cube_layers };

struct texture_object {
    cudaResourceDesc resource{};
    cudaTextureDesc description{};
    std::shared_ptr<const array_memory> array;  // null for linear and pitched memory
    const char* texels = nullptr;               // in the runtime's view
    uintptr_t address = 0;  // of the texels in linear or pitched memory, as kernels see it
    texture_shape shape = texture_shape::flat;
    int width = 0, height = 0;  // texels; height 1 in one dimension
    int depth = 1;              // slices, layers or faces
    size_t pitch = 0;           // bytes
    size_t bytes = 0;           // that may be read from texels on
    size_t texel_bytes = 0;
    int channels = 0;
    int channel_bits = 0;
    cudaChannelFormatKind kind{};
    cudaTextureAddressMode address_x{}, address_y{}, address_z{};
    bool is_linear_memory = false;
    bool normalised_coordinates = false;
    bool filtered = false;
    bool as_normalised_float = false;
    bool is_plain = false;  // of one or two dimensions, its coordinates and texels taken as they are
    texel_registers border;
};

/// The texture of a handle, or null if it was never created or is destroyed.
const texture_object* find_texture(cudaTextureObject_t handle);

/// Destroys all textures.
void destroy_all_textures();

/// Where a fetch looks: column, row, slice; the layer is a whole number.
struct texture_position {
    float x = 0.0f, y = 0.0f, z = 0.0f;
    int layer = 0;
};

/// The texture at a position, addressed and filtered as its description says. Zeros for linear memory. `site` is the
/// place of the fetch, for a finding if the texture is larger than its memory.
texel_registers sample(const texture_object& texture, const texture_position& at, uintptr_t site);

/// Element x of a texture on linear memory; zeros outside of it and for any other texture.
texel_registers sample_element(const texture_object& texture, int x, uintptr_t site);

}  // namespace simt
