// Rows of bytes on the host on their way to or from a device in another process (engine/far_device.h).
#pragma once
#include <cstddef>
#include <span>

#include "simt/engine/wire.h"
#include "simt/include/simt/errors.h"
#include "simt/memory/arena.h"

namespace simt {

/// Bytes from the start of the first row to the end of the last; SIZE_MAX if there are no such numbers.
size_t span_bytes(size_t pitch, size_t width, size_t height);

/// In the host's process: the bytes that a copy reads, none where they are the device's.
std::span<const std::byte> rows_on_host(const void* rows, size_t pitch, size_t width, size_t height);

/// In the host's process: room for the bytes of rows that a copy writes, none where they are the device's.
class rows_for_host {
public:
    rows_for_host(void* rows, size_t pitch, size_t width, size_t height);
    std::span<std::byte> room() { return bytes_; }
    /// Puts the rows into their places, unless the copy failed; returns its error.
    cudaError_t keep(cudaError_t error);

private:
    std::byte* rows_;
    size_t pitch_, width_, height_;
    byte_list bytes_;
};

/// In the device's process, while it copies: the host's bytes are seen at the host's addresses. Throws
/// std::out_of_range if they are not all there, or if the rows are a variable's and reach beyond it.
class shown_rows {
public:
    shown_rows(const void* rows, size_t pitch, size_t width, size_t height, std::span<const std::byte> bytes);

private:
    host_window window_;
};

}  // namespace simt
