// The last error of a host thread, as cudaGetLastError() reports it, and one-line explanations of refused
// calls.
#pragma once
#include <cstdint>

#include "simt/include/simt/errors.h"

namespace simt {

/// Makes `error`, unless it is cudaSuccess, the last error of this thread. Returns what the call should
/// return: the sticky error if a kernel has failed, that of a lost device if the current one is, else `error`.
cudaError_t remember(cudaError_t error);
/// The same of a call that asks nothing of a device, and so does not care which is lost.
cudaError_t remember_on_host(cudaError_t error);

/// As remember(), and says why on stderr in one line: refuse(cudaErrorInvalidValue, "cudaMemcpy: %zu bytes
/// ..."). An observer hears of it too.
[[gnu::format(printf, 2, 3)]] cudaError_t refuse(cudaError_t error, const char* format, ...);

/// Says on stderr, in one line, why a call was refused that has errors of its own (cufft.h). An observer hears of it too.
void tell_refusal(const char* reason);

/// True, and said as by tell_refusal(), if this call is the one that fail_call() wants to fail.
bool fails_this_time(const char* call);

/// What a call returns that allocates, copies, or asks for something and has done it: remember(cudaSuccess),
/// or an error of its own if it is the one that fail_call() wants to fail.
cudaError_t done(const char* call);

/// The `number`th of these calls from now on, from 1, says that it failed; 0: none does. Or it is the last one that its
/// device does: that is lost from then on, and all that is asked of it fails, until this is called again.
void fail_call(uint64_t number, bool loses_device = false);

/// A kernel has failed: every later call returns this error until cudaDeviceReset().
void make_sticky(cudaError_t error);

/// The error of the kernel that failed, or cudaSuccess.
cudaError_t sticky_error();

/// That, or the error of this device if it is lost.
cudaError_t error_of_device(int device);
/// Of the current one: why it does nothing any more, or cudaSuccess.
cudaError_t device_error();

/// Forgets every error, the sticky one too.
void clear_errors();

/// What a call did to the errors, for the host thread that made it from another process (far_device.h).
struct error_news {
    cudaError_t last = cudaSuccess, sticky = cudaSuccess;
    int lost_device = -1;
};
/// Takes the last error of this thread away.
error_news take_error_news();
void adopt(const error_news& news);

}  // namespace simt
