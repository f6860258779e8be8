// cudaMemcpy and cudaMemset in one, two and three dimensions.
#include "simt/engine/error_state.h"
#include "simt/include/simt/memory.h"
#include "simt/memory/copy.h"
#include "simt/runtime/capture.h"
#include "simt/runtime/checks.h"
#include "simt/runtime/host_order.h"
#include "simt/runtime/launch_in_flight.h"

namespace simt {
namespace {

cudaError_t copy_2d(const row_copy& copy) {
    const bool dst_is_short = copy.width > copy.dst_pitch;
    if (dst_is_short || copy.width > copy.src_pitch) {
        // The real runtime minds the pitch of a single row in other words.
        const cudaError_t error = copy.height > 1 ? cudaErrorInvalidPitchValue : cudaErrorInvalidValue;
        return refuse(error, "%s: rows of %zu bytes need a pitch of at least that, not %s %zu", copy.call,
                      copy.width, dst_is_short ? "dst_pitch" : "src_pitch",
                      dst_is_short ? copy.dst_pitch : copy.src_pitch);
    }
    return copy_as_asked(copy);
}

cudaError_t fill_2d(const row_fill& fill) {
    if (fill.width > fill.pitch) {
        return refuse(cudaErrorInvalidValue, "%s: rows of %zu bytes need a pitch of at least that, not %zu",
                      fill.call, fill.width, fill.pitch);
    }
    return fill_rows(fill);
}

char* slice_of(const cudaPitchedPtr& pitched, const cudaPos& position, size_t z) {
    const size_t row = (position.z + z) * pitched.ysize + position.y;
    return static_cast<char*>(pitched.ptr) + row * pitched.pitch + position.x;
}

}  // namespace

cudaError_t copy_3d(const char* call, const cudaMemcpy3DParms& p) {
    if (p.srcArray || p.dstArray) return copy_arrays_3d(call, p);
    for (size_t z = 0; z < p.extent.depth; z++) {
        void* dst = slice_of(p.dstPtr, p.dstPos, z);
        const void* src = slice_of(p.srcPtr, p.srcPos, z);
        const cudaError_t error = copy_2d(
            {call, dst, p.dstPtr.pitch, src, p.srcPtr.pitch, p.extent.width, p.extent.height, p.kind});
        if (error != cudaSuccess) return error;
    }
    return remember(cudaSuccess);
}

}  // namespace simt

using namespace simt;

extern "C" {

cudaError_t cudaMemcpy(void* dst, const void* src, size_t bytes, cudaMemcpyKind kind) {
    return on_stream("cudaMemcpy", nullptr, cudaGraphNodeTypeMemcpy, [=] {
        return copy_as_asked({"cudaMemcpy", dst, bytes, src, bytes, bytes, 1, kind});
    });
}

cudaError_t cudaMemcpyAsync(void* dst, const void* src, size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream) {
    wait_if_pageable(stream, dst);
    wait_if_pageable(stream, src);
    return on_stream("cudaMemcpyAsync", stream, cudaGraphNodeTypeMemcpy, [=] {
        return copy_as_asked({"cudaMemcpyAsync", dst, bytes, src, bytes, bytes, 1, kind});
    });
}

cudaError_t cudaMemcpy2D(void* dst, size_t dst_pitch, const void* src, size_t src_pitch, size_t width,
                         size_t height, cudaMemcpyKind kind) {
    return on_stream("cudaMemcpy2D", nullptr, cudaGraphNodeTypeMemcpy, [=] {
        return copy_2d({"cudaMemcpy2D", dst, dst_pitch, src, src_pitch, width, height, kind});
    });
}

cudaError_t cudaMemcpy2DAsync(void* dst, size_t dst_pitch, const void* src, size_t src_pitch, size_t width,
                              size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
    wait_if_pageable(stream, dst);
    wait_if_pageable(stream, src);
    return on_stream("cudaMemcpy2DAsync", stream, cudaGraphNodeTypeMemcpy, [=] {
        return copy_2d({"cudaMemcpy2DAsync", dst, dst_pitch, src, src_pitch, width, height, kind});
    });
}

cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* parameters) {
    if (!parameters) return refuse(cudaErrorInvalidValue, "cudaMemcpy3D: a null pointer for the parameters");
    return on_stream("cudaMemcpy3D", nullptr, cudaGraphNodeTypeMemcpy,
                     [=] { return copy_3d("cudaMemcpy3D", *parameters); });
}

cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* parameters, cudaStream_t stream) {
    if (!parameters) return refuse(cudaErrorInvalidValue, "cudaMemcpy3D: a null pointer for the parameters");
    wait_behind_flight(stream);
    return on_stream("cudaMemcpy3DAsync", stream, cudaGraphNodeTypeMemcpy,
                     [copy = *parameters] { return copy_3d("cudaMemcpy3DAsync", copy); });
}

cudaError_t cudaMemset(void* pointer, int value, size_t bytes) {
    return on_stream("cudaMemset", nullptr, cudaGraphNodeTypeMemset, [=] {
        return fill_rows({"cudaMemset", pointer, bytes, value, bytes, 1});
    });
}

cudaError_t cudaMemsetAsync(void* pointer, int value, size_t bytes, cudaStream_t stream) {
    return on_stream("cudaMemsetAsync", stream, cudaGraphNodeTypeMemset, [=] {
        return fill_rows({"cudaMemsetAsync", pointer, bytes, value, bytes, 1});
    });
}

cudaError_t cudaMemset2D(void* pointer, size_t pitch, int value, size_t width, size_t height) {
    wait_behind_flight(nullptr);
    return fill_2d({"cudaMemset2D", pointer, pitch, value, width, height});
}

cudaError_t cudaMemset2DAsync(void* pointer, size_t pitch, int value, size_t width, size_t height,
                              cudaStream_t stream) {
    return on_stream("cudaMemset2DAsync", stream, cudaGraphNodeTypeMemset, [=] {
        return fill_2d({"cudaMemset2DAsync", pointer, pitch, value, width, height});
    });
}

static cudaError_t fill_3d(const char* call, cudaPitchedPtr pitched, int value, cudaExtent extent) {
    for (size_t z = 0; z < extent.depth; z++) {
        char* slice = slice_of(pitched, {0, 0, 0}, z);
        const cudaError_t error = fill_2d({call, slice, pitched.pitch, value, extent.width, extent.height});
        if (error != cudaSuccess) return error;
    }
    return remember(cudaSuccess);
}

cudaError_t cudaMemset3D(cudaPitchedPtr pitched, int value, cudaExtent extent) {
    wait_behind_flight(nullptr);
    return fill_3d("cudaMemset3D", pitched, value, extent);
}

cudaError_t cudaMemset3DAsync(cudaPitchedPtr pitched, int value, cudaExtent extent, cudaStream_t stream) {
    return on_stream("cudaMemset3DAsync", stream, cudaGraphNodeTypeMemset,
                     [=] { return fill_3d("cudaMemset3DAsync", pitched, value, extent); });
}

}  // extern "C"
