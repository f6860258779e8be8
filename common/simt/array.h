// CUDA arrays: opaque images in device memory that only copies and textures reach.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>

#include "simt/include/simt/texture.h"

// The C API hands out pointers to this type, hence the global name.
struct cudaArray {
    cudaChannelFormatDesc channels{};
    size_t width = 0, height = 0;  // texels; height 0 for one dimension
    unsigned int flags = 0;
    size_t texel_bytes = 0;
    uint64_t serial = 0;
    uintptr_t site = 0;              // where an observed program asked for it
    std::unique_ptr<char[]> texels;  // rows without gaps

    size_t rows() const { return height == 0 ? 1 : height; }
    size_t row_bytes() const { return width * texel_bytes; }
    size_t bytes() const { return row_bytes() * rows(); }
};

namespace simt {

/// Bytes of a texel, or 0 for channels that no texture can have.
size_t texel_bytes_of(const cudaChannelFormatDesc& channels);

/// True for an array that was created and not freed.
bool is_array(const cudaArray* array);

/// Frees all arrays.
void free_all_arrays();

}  // namespace simt
