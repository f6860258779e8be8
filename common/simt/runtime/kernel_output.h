// What kernels print comes when the host waits: until then a GPU keeps it, and what nobody has waited for at the end of the
// program is never seen. As an H200 does it with CUDA 13.
#pragma once
#include <string>

namespace simt {

/// Keeps what a launch has printed; what was kept of launches before is shown.
void keep_kernel_output(std::string text);

/// The host waits, or does what waits for kernels.
void show_kernel_output();

/// Nobody waits in this process, which is a device: from now on nothing is kept.
void keep_no_kernel_output();

}  // namespace simt
