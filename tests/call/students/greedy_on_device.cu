// Leaks device memory, and leaves a CUDA error that nobody looks at.
#include "student.h"

#include "lab/lab.h"

void scale(std::span<float> out, std::span<const float> in, float factor, rounding) {
    float* d_lost = nullptr;
    CUDA_CHECK(cudaMalloc(&d_lost, 4096));
    cudaMemcpy(nullptr, in.data(), 4, cudaMemcpyKind(77));
    for (size_t i = 0; i < in.size(); i++)
        out[i] = factor * in[i];
}
