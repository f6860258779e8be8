// Which functions of the program are kernels, and which call one: others are not run on the device.
#pragma once
#include "simt/include/simt/launch.h"

namespace simt {

/// Threads that a block of this kernel may have: what its __launch_bounds__ say, else what the device allows. (It is
/// compiled for no more, and a GPU refuses larger blocks.)
int most_threads_of(const void* kernel);

/// The kernel that a launch's caller calls by its name, with template arguments that the compiler has deduced; null if there is
/// none or it calls one by its address.
const void* kernel_called_by(kernel_caller call);

/// True if the program has device code with a loop in which a thread may wait for somebody else.
bool has_waiting_loops();

/// True if `kernel` is a __global__ function, or null, and `call` one that the launch syntax made, of a closure of so
/// many bytes.
bool is_kernel_call(const void* kernel, kernel_caller call, size_t closure_bytes);

}  // namespace simt
