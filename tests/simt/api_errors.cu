// Error codes: names, numbers, messages, the last error and the one that sticks.
#include "api_test.h"

__global__ void fail() {
    __trap();
}
__global__ void nothing() {}

void names_and_messages() {
    EXPECT(cudaErrorInvalidValue == 1 && cudaErrorMemoryAllocation == 2 &&
           cudaErrorInvalidConfiguration == 9);
    EXPECT(cudaErrorIllegalAddress == 700 && cudaErrorAssert == 710 && cudaErrorLaunchFailure == 719);
    EXPECT(strcmp(cudaGetErrorName(cudaErrorInvalidSymbol), "cudaErrorInvalidSymbol") == 0);
    EXPECT(strcmp(cudaGetErrorString(cudaErrorInvalidSymbol), "invalid device symbol") == 0);
    EXPECT(strcmp(cudaGetErrorString(cudaSuccess), "no error") == 0);
    EXPECT(strcmp(cudaGetErrorName(cudaErrorUnknown), "cudaErrorUnknown") == 0);
    EXPECT(strcmp(cudaGetErrorName(cudaError_t(12345)), "unrecognized error code") == 0);
}

void last_error() {
    stderr_of([] { cudaSetDevice(3); });
    EXPECT_OK(cudaSetDevice(0));  // a success does not hide the error before it
    EXPECT(cudaPeekAtLastError() == cudaErrorInvalidDevice);
    EXPECT(cudaGetLastError() == cudaErrorInvalidDevice);
    EXPECT(cudaGetLastError() == cudaSuccess);
    stderr_of([] { nothing<<<1, 4096>>>(); });
    EXPECT(cudaGetLastError() == cudaErrorInvalidConfiguration);
    EXPECT_OK(cudaDeviceSynchronize());
}

void sticky_error() {
    float* d_data = nullptr;
    EXPECT_OK(cudaMalloc(&d_data, 16));
    stderr_of([] { fail<<<1, 1>>>(); });
    EXPECT(cudaDeviceSynchronize() == cudaErrorLaunchFailure);
    EXPECT(cudaGetLastError() == cudaErrorLaunchFailure);
    EXPECT(cudaGetLastError() == cudaErrorLaunchFailure);
    float* d_more = nullptr;
    EXPECT(cudaMalloc(&d_more, 16) == cudaErrorLaunchFailure && d_more == nullptr);
    EXPECT(cudaMemset(d_data, 0, 16) == cudaErrorLaunchFailure);
    EXPECT(cudaFree(d_data) == cudaErrorLaunchFailure);
    EXPECT_OK(cudaDeviceReset());
    EXPECT(cudaGetLastError() == cudaSuccess);
    EXPECT_REFUSED(cudaErrorInvalidValue, cudaFree(d_data));  // the reset has freed it
    EXPECT_OK(cudaMalloc(&d_more, 16));
    EXPECT_OK(cudaFree(d_more));
}

int main() {
    return run_cases({names_and_messages, last_error, sticky_error});
}
