// cuda.h: the driver's version and names of types. Its functions, cuInit() and all others, are not on the CPU backend:
// who calls one is told so by the compiler.
#pragma once
#include "cuda_runtime.h"

#define CUDA_VERSION CUDART_VERSION
#define CUDAAPI
#define CUDA_CB
typedef int CUdevice;
typedef cudaStream_t CUstream;
typedef cudaEvent_t CUevent;
typedef unsigned long long CUdeviceptr;
typedef cudaTextureObject_t CUtexObject;
typedef cudaSurfaceObject_t CUsurfObject;
