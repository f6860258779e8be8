// Which memory an address belongs to, from the point of view of the host.
#pragma once
#include <cstddef>
#include <cstdint>

namespace simt {

enum class memory_space { host, device, constant, device_variable };

memory_space space_of(const void* address);

/// "host memory", "device memory", ...
const char* name_of(memory_space space);

inline bool is_on_device(const void* address) {
    return space_of(address) != memory_space::host;
}

/// Bytes from the address to the end of the live allocation or the variable it lies in; 0 if it lies in freed
/// memory, between allocations or on the host.
size_t device_bytes_from(const void* address);

/// The bytes that all __constant__ variables of the program take together with the gaps between them ...
size_t constant_section_bytes();
/// ... and without the gaps. Takes its time.
size_t constant_variables_bytes();

}  // namespace simt
