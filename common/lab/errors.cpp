// What CUDA_CHECK throws.
#include "lab/errors.h"

#include <stdexcept>
#include <string>

namespace lab {

void throw_on_error(cudaError_t status, const char* expression, const char* file, int line) {
    if (status == cudaSuccess) return;
    throw std::runtime_error(std::string(file) + ":" + std::to_string(line) + ": " + expression + ": " +
                             cudaGetErrorString(status) + " (" + cudaGetErrorName(status) + ")");
}

}  // namespace lab
