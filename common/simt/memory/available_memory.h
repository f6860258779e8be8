// How much memory this machine, or the container it runs in, has left.
#pragma once
#include <cstddef>

namespace simt {

/// Bytes that can be used without swapping or being killed; SIZE_MAX if the system does not say.
size_t available_memory();

}  // namespace simt
