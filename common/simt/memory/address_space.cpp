// Tells host, device and variables' addresses apart.
#include "simt/memory/address_space.h"

#include "simt/engine/far_device.h"
#include "simt/engine/symbols.h"
#include "simt/memory/allocations.h"
#include "simt/memory/arena.h"

namespace simt {
namespace {

bool is_between(const void* address, const char* begin, const char* end) {
    return address >= begin && address < end;
}

}  // namespace

memory_use use_of(const void* address) {
    allocation found;
    const uintptr_t place = reinterpret_cast<uintptr_t>(address);
    return place >= managed_begin() && find_live(place, found) ? found.use : memory_use::device;
}

memory_space memory_space_of(const void* address) {
    if (is_device_address(reinterpret_cast<uintptr_t>(address)))
        return use_of(address) == memory_use::host ? memory_space::host : memory_space::device;
    if (is_between(address, __start_simt_managed, __stop_simt_managed)) return memory_space::managed_variable;
    if (is_between(address, __start_simt_const, __stop_simt_const)) return memory_space::constant;
    if (is_between(address, __start_simt_dev, __stop_simt_dev)) return memory_space::device_variable;
    return memory_space::host;
}

const char* name_of(memory_space space) {
    switch (space) {
        case memory_space::host:
            return "host memory";
        case memory_space::device:
            return "device memory";
        case memory_space::constant:
            return "a __constant__ variable";
        case memory_space::device_variable:
            return "a __device__ variable";
        case memory_space::managed_variable:
            return "a __managed__ variable";
    }
    return "unknown memory";
}

size_t device_bytes_from(const void* address) {
    if (device_is_far()) return look_at_device<device_bytes_from>(address);
    const uintptr_t begin = reinterpret_cast<uintptr_t>(address);
    const variable* named = constant_variable_at(begin);
    if (!named) named = device_variable_at(begin);
    if (named) return named->begin + named->bytes - begin;
    allocation found;
    return find_live(begin, found) ? found.begin + found.bytes - begin : 0;
}

size_t constant_variables_bytes() {
    size_t bytes = 0;
    const char* place = __start_simt_const;
    while (place < __stop_simt_const) {
        const variable* found = constant_variable_at(reinterpret_cast<uintptr_t>(place));
        // The compiler for the CPU leaves larger gaps between variables than nvcc; they do not count.
        bytes += found ? found->bytes : 0;
        place += found && found->bytes > 0 ? found->bytes : 1;
    }
    return bytes;
}

size_t constant_section_bytes() {
    return size_t(__stop_simt_const - __start_simt_const);
}

}  // namespace simt
