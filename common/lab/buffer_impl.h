// Device memory: the parts of buffer.h that need the element type, and the untyped functions below them.
#pragma once
#include <stdexcept>
#include <string>

#include "lab/buffer.h"

namespace lab::detail {

/// Device memory of `bytes` bytes, all 0xff (a NaN as float, double or half). Throws as CUDA_CHECK does.
void* allocate_linear(size_t bytes);
void free_linear(void* data, size_t bytes, size_t element_bytes) noexcept;
/// Throws std::runtime_error if something was written outside the `bytes` bytes at `data`.
void verify_linear(const void* data, size_t bytes, size_t element_bytes);

/// Rows of `row_bytes` bytes, `pitch` bytes apart, all 0xff.
void* allocate_pitched(size_t row_bytes, int height, size_t& pitch);
void free_pitched(void* data, int height, size_t pitch, size_t element_bytes) noexcept;
/// Throws std::runtime_error if something was written above the first or below the last row.
void verify_pitched(const void* data, int height, size_t pitch, size_t element_bytes);

/// Timed copies of `height` rows; a linear buffer is one row.
void copy_rows(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t row_bytes,
               size_t height, cudaMemcpyKind direction);
void copy_bytes(void* to, const void* from, size_t bytes, cudaMemcpyKind direction);

/// Throws std::invalid_argument unless the two counts of elements agree.
void expect_same_size(const char* what, size_t host, size_t device);
/// width * height; throws std::invalid_argument unless both are positive.
size_t checked_area(int width, int height);

}  // namespace lab::detail

namespace lab {

template <class T>
device_buffer<T>::device_buffer(size_t size)
    : data_(static_cast<T*>(detail::allocate_linear(size * sizeof(T)))), size_(size) {}

template <class T>
device_buffer<T>::~device_buffer() {
    detail::free_linear(data_, size_ * sizeof(T), sizeof(T));
}

template <class T>
void device_buffer<T>::copy_from(std::span<const T> host) {
    detail::expect_same_size("device_buffer::copy_from", host.size(), size_);
    detail::copy_bytes(data_, host.data(), host.size_bytes(), cudaMemcpyHostToDevice);
}

template <class T>
void device_buffer<T>::copy_to(std::span<T> host) const {
    detail::expect_same_size("device_buffer::copy_to", host.size(), size_);
    detail::copy_bytes(host.data(), data_, host.size_bytes(), cudaMemcpyDeviceToHost);
    detail::verify_linear(data_, size_ * sizeof(T), sizeof(T));
}

template <class T>
pitched_image<T>::pitched_image(int width, int height) : width_(width), height_(height) {
    detail::checked_area(width, height);
    data_ = static_cast<T*>(detail::allocate_pitched(size_t(width) * sizeof(T), height, pitch_));
}

template <class T>
pitched_image<T>::~pitched_image() {
    detail::free_pitched(data_, height_, pitch_, sizeof(T));
}

template <class T>
void pitched_image<T>::copy_from(std::span<const T> host) {
    detail::expect_same_size("pitched_image::copy_from", host.size(), detail::checked_area(width_, height_));
    const size_t row_bytes = size_t(width_) * sizeof(T);
    detail::copy_rows(data_, pitch_, host.data(), row_bytes, row_bytes, size_t(height_),
                      cudaMemcpyHostToDevice);
}

template <class T>
void pitched_image<T>::copy_to(std::span<T> host) const {
    detail::expect_same_size("pitched_image::copy_to", host.size(), detail::checked_area(width_, height_));
    const size_t row_bytes = size_t(width_) * sizeof(T);
    detail::copy_rows(host.data(), row_bytes, data_, pitch_, row_bytes, size_t(height_),
                      cudaMemcpyDeviceToHost);
    detail::verify_pitched(data_, height_, pitch_, sizeof(T));
}

}  // namespace lab
