// An inspected worker is two processes, of which only one has the student's code.
#pragma once
#include <string>

namespace worker {

/// Serves the judge's calls in two processes. This one, which has the device, keeps all that a mark depends on: device
/// memory, the inspector and its report, the channel to the judge. It runs kernels, which are instrumented from end to
/// end. Another, forked from it before the student's constructors have run, runs his functions and asks for what it
/// wants of the device (simt/engine/far_device.h); it can address nothing of the first. Does not return.
[[noreturn]] void serve_in_two_processes(const std::string& device);

}  // namespace worker
