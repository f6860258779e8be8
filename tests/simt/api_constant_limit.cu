// __constant__ variables of more than 64 KB together: nvcc does not compile this,
// the CPU backend refuses to run it.
#include "api_test.h"

__constant__ float c_filter[128 * 128];  // exactly 64 KB
__constant__ float c_more[4];

__global__ void use(float* out) {
    out[0] = c_filter[0] + c_more[0];
}

void limit_exceeded() {
    float taps[4] = {};
    float* d_out = nullptr;
    EXPECT_OK(cudaMalloc(&d_out, 4));
    cudaError_t error = cudaSuccess;
    const std::string text = stderr_of([&] { error = cudaMemcpyToSymbol(c_more, taps, sizeof taps); });
    EXPECT(error == cudaErrorInvalidKernelImage);
    EXPECT(is_one_line(text) && text.find("65552 bytes, the limit is 65536") != std::string::npos);
    use<<<1, 1>>>(d_out);
    EXPECT(cudaGetLastError() != cudaSuccess);
}

int main() {
    return run_cases({limit_exceeded});
}
