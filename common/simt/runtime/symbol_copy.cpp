// Copies to and from __constant__ and __device__ variables, which the program names by the variable itself.
#include <mutex>
#include <set>
#include <string>

#include "simt/engine/error_state.h"
#include "simt/engine/far_device.h"
#include "simt/engine/limits.h"
#include "simt/engine/observer.h"
#include "simt/engine/report.h"
#include "simt/include/simt/memory.h"
#include "simt/memory/address_space.h"
#include "simt/memory/copy.h"
#include "simt/runtime/capture.h"
#include "simt/runtime/checks.h"
#include "simt/runtime/host_order.h"
#include "simt/runtime/launch_in_flight.h"

namespace simt {
namespace {

const variable* variable_at(const void* symbol) {
    const uintptr_t address = reinterpret_cast<uintptr_t>(symbol);
    const variable* found = constant_variable_at(address);
    return found ? found : device_variable_at(address);
}

/// Begins of variables whose address the program has asked for.
struct address_list {
    std::mutex mutex;
    std::set<uintptr_t> known;
};

address_list& addresses() {
    static auto* list = new address_list;  // never destroyed, see allocations.cpp
    return *list;
}

/// Finds size and name of a variable; symbol_bytes is what the calling file knows, or 0.
cudaError_t check_symbol(const char* call, const void* symbol, size_t& symbol_bytes) {
    if (const cudaError_t failed = device_error()) return failed;
    const memory_space space = memory_space_of(symbol);
    if (space == memory_space::host || space == memory_space::device) {
        return refuse(
            cudaErrorInvalidSymbol,
            "%s: this is %s; the symbol is a __constant__ or __device__ variable itself, not its name or a "
            "pointer",
            call, name_of(space));
    }
    if (!constant_memory_fits()) return remember(cudaErrorInvalidKernelImage);
    const variable* found = variable_at(symbol);
    if (found && found->begin != reinterpret_cast<uintptr_t>(symbol)) {
        return refuse(cudaErrorInvalidSymbol,
                      "%s: the symbol is a part of the variable %s; give the whole variable", call,
                      found->name.c_str());
    }
    if (symbol_bytes == 0) symbol_bytes = found ? found->bytes : device_bytes_from(symbol);
    return cudaSuccess;
}

cudaError_t check_range(const char* call, size_t symbol_bytes, size_t bytes, size_t offset) {
    if (offset <= symbol_bytes && bytes <= symbol_bytes - offset) return cudaSuccess;
    return refuse(cudaErrorInvalidValue, "%s: %zu bytes at offset %zu do not fit the variable's %zu bytes",
                  call, bytes, offset, symbol_bytes);
}

}  // namespace

const variable* variable_by_name(uintptr_t address) {
    const void* place = reinterpret_cast<const void*>(address);
    const variable* found = variable_at(place);
    if (!found || memory_space_of(place) == memory_space::managed_variable) return nullptr;
    const std::lock_guard lock(addresses().mutex);
    return addresses().known.contains(found->begin) ? nullptr : found;
}

bool constant_memory_fits() {
    if (constant_section_bytes() <= CONSTANT_BYTES) return true;
    static const bool fits = [] {
        const size_t bytes = constant_variables_bytes();
        if (bytes <= CONSTANT_BYTES) return true;
        complain("__constant__ variables take " + std::to_string(bytes) + " bytes, the limit is " +
                 std::to_string(CONSTANT_BYTES) + ": nvcc would not compile this program; make them smaller");
        return false;
    }();
    return fits;
}

cudaError_t copy_to_symbol(const char* call, const void* symbol, size_t symbol_bytes, const void* src,
                           size_t bytes, size_t offset, cudaMemcpyKind kind, cudaStream_t stream) {
    if (const cudaError_t bad = check_symbol(call, symbol, symbol_bytes)) return bad;
    if (const cudaError_t bad = check_range(call, symbol_bytes, bytes, offset)) return bad;
    if (kind != cudaMemcpyHostToDevice && kind != cudaMemcpyDeviceToDevice && kind != cudaMemcpyDefault) {
        return refuse(cudaErrorInvalidMemcpyDirection, "%s: the direction must end on the device", call);
    }
    // The variable may be const to the host.
    char* dst = static_cast<char*>(const_cast<void*>(symbol)) + offset;
    wait_if_pageable(stream, src);
    return on_stream(call, stream, cudaGraphNodeTypeMemcpy, [=] {
        return copy_as_asked({call, dst, bytes, src, bytes, bytes, 1, kind, true, false});
    });
}

cudaError_t copy_from_symbol(const char* call, void* dst, const void* symbol, size_t symbol_bytes,
                             size_t bytes, size_t offset, cudaMemcpyKind kind, cudaStream_t stream) {
    if (const cudaError_t bad = check_symbol(call, symbol, symbol_bytes)) return bad;
    if (const cudaError_t bad = check_range(call, symbol_bytes, bytes, offset)) return bad;
    if (kind != cudaMemcpyDeviceToHost && kind != cudaMemcpyDeviceToDevice && kind != cudaMemcpyDefault) {
        return refuse(cudaErrorInvalidMemcpyDirection, "%s: the direction must start on the device", call);
    }
    const char* src = static_cast<const char*>(symbol) + offset;
    wait_if_pageable(stream, dst);
    return on_stream(call, stream, cudaGraphNodeTypeMemcpy, [=] {
        return copy_as_asked({call, dst, bytes, src, bytes, bytes, 1, kind, false, true});
    });
}

cudaError_t symbol_address(void** pointer, const void* symbol) {
    if (device_is_far()) return ask_device<symbol_address>(pointer, symbol);
    size_t bytes = 0;
    if (const cudaError_t bad = check_symbol("cudaGetSymbolAddress", symbol, bytes)) return bad;
    if (!pointer) return refuse(cudaErrorInvalidValue, "cudaGetSymbolAddress: a null pointer for the result");
    *pointer = const_cast<void*>(symbol);
    const std::lock_guard lock(addresses().mutex);
    addresses().known.insert(reinterpret_cast<uintptr_t>(symbol));
    return remember(cudaSuccess);
}

cudaError_t symbol_size(size_t* bytes, const void* symbol, size_t symbol_bytes) {
    if (const cudaError_t bad = check_symbol("cudaGetSymbolSize", symbol, symbol_bytes)) return bad;
    if (!bytes) return refuse(cudaErrorInvalidValue, "cudaGetSymbolSize: a null pointer for the result");
    *bytes = symbol_bytes;
    return remember(cudaSuccess);
}

}  // namespace simt
