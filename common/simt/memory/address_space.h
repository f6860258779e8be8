// Which memory an address belongs to, from the point of view of the host.
#pragma once
#include <cstddef>
#include <cstdint>

#include "simt/engine/observer.h"

namespace simt {

enum class memory_space { host, device, constant, device_variable, managed_variable };

memory_space memory_space_of(const void* address);

/// Of memory in the device's range of addresses who uses it; `device` for all other.
memory_use use_of(const void* address);

/// "host memory", "device memory", ...
const char* name_of(memory_space space);

inline bool is_on_device(const void* address) {
    return memory_space_of(address) != memory_space::host;
}

/// Bytes from the address to the end of the live allocation or the variable it lies in; 0 if it lies in freed
/// memory, between allocations or on the host.
size_t device_bytes_from(const void* address);

/// The variable at this address, if the program has never asked for its address on the device
/// (cudaGetSymbolAddress): then it can only have used the name, which a GPU's runtime takes for host memory.
/// Null for any other address.
const variable* variable_by_name(uintptr_t address);

/// The bytes that all __constant__ variables of the program take together with the gaps between them ...
size_t constant_section_bytes();
/// ... and without the gaps. Takes its time.
size_t constant_variables_bytes();

}  // namespace simt
