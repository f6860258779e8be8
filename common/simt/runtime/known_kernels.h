// Kernels that the program knows by their addresses.
#pragma once
#include <span>
#include <vector>

#include "simt/include/simt/launch.h"

namespace simt {

/// How to call the kernel at this address, or null if no cast has made it known.
const kernel_type* find_kernel(const void* kernel);
cudaError_t refuse_unknown_kernel(const char* call);

using closure_bytes = std::vector<std::byte>;
/// The arguments that these point to.
closure_bytes closure_of(const kernel_type& type, void** arguments);

/// A launch that stands at `site`.
void launch_from(uintptr_t site, const void* kernel, const char* name, const launch_config& config,
                 kernel_caller call, const void* closure, size_t closure_bytes);

/// Launches now, whatever is captured. Its error; those of before stay what they are.
cudaError_t launch_now(const void* kernel, const char* name, const launch_config& config, kernel_caller call,
                       std::span<const std::byte> closure);

}  // namespace simt
