// There is one device, number 0.
#pragma once
#include "simt/include/simt/errors.h"

namespace simt {

/// cudaErrorInvalidDevice, with its explanation on stderr, for any device but 0.
cudaError_t check_device(const char* call, int device);

}  // namespace simt
