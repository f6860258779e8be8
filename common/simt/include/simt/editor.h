// What clangd reads in place of cuda_runtime.h: kernels and launches in Clang's own CUDA mode, the CPU backend's functions.
// build/compile_commands.json (make editor) includes it; no compiler of ours does.
#pragma once
// What the headers of the CPU backend include, which stays the host's.
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <initializer_list>
#include <limits>
#include <new>
#include <type_traits>
// Clang's own <new> would add operators of the device, which the host's containers then find.
#define __CLANG_CUDA_WRAPPERS_NEW

#define SIMT_REWRITE
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __forceinline__ inline __attribute__((always_inline))
#define __launch_bounds__(...)
#define __grid_constant__
#define __align__(bytes) __attribute__((aligned(bytes)))

#include "simt/kernel_library.h"
// Functions of the CPU backend may be called by either side, but for those that Clang itself has declared, too.
#pragma clang force_cuda_host_device begin
#include "simt/vector_types.h"
#pragma clang force_cuda_host_device end
#include "simt/execution.h"
#pragma clang force_cuda_host_device begin
#include "cuda_pipeline.h"
#include "cuda_runtime.h"
#pragma clang force_cuda_host_device end

/// What Clang makes of <<<grid, block, bytes, stream>>>.
unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t bytes = 0, void* stream = nullptr);
