// The last error of a host thread, as cudaGetLastError() reports it, and one-line explanations of refused
// calls.
#pragma once
#include "simt/include/simt/errors.h"

namespace simt {

/// Makes `error`, unless it is cudaSuccess, the last error of this thread. Returns what the call should
/// return: the sticky error if a kernel has failed, else `error`.
cudaError_t remember(cudaError_t error);

/// As remember(), and says why on stderr in one line: refuse(cudaErrorInvalidValue, "cudaMemcpy: %zu bytes
/// ..."). An observer hears of it too.
[[gnu::format(printf, 2, 3)]] cudaError_t refuse(cudaError_t error, const char* format, ...);

/// A kernel has failed: every later call returns this error until cudaDeviceReset().
void make_sticky(cudaError_t error);

/// The error of the kernel that failed, or cudaSuccess.
cudaError_t sticky_error();

/// Forgets every error, the sticky one too.
void clear_errors();

}  // namespace simt
