// Copies rows into and out of CUDA arrays.
#include <algorithm>
#include <cstring>

#include "simt/engine/error_state.h"
#include "simt/engine/far_device.h"
#include "simt/engine/observer.h"
#include "simt/memory/address_space.h"
#include "simt/memory/arena.h"
#include "simt/memory/copy.h"
#include "simt/memory/far_copy.h"
#include "simt/memory/labels.h"
#include "simt/memory/sent_bytes.h"
#include "simt/runtime/capture.h"
#include "simt/runtime/checks.h"
#include "simt/runtime/launch_in_flight.h"
#include "simt/texture/array.h"

namespace simt {
namespace {

/// A rectangle of a slice of an array: x and width in bytes.
struct rectangle {
    size_t x, y, width, height, slice = 0;
};

cudaError_t check_rectangle(const char* call, const cudaArray* array, const rectangle& part) {
    if (const cudaError_t failed = device_error()) return failed;
    if (!is_array(array)) return refuse(cudaErrorInvalidResourceHandle, "%s: there is no such array", call);
    const bool fits = part.width <= array->row_bytes() && part.x <= array->row_bytes() - part.width &&
                      part.height <= array->rows() && part.y <= array->rows() - part.height &&
                      part.slice < array->slices();
    if (fits) return cudaSuccess;
    if (array->depth != 0) {
        return refuse(cudaErrorInvalidValue,
                      "%s: %zu bytes x %zu rows at (%zu, %zu, %zu) do not fit the array's %zu x %zu x %zu",
                      call, part.width, part.height, part.x, part.y, part.slice, array->row_bytes(),
                      array->rows(), array->depth);
    }
    return refuse(cudaErrorInvalidValue,
                  "%s: %zu bytes x %zu rows at (%zu, %zu) do not fit the array's %zu x %zu", call, part.width,
                  part.height, part.x, part.y, array->row_bytes(), array->rows());
}

/// The memory on the other side of a copy: rows of `width` bytes, `pitch` apart.
cudaError_t check_memory(const char* call, const char* side, const void* memory, size_t pitch,
                         const rectangle& part, cudaMemcpyKind kind, cudaMemcpyKind from_or_to_host) {
    if (kind != from_or_to_host && kind != cudaMemcpyDeviceToDevice && kind != cudaMemcpyDefault) {
        return refuse(cudaErrorInvalidMemcpyDirection,
                      "%s: the array is device memory; the direction says otherwise", call);
    }
    if (part.width > pitch) {
        return refuse(cudaErrorInvalidPitchValue,
                      "%s: rows of %zu bytes need a pitch of at least that, not %zu", call, part.width,
                      pitch);
    }
    const bool on_device = kind == cudaMemcpyDeviceToDevice || is_on_device(memory);
    return check_side(call, side, memory, on_device, span_bytes(pitch, part.width, part.height));
}

/// Where the rectangle's row is among the texels of the array.
size_t place_of(const cudaArray* array, const rectangle& part, size_t row) {
    return ((part.slice * array->rows()) + part.y + row) * array->row_bytes() + part.x;
}

void announce_read(const void* memory, size_t bytes) {
    if (the_observer && is_on_device(memory))
        the_observer->host_read(reinterpret_cast<uintptr_t>(memory), bytes);
}

void announce_write(const void* memory, size_t bytes) {
    if (the_observer && is_on_device(memory))
        the_observer->host_wrote(reinterpret_cast<uintptr_t>(memory), bytes);
}

cudaError_t check_copy_to_array(const char* call, cudaArray* dst, rectangle part, const void* src,
                                size_t src_pitch, cudaMemcpyKind kind) {
    if (const cudaError_t bad = check_rectangle(call, dst, part)) return bad;
    return check_memory(call, "src", src, src_pitch, part, kind, cudaMemcpyHostToDevice);
}

cudaError_t copy_to_array(const char* call, cudaArray* dst, const rectangle& part, const void* src,
                          size_t src_pitch, cudaMemcpyKind kind);

/// With the bytes that the host has at `src` (engine/far_device.h).
cudaError_t copy_to_array_there(const char* call, cudaArray* dst, rectangle part, const void* src,
                                size_t src_pitch, cudaMemcpyKind kind, std::span<const std::byte> from_host) {
    const sent_bytes sent(from_host, way_to_device::copy);
    const shown_rows source(src, src_pitch, part.width, part.height, sent.bytes());
    return copy_to_array(call, dst, part, src, src_pitch, kind);
}

cudaError_t copy_to_array(const char* call, cudaArray* dst, const rectangle& part, const void* src,
                          size_t src_pitch, cudaMemcpyKind kind) {
    if (part.width == 0 || part.height == 0) return remember(cudaSuccess);
    if (device_is_far()) {
        if (const cudaError_t bad =
                look_at_device<check_copy_to_array>(call, dst, part, src, src_pitch, kind))
            return bad;
        return ask_device<copy_to_array_there>(call, dst, part, src, src_pitch, kind,
                                               rows_on_host(src, src_pitch, part.width, part.height));
    }
    if (const cudaError_t bad = check_copy_to_array(call, dst, part, src, src_pitch, kind)) return bad;
    for (size_t row = 0; row < part.height; row++) {
        const char* from = static_cast<const char*>(src) + row * src_pitch;
        const size_t place = place_of(dst, part, row);
        std::memcpy(&dst->memory->texels[place], host_view(from), part.width);
        dst->memory->mark_written(place, part.width);
        announce_read(from, part.width);
        announce_passage(dst, true, from, is_on_device(from), part.width);
    }
    note_copy_to_array({reinterpret_cast<uintptr_t>(src), src_pitch, part.width, part.height});
    return done(call);
}

cudaError_t check_copy_from_array(const char* call, void* dst, size_t dst_pitch, const cudaArray* src,
                                  rectangle part, cudaMemcpyKind kind) {
    if (const cudaError_t bad = check_rectangle(call, src, part)) return bad;
    return check_memory(call, "dst", dst, dst_pitch, part, kind, cudaMemcpyDeviceToHost);
}

cudaError_t copy_from_array(const char* call, void* dst, size_t dst_pitch, const cudaArray* src,
                            const rectangle& part, cudaMemcpyKind kind);

/// With room for the bytes that the host gets at `dst`.
cudaError_t copy_from_array_there(const char* call, void* dst, size_t dst_pitch, const cudaArray* src,
                                  rectangle part, cudaMemcpyKind kind, std::span<std::byte> to_host) {
    const shown_rows target(dst, dst_pitch, part.width, part.height, to_host);
    return copy_from_array(call, dst, dst_pitch, src, part, kind);
}

cudaError_t copy_from_array(const char* call, void* dst, size_t dst_pitch, const cudaArray* src,
                            const rectangle& part, cudaMemcpyKind kind) {
    if (part.width == 0 || part.height == 0) return remember(cudaSuccess);
    if (device_is_far()) {
        if (const cudaError_t bad =
                look_at_device<check_copy_from_array>(call, dst, dst_pitch, src, part, kind))
            return bad;
        rows_for_host target(dst, dst_pitch, part.width, part.height);
        return target.keep(
            ask_device<copy_from_array_there>(call, dst, dst_pitch, src, part, kind, target.room()));
    }
    if (const cudaError_t bad = check_copy_from_array(call, dst, dst_pitch, src, part, kind)) return bad;
    for (size_t row = 0; row < part.height; row++) {
        char* to = static_cast<char*>(dst) + row * dst_pitch;
        std::memcpy(host_view(to), &src->memory->texels[place_of(src, part, row)], part.width);
        announce_write(to, part.width);
        announce_passage(to, is_on_device(to), src, true, part.width);
    }
    return done(call);
}

cudaError_t copy_between(const char* call, cudaArray* dst, rectangle to, const cudaArray* src,
                         rectangle from) {
    if (device_is_far()) return ask_device<copy_between>(call, dst, to, src, from);
    if (const cudaError_t bad = check_rectangle(call, dst, to)) return bad;
    if (const cudaError_t bad = check_rectangle(call, src, from)) return bad;
    for (size_t row = 0; row < to.height; row++) {
        const size_t place = place_of(dst, to, row);
        std::memmove(&dst->memory->texels[place], &src->memory->texels[place_of(src, from, row)], to.width);
        dst->memory->mark_written(place, to.width);
    }
    return remember(cudaSuccess);
}

/// What a copy that runs on from row to row must know of an array.
struct array_shape {
    size_t row_bytes = 0, rows = 0, texel_bytes = 0;
    size_t bytes() const { return row_bytes * rows; }
};

/// False: there is no such array.
bool find_shape(const cudaArray* array, array_shape* shape) {
    if (device_is_far()) return look_at_device<find_shape>(array, shape);
    if (!is_array(array)) return false;
    *shape = {array->row_bytes(), array->rows(), array->texel_bytes};
    return true;
}

cudaError_t check_run(const char* call, const cudaArray* array, size_t x, size_t y, size_t bytes,
                      array_shape& shape) {
    if (!find_shape(array, &shape))
        return refuse(cudaErrorInvalidResourceHandle, "%s: there is no such array", call);
    const bool begins = x <= shape.bytes() && y <= shape.rows;
    const size_t begin = begins ? y * shape.row_bytes + x : shape.bytes() + 1;
    if (begin <= shape.bytes() && bytes <= shape.bytes() - begin) return cudaSuccess;
    return refuse(cudaErrorInvalidValue, "%s: %zu bytes at (%zu, %zu) do not fit the array's %zu x %zu", call,
                  bytes, x, y, shape.row_bytes, shape.rows);
}

/// `bytes` from (x, y) on, going on in the next row where a row ends, as at most three rectangles.
template <class CopyPart>
cudaError_t copy_running_on(size_t row_bytes, size_t x, size_t y, size_t bytes, const CopyPart& copy_part) {
    y += x / row_bytes;
    x %= row_bytes;
    size_t done = 0;
    while (done < bytes) {
        const size_t left = bytes - done;
        const bool whole_rows = x == 0 && left >= row_bytes;
        const size_t width = whole_rows ? row_bytes : std::min(left, row_bytes - x);
        const size_t height = whole_rows ? left / row_bytes : 1;
        const cudaError_t error = copy_part(rectangle{x, y, width, height}, done);
        if (error != cudaSuccess) return error;
        done += width * height;
        y += height;
        x = 0;
    }
    return remember(cudaSuccess);
}

/// One side of a copy in three dimensions: an array, whose places are in texels, or pitched memory, in bytes.
struct side_3d {
    cudaArray* array;
    cudaPos at;
    const cudaPitchedPtr& memory;
    size_t texel_bytes = 0;

    rectangle part(size_t slice, size_t width, size_t height) const {
        return {at.x * texel_bytes, at.y, width, height, at.z + slice};
    }
    char* row(size_t slice) const {
        const size_t row = (at.z + slice) * memory.ysize + at.y;
        return static_cast<char*>(memory.ptr) + row * memory.pitch + at.x;
    }
};

cudaError_t find_array(const char* call, side_3d& side) {
    array_shape shape;
    if (!side.array) return cudaSuccess;
    if (!find_shape(side.array, &shape))
        return refuse(cudaErrorInvalidResourceHandle, "%s: there is no such array", call);
    side.texel_bytes = shape.texel_bytes;
    return cudaSuccess;
}

}  // namespace

cudaError_t copy_arrays_3d(const char* call, const cudaMemcpy3DParms& asked) {
    side_3d dst{asked.dstArray, asked.dstPos, asked.dstPtr}, src{asked.srcArray, asked.srcPos, asked.srcPtr};
    if (const cudaError_t bad = find_array(call, dst)) return bad;
    if (const cudaError_t bad = find_array(call, src)) return bad;
    if (dst.array && src.array && dst.texel_bytes != src.texel_bytes)
        return refuse(cudaErrorInvalidValue, "%s: the arrays' texels have %zu and %zu bytes", call,
                      dst.texel_bytes, src.texel_bytes);
    const size_t width = asked.extent.width * (dst.array ? dst.texel_bytes : src.texel_bytes);
    for (size_t z = 0; z < asked.extent.depth; z++) {
        const rectangle to = dst.part(z, width, asked.extent.height),
                        from = src.part(z, width, asked.extent.height);
        cudaError_t error = cudaSuccess;
        if (!src.array)
            error = copy_to_array(call, dst.array, to, src.row(z), src.memory.pitch, asked.kind);
        else if (!dst.array)
            error = copy_from_array(call, dst.row(z), dst.memory.pitch, src.array, from, asked.kind);
        else
            error = copy_between(call, dst.array, to, src.array, from);
        if (error != cudaSuccess) return error;
    }
    return remember(cudaSuccess);
}

}  // namespace simt

using namespace simt;

extern "C" {

cudaError_t cudaMemcpy2DToArray(cudaArray_t dst, size_t x, size_t y, const void* src, size_t src_pitch,
                                size_t width, size_t height, cudaMemcpyKind kind) {
    wait_behind_flight(nullptr);
    return copy_to_array("cudaMemcpy2DToArray", dst, {x, y, width, height}, src, src_pitch, kind);
}

cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t dst, size_t x, size_t y, const void* src, size_t src_pitch,
                                     size_t width, size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
    return on_stream("cudaMemcpy2DToArrayAsync", stream, cudaGraphNodeTypeMemcpy, [=] {
        return copy_to_array("cudaMemcpy2DToArrayAsync", dst, {x, y, width, height}, src, src_pitch, kind);
    });
}

cudaError_t cudaMemcpy2DFromArray(void* dst, size_t dst_pitch, cudaArray_const_t src, size_t x, size_t y,
                                  size_t width, size_t height, cudaMemcpyKind kind) {
    wait_behind_flight(nullptr);
    return copy_from_array("cudaMemcpy2DFromArray", dst, dst_pitch, src, {x, y, width, height}, kind);
}

cudaError_t cudaMemcpy2DFromArrayAsync(void* dst, size_t dst_pitch, cudaArray_const_t src, size_t x, size_t y,
                                       size_t width, size_t height, cudaMemcpyKind kind,
                                       cudaStream_t stream) {
    return on_stream("cudaMemcpy2DFromArrayAsync", stream, cudaGraphNodeTypeMemcpy, [=] {
        return copy_from_array("cudaMemcpy2DFromArrayAsync", dst, dst_pitch, src, {x, y, width, height},
                               kind);
    });
}

cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t dst, size_t dst_x, size_t dst_y, cudaArray_const_t src,
                                     size_t src_x, size_t src_y, size_t width, size_t height,
                                     cudaMemcpyKind) {
    wait_behind_flight(nullptr);
    const char* call = "cudaMemcpy2DArrayToArray";
    if (width == 0 || height == 0) return remember(cudaSuccess);
    return copy_between(call, dst, {dst_x, dst_y, width, height}, src, {src_x, src_y, width, height});
}

static cudaError_t run_to_array(const char* call, cudaArray_t dst, size_t x, size_t y, const void* src,
                                size_t bytes, cudaMemcpyKind kind) {
    array_shape shape;
    if (const cudaError_t bad = check_run(call, dst, x, y, bytes, shape)) return bad;
    return copy_running_on(shape.row_bytes, x, y, bytes, [&](const rectangle& part, size_t done) {
        return copy_to_array(call, dst, part, static_cast<const char*>(src) + done, part.width, kind);
    });
}

static cudaError_t run_from_array(const char* call, void* dst, cudaArray_const_t src, size_t x, size_t y,
                                  size_t bytes, cudaMemcpyKind kind) {
    array_shape shape;
    if (const cudaError_t bad = check_run(call, src, x, y, bytes, shape)) return bad;
    return copy_running_on(shape.row_bytes, x, y, bytes, [&](const rectangle& part, size_t done) {
        return copy_from_array(call, static_cast<char*>(dst) + done, part.width, src, part, kind);
    });
}

cudaError_t cudaMemcpyToArray(cudaArray_t dst, size_t x, size_t y, const void* src, size_t bytes,
                              cudaMemcpyKind kind) {
    wait_behind_flight(nullptr);
    return run_to_array("cudaMemcpyToArray", dst, x, y, src, bytes, kind);
}

cudaError_t cudaMemcpyToArrayAsync(cudaArray_t dst, size_t x, size_t y, const void* src, size_t bytes,
                                   cudaMemcpyKind kind, cudaStream_t stream) {
    return on_stream("cudaMemcpyToArrayAsync", stream, cudaGraphNodeTypeMemcpy,
                     [=] { return run_to_array("cudaMemcpyToArrayAsync", dst, x, y, src, bytes, kind); });
}

cudaError_t cudaMemcpyFromArray(void* dst, cudaArray_const_t src, size_t x, size_t y, size_t bytes,
                                cudaMemcpyKind kind) {
    wait_behind_flight(nullptr);
    return run_from_array("cudaMemcpyFromArray", dst, src, x, y, bytes, kind);
}

cudaError_t cudaMemcpyFromArrayAsync(void* dst, cudaArray_const_t src, size_t x, size_t y, size_t bytes,
                                     cudaMemcpyKind kind, cudaStream_t stream) {
    return on_stream("cudaMemcpyFromArrayAsync", stream, cudaGraphNodeTypeMemcpy,
                     [=] { return run_from_array("cudaMemcpyFromArrayAsync", dst, src, x, y, bytes, kind); });
}

}  // extern "C"
