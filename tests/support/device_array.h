// Device memory that copies itself.
#pragma once
#include <vector>

#include "cases.h"

/// `size` elements of device memory, zeros at first.
template <class type>
class device_array {
public:
    explicit device_array(size_t size) : size_(size) {
        EXPECT(cudaMalloc(&data, size * sizeof(type)) == cudaSuccess);
        clear();
    }
    ~device_array() { cudaFree(data); }
    device_array(const device_array&) = delete;
    operator type*() const { return data; }
    void clear() { EXPECT(cudaMemset(data, 0, size_ * sizeof(type)) == cudaSuccess); }
    /// Once everything has ended.
    type at(size_t i) const {
        type value{};
        EXPECT(cudaDeviceSynchronize() == cudaSuccess);
        EXPECT(cudaMemcpy(&value, data + i, sizeof value, cudaMemcpyDeviceToHost) == cudaSuccess);
        return value;
    }
    std::vector<type> host() const {
        std::vector<type> copy(size_);
        cudaMemcpy(copy.data(), data, size_ * sizeof(type), cudaMemcpyDeviceToHost);
        return copy;
    }
    /// cudaDeviceReset() is about to free it.
    void forget() { data = nullptr; }
    type* data = nullptr;

private:
    size_t size_;
};
