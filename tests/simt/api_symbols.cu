// __constant__ and __device__ variables: copies to and from them, and everything that is no such variable.
#include "api_test.h"

__constant__ float c_filter[16];
__constant__ int c_width;
const __constant__ float c_fixed[2] = {1.5f, 2.5f};
__device__ float d_table[16];
__device__ int d_count = 3;

__global__ void read_variables(float* out) {
    out[0] = c_filter[threadIdx.x] + d_table[1];
    out[1] = float(c_width) + c_fixed[1];
    d_count += 1;
}

__global__ void take_pointer(const int* width) {
    d_count = *width;
}

void copies() {
    float taps[16], back[16] = {}, result[2] = {};
    for (int i = 0; i < 16; i++)
        taps[i] = float(i + 1);
    const int width = 40;
    float* d_out = nullptr;
    EXPECT_OK(cudaMalloc(&d_out, sizeof taps));
    EXPECT_OK(cudaMemcpyToSymbol(c_filter, taps, sizeof taps));
    EXPECT_OK(cudaMemcpyToSymbol(c_width, &width, sizeof width));
    EXPECT_OK(cudaMemcpyToSymbol(d_table, taps, 8, 4));
    read_variables<<<1, 1>>>(d_out);
    EXPECT_OK(cudaMemcpy(result, d_out, sizeof result, cudaMemcpyDeviceToHost));
    EXPECT(result[0] == 1 + 1 && result[1] == 42.5f);
    int count = 0;
    EXPECT_OK(cudaMemcpyFromSymbol(&count, d_count, sizeof count));
    EXPECT(count == 4);
    EXPECT_OK(cudaMemcpyFromSymbol(back, c_filter, 8, 24));
    EXPECT(back[0] == 7 && back[1] == 8);
    EXPECT_OK(cudaMemcpy(d_out, taps, sizeof taps, cudaMemcpyHostToDevice));
    EXPECT_OK(cudaMemcpyToSymbol(d_table, d_out, sizeof taps, 0, cudaMemcpyDeviceToDevice));
    EXPECT_OK(cudaMemcpyToSymbolAsync(d_table, taps, 4, 60, cudaMemcpyDefault));
    EXPECT_OK(cudaMemcpyFromSymbol(back, d_table, sizeof back));
    EXPECT(back[14] == 15 && back[15] == 1);
    void* address = nullptr;
    size_t bytes = 0;
    EXPECT_OK(cudaGetSymbolAddress(&address, d_table));
    EXPECT_OK(cudaGetSymbolSize(&bytes, c_filter));
    EXPECT(bytes == 64);
    EXPECT_OK(cudaMemset(address, 0, 64));
    EXPECT_OK(cudaMemcpyFromSymbol(back, d_table, sizeof back));
    EXPECT(back[14] == 0);
    EXPECT_OK(cudaFree(d_out));
}

void wrong_uses() {
    float taps[17] = {};
    float* d_data = nullptr;
    EXPECT_OK(cudaMalloc(&d_data, 64));
    EXPECT_REFUSED(cudaErrorInvalidValue, cudaMemcpyToSymbol(c_filter, taps, 68));
    EXPECT_REFUSED(cudaErrorInvalidValue, cudaMemcpyToSymbol(c_filter, taps, 60, 8));
    EXPECT_OK(cudaMemcpyToSymbol(c_filter, taps, 60, 4));
    EXPECT_REFUSED(cudaErrorInvalidValue, cudaMemcpyFromSymbol(taps, d_table, 65));
    EXPECT_REFUSED(cudaErrorInvalidSymbol, cudaMemcpyToSymbol(taps, taps, 16));
    EXPECT_REFUSED(cudaErrorInvalidSymbol, cudaMemcpyToSymbol(d_data, taps, 16));
    EXPECT_REFUSED(cudaErrorInvalidSymbol, cudaMemcpyToSymbol("c_filter", taps, 16));
    EXPECT_REFUSED(cudaErrorInvalidSymbol, cudaMemcpyToSymbol(c_filter[1], taps, 4));
    EXPECT_REFUSED(cudaErrorInvalidMemcpyDirection,
                   cudaMemcpyToSymbol(c_filter, taps, 64, 0, cudaMemcpyDeviceToHost));
    EXPECT_REFUSED(cudaErrorInvalidMemcpyDirection,
                   cudaMemcpyFromSymbol(taps, d_table, 64, 0, cudaMemcpyHostToDevice));
    EXPECT_REFUSED(cudaErrorInvalidValue,
                   cudaMemcpyToSymbol(c_filter, taps, 64, 0, cudaMemcpyDeviceToDevice));
    EXPECT_REFUSED(cudaErrorInvalidValue, cudaMemcpyToSymbol(c_filter, nullptr, 64));
    void* address = nullptr;
    size_t bytes = 0;
    EXPECT_REFUSED(cudaErrorInvalidSymbol, cudaGetSymbolAddress(&address, taps));
    EXPECT_REFUSED(cudaErrorInvalidSymbol, cudaGetSymbolSize(&bytes, taps));
    EXPECT_OK(cudaMemcpyToSymbol(c_filter, taps, 0));
    EXPECT_OK(cudaFree(d_data));
}

/// Whoever means the address must ask for it.
void names_are_no_addresses() {
    float taps[17] = {};
    EXPECT_REFUSED(cudaErrorInvalidValue, cudaMemcpy(c_filter, taps, 16, cudaMemcpyHostToDevice));
    EXPECT_REFUSED(cudaErrorInvalidValue, cudaMemcpy(taps, c_filter, 16, cudaMemcpyDeviceToHost));
    EXPECT_REFUSED(cudaErrorInvalidValue, cudaMemcpy(c_filter + 1, taps, 16, cudaMemcpyDefault));
    EXPECT_REFUSED(cudaErrorInvalidValue, cudaMemset(c_filter, 0, 16));
    void* address = nullptr;
    EXPECT_OK(cudaGetSymbolAddress(&address, c_filter));
    EXPECT_OK(cudaMemcpy(address, taps, sizeof c_filter, cudaMemcpyHostToDevice));
    EXPECT_REFUSED(cudaErrorInvalidValue, cudaMemset(address, 0, sizeof c_filter + 4));
    const std::string text = stderr_of([] { take_pointer<<<1, 1>>>(&c_width); });
    EXPECT(is_one_line(text) && text.find("the variable c_width is passed to a kernel") != text.npos);
    EXPECT(cudaGetLastError() == cudaErrorIllegalAddress);
    EXPECT_OK(cudaDeviceReset());
    EXPECT_OK(cudaGetSymbolAddress(&address, c_width));
    take_pointer<<<1, 1>>>(static_cast<int*>(address));
    EXPECT_OK(cudaDeviceSynchronize());
}

int main() {
    return run_cases({copies, wrong_uses, names_are_no_addresses});
}
