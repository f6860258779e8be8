// Takes its input through cuFFT and back, by the number `factor`: 0 as it should; 1 and leaves a plan; 2 from memory of the
// host; 3 in a stream of its own, in place.
#include "student.h"

#include <cufft.h>

#include <stdexcept>
#include <string>

#include "lab/lab.h"

__global__ void divide(float* out, const float* in, int n) {
    const int x = threadIdx.x;
    if (x < n) out[x] = in[x] / n;
}

static void check(cufftResult status) {
    if (status != CUFFT_SUCCESS) throw std::runtime_error("cuFFT: error " + std::to_string(status));
}

void scale(std::span<float> out, std::span<const float> in, float way, rounding) {
    const int n = int(in.size());
    cudaStream_t stream = nullptr;
    cufftHandle there = 0, back = 0;
    check(cufftPlan1d(&there, n, CUFFT_R2C, 1));
    check(cufftPlan1d(&back, n, CUFFT_C2R, 1));
    if (way == 3) {
        CUDA_CHECK(cudaStreamCreate(&stream));
        check(cufftSetStream(there, stream));
        check(cufftSetStream(back, stream));
    }
    device_buffer<float> d_in(in.size() + 2), d_out(out.size());
    device_buffer<cufftComplex> d_waves(in.size() / 2 + 1);
    CUDA_CHECK(cudaMemcpy(d_in.data(), in.data(), in.size_bytes(), cudaMemcpyHostToDevice));
    float* const from = way == 2 ? const_cast<float*>(in.data()) : d_in.data();
    cufftComplex* const waves = way == 3 ? reinterpret_cast<cufftComplex*>(d_in.data()) : d_waves.data();
    check(cufftExecR2C(there, from, waves));  // HERE transform
    check(cufftExecC2R(back, waves, d_in.data()));
    divide<<<1, 1024, 0, stream>>>(d_out.data(), d_in.data(), n);
    CUDA_CHECK(cudaGetLastError());
    if (stream) CUDA_CHECK(cudaStreamSynchronize(stream));
    if (stream) CUDA_CHECK(cudaStreamDestroy(stream));
    d_out.copy_to(out);
    check(cufftDestroy(there));
    if (way != 1) check(cufftDestroy(back));
}
