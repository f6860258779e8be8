// What a texture returns at a coordinate.
#pragma once
#include <cstdint>

#include "simt/texture/texture_object.h"

namespace simt {

/// The texture at column x and row y, addressed and filtered as its description says. Zeros for linear
/// memory. `site` is the place of the fetch, for a finding if the texture is larger than its memory.
texel_registers sample(const texture_object& texture, float x, float y, uintptr_t site);

/// Element x of a texture on linear memory; zeros outside of it and for any other texture.
texel_registers sample_element(const texture_object& texture, int x, uintptr_t site);

}  // namespace simt
