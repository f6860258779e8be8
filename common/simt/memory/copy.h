// Copies and fills of rows, the common core of every cudaMemcpy and cudaMemset call.
#pragma once
#include <cstddef>

#include "simt/include/simt/types.h"

namespace simt {

/// `height` rows of `width` bytes. `call` is the name of the runtime function, for explanations.
struct row_copy {
    const char* call = "";
    void* dst = nullptr;
    size_t dst_pitch = 0;
    const void* src = nullptr;
    size_t src_pitch = 0;
    size_t width = 0, height = 0;
    cudaMemcpyKind kind = cudaMemcpyDefault;
    bool dst_is_symbol = false, src_is_symbol = false;  // a variable, checked already
};

/// Checks the direction and both ranges, copies, and tells the observer.
/// Returns what the runtime function returns.
cudaError_t copy_rows(const row_copy& copy);

struct row_fill {
    const char* call = "";
    void* dst = nullptr;
    size_t pitch = 0;
    int value = 0;
    size_t width = 0, height = 0;
};
cudaError_t fill_rows(const row_fill& fill);

/// Which sides a direction puts on the device. False: it is no direction.
bool sides_of(cudaMemcpyKind kind, const void* dst, const void* src, bool& dst_on_device,
              bool& src_on_device);

/// One side of a copy must be `on_device` or not, and its rows must lie within one allocation.
/// `side` is "dst" or "src".
cudaError_t check_side(const char* call, const char* side, const void* address, bool on_device, size_t bytes);

/// Tells observer and labels that bytes were copied into or out of device memory. Of variables the observer hears
/// no more than the bytes that came from the host or went to it. Addresses are as the program sees them.
void announce_copy(const void* dst, const void* src, size_t bytes);
/// The part of it that every copy has: what passed between host and device.
void announce_passage(const void* dst, bool dst_on_device, const void* src, bool src_on_device, size_t bytes);

}  // namespace simt
