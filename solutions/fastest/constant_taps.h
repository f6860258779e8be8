// Taps in constant memory, of which there is one for all plans: who launches brings his own, if another plan was the last.
#pragma once
#include <span>

#include "lab/buffer.h"

namespace fastest {

/// Keeps a plan's taps in device memory and copies them to a symbol in the stream's order. `last` belongs to the symbol.
class constant_taps {
public:
    constant_taps(std::span<const float> taps, const constant_taps** last) : taps_(taps), last_(last) {}
    ~constant_taps() {
        if (*last_ == this) *last_ = nullptr;
    }
    constant_taps(const constant_taps&) = delete;
    constant_taps& operator=(const constant_taps&) = delete;

    template <size_t MOST>
    void bring_to(const float (&symbol)[MOST], cudaStream_t stream) {
        if (*last_ == this) return;
        CUDA_CHECK(cudaMemcpyToSymbolAsync(symbol, taps_.data(), taps_.size() * sizeof(float), 0,
                                           cudaMemcpyDeviceToDevice, stream));
        *last_ = this;
    }

private:
    lab::device_buffer<float> taps_;
    const constant_taps** last_;
};

}  // namespace fastest
