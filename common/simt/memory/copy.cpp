// Checks, performs and announces copies and fills.
#include "simt/memory/copy.h"

#include <cstring>
#include <string>

#include "simt/engine/devices.h"
#include "simt/engine/error_state.h"
#include "simt/engine/far_device.h"
#include "simt/engine/host_news.h"
#include "simt/engine/observer.h"
#include "simt/memory/address_space.h"
#include "simt/memory/allocations.h"
#include "simt/memory/arena.h"
#include "simt/memory/far_copy.h"
#include "simt/memory/heap.h"
#include "simt/memory/labels.h"
#include "simt/memory/sent_bytes.h"

namespace simt {
namespace {

uintptr_t number(const void* address) {
    return reinterpret_cast<uintptr_t>(address);
}

int owner_of(const void* memory) {
    allocation found;
    const bool has_owner = find_live(number(memory), found) && found.use == memory_use::device;
    return has_owner ? found.device : current_device();
}

const void* advance(const void* address, size_t bytes) {
    return static_cast<const char*>(address) + bytes;
}

/// Of most host memory nobody knows the size, but the data of a call has names and ends. A GPU's runtime
/// would read or write past the end.
cudaError_t check_host_side(const char* call, const char* side, const void* address, size_t bytes) {
    std::string name;
    const size_t available = named_bytes_from(address, name);
    if (bytes <= available) return cudaSuccess;
    return refuse(cudaErrorInvalidValue, "%s: %s has %zu bytes of \"%s\" left, not %zu", call, side,
                  available, name.c_str(), bytes);
}

}  // namespace

bool sides_of(cudaMemcpyKind kind, const void* dst, const void* src, bool& dst_on_device,
              bool& src_on_device) {
    switch (kind) {
        case cudaMemcpyHostToHost:
            // As on a GPU with unified addresses, where this direction takes any two addresses.
        case cudaMemcpyDefault:
            dst_on_device = is_on_device(dst);
            src_on_device = is_on_device(src);
            return true;
        case cudaMemcpyHostToDevice:
            dst_on_device = true;
            // The real runtime takes a device source too.
            src_on_device = is_on_device(src);
            return true;
        case cudaMemcpyDeviceToHost:
            dst_on_device = is_on_device(dst);
            src_on_device = true;
            return true;
        case cudaMemcpyDeviceToDevice:
            dst_on_device = true;
            src_on_device = true;
            return true;
    }
    return false;
}

cudaError_t check_side(const char* call, const char* side, const void* address, bool on_device,
                       size_t bytes) {
    if (!address) return refuse(cudaErrorInvalidValue, "%s: %s is a null pointer", call, side);
    if (!on_device) return check_host_side(call, side, address, bytes);
    const memory_space space = memory_space_of(address);
    if (space == memory_space::host) {
        return refuse(cudaErrorInvalidValue, "%s: %s is host memory where the direction wants device memory",
                      call, side);
    }
    if (const variable* named = variable_by_name(number(address))) {
        return refuse(
            cudaErrorInvalidValue,
            "%s: %s is the variable %s by its name, which is no address of the device on the host; use "
            "cudaMemcpyToSymbol, cudaMemcpyFromSymbol or cudaGetSymbolAddress",
            call, side, named->name.c_str());
    }
    if (is_in_heap(number(address))) {
        return refuse(
            cudaErrorInvalidValue,
            "%s: %s is memory that a kernel got by malloc or new, which no call of the runtime can use", call,
            side);
    }
    const size_t available = device_bytes_from(address);
    if (bytes <= available) return cudaSuccess;
    if (available == 0) {
        return refuse(cudaErrorInvalidValue, "%s: %s is no allocated device memory (freed, or outside of it)",
                      call, side);
    }
    // As many bytes as were meant to be floats.
    const bool are_elements = available * sizeof(float) == bytes;
    return refuse(cudaErrorInvalidValue, "%s: %s has %zu bytes of %s left, not %zu%s", call, side, available,
                  name_of(space), bytes,
                  are_elements ? ": was a number of elements allocated, not of bytes?" : "");
}

void announce_passage(const void* dst, bool dst_on_device, const void* src, bool src_on_device,
                      size_t bytes) {
    if (!the_observer || dst_on_device == src_on_device) return;
    if (dst_on_device) {
        the_observer->sent(host_view(src), bytes);
    } else {
        the_observer->fetched(host_view(dst), bytes);
        host_has_read({reinterpret_cast<const std::byte*>(host_view(dst)), bytes});
    }
}

void announce_copy(const void* dst, const void* src, size_t bytes) {
    if (!the_observer) return;
    const bool to_memory = is_device_address(number(dst));
    const bool from_memory = is_device_address(number(src));
    announce_passage(dst, is_on_device(dst), src, is_on_device(src), bytes);
    if (to_memory && from_memory) the_observer->copied(number(dst), number(src), bytes);
    if (to_memory && !from_memory) the_observer->host_wrote(number(dst), bytes);
    if (from_memory && !to_memory) the_observer->host_read(number(src), bytes);
}

/// Direction and both ranges.
cudaError_t check_copy(const row_copy& copy) {
    bool dst_on_device = false, src_on_device = false;
    if (!sides_of(copy.kind, copy.dst, copy.src, dst_on_device, src_on_device)) {
        return refuse(cudaErrorInvalidMemcpyDirection, "%s: %d is no cudaMemcpyKind", copy.call,
                      int(copy.kind));
    }
    if (!copy.dst_is_symbol) {
        const size_t bytes = span_bytes(copy.dst_pitch, copy.width, copy.height);
        if (const cudaError_t bad = check_side(copy.call, "dst", copy.dst, dst_on_device, bytes)) return bad;
    }
    if (!copy.src_is_symbol) {
        const size_t bytes = span_bytes(copy.src_pitch, copy.width, copy.height);
        if (const cudaError_t bad = check_side(copy.call, "src", copy.src, src_on_device, bytes)) return bad;
    }
    return cudaSuccess;
}

// A copy on its way to the device's process: the name of the call goes as text, since a stranger's pointer to it would
// be read there.

cudaError_t check_copy_there(const char* call, row_copy copy) {
    copy.call = call;
    return check_copy(copy);
}

/// With the bytes that the host has at `src`, and room for those that it gets at `dst`.
cudaError_t copy_rows_there(const char* call, row_copy copy, std::span<const std::byte> from_host,
                            std::span<std::byte> to_host) {
    copy.call = call;
    const sent_bytes sent(from_host, way_to_device::copy);
    const shown_rows source(copy.src, copy.src_pitch, copy.width, copy.height, sent.bytes());
    const shown_rows target(copy.dst, copy.dst_pitch, copy.width, copy.height, to_host);
    return copy_rows(copy);
}

/// Asks first: only then it is known that the host has so many bytes.
cudaError_t copy_rows_far(const row_copy& copy) {
    if (const cudaError_t bad = look_at_device<check_copy_there>(copy.call, copy)) return bad;
    rows_for_host target(copy.dst, copy.dst_pitch, copy.width, copy.height);
    return target.keep(ask_device<copy_rows_there>(
        copy.call, copy, rows_on_host(copy.src, copy.src_pitch, copy.width, copy.height), target.room()));
}

/// Tells what the copy says about the names of device memory.
void note_names(const row_copy& copy) {
    const byte_rows dst{number(copy.dst), copy.dst_pitch, copy.width, copy.height};
    const byte_rows src{number(copy.src), copy.src_pitch, copy.width, copy.height};
    const bool to_device = is_on_device(copy.dst), from_device = is_on_device(copy.src);
    if (to_device && from_device) note_copy_on_device(dst, src);
    if (to_device && !from_device) note_copy_to_device(dst, src);
    if (from_device && !to_device) note_copy_to_host(dst, src);
}

cudaError_t copy_rows(const row_copy& copy) {
    if (const cudaError_t failed = device_error()) return failed;
    if (copy.width == 0 || copy.height == 0) return cudaSuccess;
    if (device_is_far()) return copy_rows_far(copy);
    if (const cudaError_t bad = check_copy(copy)) return bad;
    show_variables_of(current_device());
    for (size_t row = 0; row < copy.height; row++) {
        void* dst = static_cast<char*>(copy.dst) + row * copy.dst_pitch;
        const void* src = advance(copy.src, row * copy.src_pitch);
        std::memmove(host_view(dst), host_view(src), copy.width);
        announce_copy(dst, src, copy.width);
    }
    note_names(copy);
    if (the_observer)
        the_observer->moved({copy.call, number(copy.dst), number(copy.src), copy.dst_pitch, copy.src_pitch,
                             copy.width, copy.height, is_on_device(copy.dst), is_on_device(copy.src),
                             owner_of(copy.dst), owner_of(copy.src)});
    return done(copy.call);
}

cudaError_t fill_rows_there(const char* call, row_fill fill) {
    fill.call = call;
    return fill_rows(fill);
}

cudaError_t fill_rows(const row_fill& fill) {
    if (const cudaError_t failed = device_error()) return failed;
    if (fill.width == 0 || fill.height == 0) return cudaSuccess;
    if (device_is_far()) return ask_device<fill_rows_there>(fill.call, fill);
    const size_t bytes = span_bytes(fill.pitch, fill.width, fill.height);
    if (const cudaError_t bad = check_side(fill.call, "the pointer", fill.dst, true, bytes)) return bad;
    for (size_t row = 0; row < fill.height; row++) {
        char* dst = static_cast<char*>(fill.dst) + row * fill.pitch;
        std::memset(host_view(dst), fill.value, fill.width);
        if (the_observer) the_observer->host_wrote(number(dst), fill.width);
    }
    note_fill({number(fill.dst), fill.pitch, fill.width, fill.height});
    if (the_observer)
        the_observer->moved({fill.call, number(fill.dst), 0, fill.pitch, 0, fill.width, fill.height, true,
                             true, owner_of(fill.dst), owner_of(fill.dst)});
    return done(fill.call);
}

}  // namespace simt
