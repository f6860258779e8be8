// Times of launches and copies: CUDA events on a GPU, the CPU backend's own clock without one.
#pragma once
#include <functional>

namespace lab {

/// Runs `launch` (a kernel launch) and records its milliseconds. In a check it runs once; in a benchmark it
/// runs warm-up times and then as often as the benchmark asks, the L2 cache cleared in between, each run
/// recorded. Throws std::runtime_error "file:line: the launch: message" if it fails, now or when the kernel
/// has ended; file and line are the caller's.
void timed_launch(const std::function<void()>& launch, const char* file = __builtin_FILE(),
                  int line = __builtin_LINE());

/// Runs `copy` (one or more cudaMemcpy) once and adds its milliseconds to the transfer time of the call.
void timed_copy(const std::function<void()>& copy, const char* file = __builtin_FILE(),
                int line = __builtin_LINE());

}  // namespace lab
