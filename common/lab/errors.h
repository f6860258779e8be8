// One macro around every CUDA call, and rounding up.
#pragma once
#include <cuda_runtime.h>

namespace lab {

/// Throws std::runtime_error "file:line: expression: message (error name)" if status is not cudaSuccess.
void throw_on_error(cudaError_t status, const char* expression, const char* file, int line);

/// The number of pieces of size `piece` that cover `whole`: ceil(whole / piece). Both positive.
__host__ __device__ constexpr int ceil_div(int whole, int piece) {
    return (whole + piece - 1) / piece;
}

}  // namespace lab

/// Every CUDA call and, as CUDA_CHECK(cudaGetLastError()), every launch goes through this.
#define CUDA_CHECK(expression) ::lab::throw_on_error((expression), #expression, __FILE__, __LINE__)
