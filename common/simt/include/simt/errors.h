// Error codes of the runtime API, with the names, numbers and messages of the real one.
#pragma once

#define SIMT_ERROR(name, number, message) name = number,
enum cudaError {
#include "error_list.h"
};
#undef SIMT_ERROR
typedef cudaError cudaError_t;

extern "C" {
/// The last error of this process, which is then forgotten, unless it is sticky (700, 710, ...).
cudaError_t cudaGetLastError();
/// The last error, kept.
cudaError_t cudaPeekAtLastError();
/// "cudaErrorInvalidValue"; "unrecognized error code" for a number that is no error.
const char* cudaGetErrorName(cudaError_t error);
/// "invalid argument"; "unrecognized error code" for a number that is no error.
const char* cudaGetErrorString(cudaError_t error);
}
