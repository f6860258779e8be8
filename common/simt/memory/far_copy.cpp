// Sizes are compared here as nobody else does it: they came from a stranger.
#include "simt/memory/far_copy.h"

#include <cstring>
#include <stdexcept>

#include "simt/memory/address_space.h"

namespace simt {

size_t span_bytes(size_t pitch, size_t width, size_t height) {
    size_t bytes = 0;
    const bool is_too_much =
        __builtin_mul_overflow(pitch, height - 1, &bytes) || __builtin_add_overflow(bytes, width, &bytes);
    return is_too_much ? SIZE_MAX : bytes;
}

std::span<const std::byte> rows_on_host(const void* rows, size_t pitch, size_t width, size_t height) {
    if (is_on_device(rows)) return {};
    return {static_cast<const std::byte*>(rows), span_bytes(pitch, width, height)};
}

rows_for_host::rows_for_host(void* rows, size_t pitch, size_t width, size_t height)
    : rows_(static_cast<std::byte*>(rows)),
      pitch_(pitch),
      width_(width),
      height_(height),
      bytes_(is_on_device(rows) ? 0 : span_bytes(pitch, width, height)) {}

cudaError_t rows_for_host::keep(cudaError_t error) {
    if (error != cudaSuccess || bytes_.empty()) return error;
    for (size_t row = 0; row < height_; row++)
        std::memcpy(rows_ + row * pitch_, &bytes_[row * pitch_], width_);
    return error;
}

namespace {

std::span<const std::byte> checked(const void* rows, size_t needed, std::span<const std::byte> bytes) {
    const bool is_host = !is_on_device(rows);
    const bool fits = is_host ? bytes.size() == needed : bytes.empty() && needed <= device_bytes_from(rows);
    if (!fits) throw std::out_of_range("rows of another size than announced");
    return bytes;
}

}  // namespace

shown_rows::shown_rows(const void* rows, size_t pitch, size_t width, size_t height,
                       std::span<const std::byte> bytes)
    : window_(rows, checked(rows, span_bytes(pitch, width, height), bytes).size(), bytes.data()) {}

}  // namespace simt
