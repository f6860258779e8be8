// Launches every pattern once, in the same order on either backend.
#include <cstdio>
#include <cstdlib>

#include "pattern.h"

float *d_out, *d_in;

static float* zeros(size_t count) {
    float* memory = nullptr;
    const bool is_ready = cudaMalloc(&memory, count * sizeof(float)) == cudaSuccess &&
                          cudaMemset(memory, 0, count * sizeof(float)) == cudaSuccess;
    if (is_ready) return memory;
    fprintf(stderr, "no device memory: %s\n", cudaGetErrorString(cudaGetLastError()));
    exit(2);
}

int main() {
    begin_counting();
    d_out = zeros(1 << 18);
    d_in = zeros(1 << 18);
    for (const auto* group :
         {&GLOBAL_PATTERNS, &MEMBER_PATTERNS, &DIVERGENT_PATTERNS, &SHARED_PATTERNS, &OTHER_PATTERNS}) {
        for (const pattern& one : *group) {
            one.run();
            cudaDeviceSynchronize();
            const cudaError_t error = cudaGetLastError();
            if (error != cudaSuccess) {
                fprintf(stderr, "%s: %s\n", one.name, cudaGetErrorString(error));
                return 1;
            }
            count_launch(one.name);
        }
    }
}
