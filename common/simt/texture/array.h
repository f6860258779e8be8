// CUDA arrays: opaque images in device memory that only copies and textures reach.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "simt/engine/far_device.h"
#include "simt/include/simt/texture.h"

namespace simt {

/// The texels of an array, rows without gaps. The textures of an array keep them, so that a fetch from a
/// freed one is found out.
struct array_memory {
    explicit array_memory(size_t bytes);  // as nobody wrote them (engine/unwritten.h)
    /// The array is freed.
    void end();
    /// Bytes from `offset` on have values now.
    void mark_written(size_t offset, size_t count);

    std::unique_ptr<char[]> texels;
    size_t bytes;
    std::vector<char> written;  // by byte; empty in a program that nobody observes
    bool is_live = true;
};

}  // namespace simt

// The C API hands out pointers to this type, hence the global name.
struct cudaArray {
    cudaChannelFormatDesc channels{};
    size_t width = 0, height = 0;  // texels; height 0 for one dimension
    size_t depth = 0;              // slices, layers or faces; 0 for one or two dimensions
    unsigned int flags = 0;
    size_t texel_bytes = 0;
    uint64_t serial = 0;
    uintptr_t site = 0;  // where an observed program asked for it
    std::shared_ptr<simt::array_memory> memory;

    size_t rows() const { return height == 0 ? 1 : height; }
    size_t slices() const { return depth == 0 ? 1 : depth; }
    size_t row_bytes() const { return width * texel_bytes; }
    size_t bytes() const { return row_bytes() * rows() * slices(); }
};

namespace simt {

template <>
inline constexpr bool is_handle<cudaArray> = true;

/// Bytes of a texel, or 0 for channels that no texture can have.
size_t texel_bytes_of(const cudaChannelFormatDesc& channels);

/// True for an array that was created and not freed.
bool is_array(const cudaArray* array);

/// Destroys all surface objects.
void destroy_all_surfaces();

/// Frees all arrays.
void free_all_arrays();

}  // namespace simt
