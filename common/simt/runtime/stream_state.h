// Which streams exist.
#pragma once
#include "simt/include/simt/types.h"

namespace simt {

/// True for the default stream and for one that was created and not destroyed.
bool is_stream(cudaStream_t stream);

/// cudaErrorInvalidResourceHandle, with its explanation on stderr.
cudaError_t refuse_stream(const char* call);

}  // namespace simt
