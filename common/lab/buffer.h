// Device memory that frees itself: linear buffers and pitched images.
#pragma once
#include <cstddef>
#include <span>

#include "lab/errors.h"
#include "lab/timing.h"

namespace lab {

/// `size` elements of device memory, filled with NaN bytes,
/// between guard zones that are verified when it is freed.
template <class T>
class device_buffer {
public:
    explicit device_buffer(size_t size);
    explicit device_buffer(std::span<const T> host) : device_buffer(host.size()) { copy_from(host); }
    ~device_buffer();
    device_buffer(const device_buffer&) = delete;
    device_buffer& operator=(const device_buffer&) = delete;

    T* data() { return data_; }
    const T* data() const { return data_; }
    size_t size() const { return size_; }
    void copy_from(std::span<const T> host);  // timed as a transfer; sizes must agree
    void copy_to(std::span<T> host) const;

private:
    T* data_ = nullptr;
    size_t size_ = 0;
};

/// `height` rows of `width` elements in device memory; rows start `pitch()` bytes apart (cudaMallocPitch).
template <class T>
class pitched_image {
public:
    pitched_image(int width, int height);
    pitched_image(std::span<const T> host, int width, int height) : pitched_image(width, height) {
        copy_from(host);
    }
    ~pitched_image();
    pitched_image(const pitched_image&) = delete;
    pitched_image& operator=(const pitched_image&) = delete;

    T* data() { return data_; }
    const T* data() const { return data_; }
    size_t pitch() const { return pitch_; }  // bytes
    int pitch_elements() const { return int(pitch_ / sizeof(T)); }
    void copy_from(std::span<const T> host);  // host rows are dense: width * height elements
    void copy_to(std::span<T> host) const;

private:
    T* data_ = nullptr;
    int width_, height_;
    size_t pitch_ = 0;
};

}  // namespace lab

#include "lab/buffer_impl.h"
