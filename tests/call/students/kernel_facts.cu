// Asks for facts about a kernel, changes one, and asks again.
#include "student.h"

#include "lab/lab.h"

__global__ void some_kernel(float*) {}

static float dynamic_shared() {
    cudaFuncAttributes attributes;
    CUDA_CHECK(cudaFuncGetAttributes(&attributes, some_kernel));
    return float(attributes.maxDynamicSharedSizeBytes);
}
static float resident_blocks(int threads) {
    int blocks = 0;
    CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, some_kernel, threads, 0));
    return float(blocks);
}
static float refusals() {
    int count = 0;
    for (int k = 0; k < 3; k++)
        count += cudaFuncGetAttributes(nullptr, some_kernel) == cudaErrorInvalidValue;
    cudaGetLastError();
    return float(count);
}

void scale(std::span<float> out, std::span<const float>, float bytes, rounding) {
    out[0] = dynamic_shared();
    out[1] = resident_blocks(1024);
    out[2] = resident_blocks(512);
    CUDA_CHECK(cudaFuncSetAttribute(some_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, int(bytes)));
    out[3] = dynamic_shared();
    out[4] = resident_blocks(1024);
    out[5] = refusals();
}
