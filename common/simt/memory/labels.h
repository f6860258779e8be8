// Names that device memory takes over from the host data copied into or out of it.
// label_host_range() and forget_host_ranges() are declared in observer.h.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>

namespace simt {

/// A copy between these two has happened: if the host address lies in a named range,
/// the allocation takes the name.
void label_copy(uintptr_t device_address, uintptr_t host_address);

/// The bytes from a host address to the end of the named range it lies in,
/// and the range's name; SIZE_MAX outside.
size_t named_bytes_from(const void* host_address, std::string& name);

}  // namespace simt
