// cuda_profiler_api.h: what switches a profiler on and off; the inspector follows everything.
#pragma once
#include "cuda_runtime.h"

inline cudaError_t cudaProfilerStart() {
    return cudaSuccess;
}
inline cudaError_t cudaProfilerStop() {
    return cudaSuccess;
}
