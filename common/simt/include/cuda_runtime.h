// The CUDA runtime as the CPU backend offers it: what a .cu file gets, with or without asking for it.
#pragma once

// Fortified string and print functions are inline wrappers that would hide the calls made inside kernels.
#undef _FORTIFY_SOURCE
#define CUDART_VERSION 12000
// The CPU backend's own name, and those by which programs know that NVIDIA's headers have been read.
#define __CUCC__ 1
#define __CUDA_RUNTIME_H__
#define __CUDA_RUNTIME_API_H__
#define __DRIVER_TYPES_H__
#define __VECTOR_TYPES_H__
// Thrust, where its headers are: its algorithms are host code and its memory is managed (thrust/device_vector.h), unless
// simtcc or the program has them be kernels, of CUB, by THRUST_DEVICE_SYSTEM_CUDA.
#ifndef THRUST_DEVICE_SYSTEM
#define THRUST_DEVICE_SYSTEM THRUST_DEVICE_SYSTEM_CPP
#endif

#ifdef SIMT_REWRITE  // a .cu file on its way through the launch rewriter, which understands the CUDA words
#define __CUDACC__ 1
#include "simt/kernel_library.h"
#else  // plain C++ (our own sources, an editor): the words mean nothing
#define __global__
#define __device__
#define __host__
#define __constant__
#define __managed__
#define __shared__ static __thread
#define __forceinline__ inline __attribute__((always_inline))
#define __launch_bounds__(...)
#endif

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <initializer_list>

#include "simt/errors.h"
#include "simt/graph.h"
#include "simt/ipc.h"
#include "simt/memory.h"
#include "simt/pools.h"
#include "simt/stream.h"
#include "simt/types.h"
#include "simt/vector_types.h"
#if __has_include("simt/device.h")
#include "simt/device.h"
#endif
#if __has_include("simt/texture.h")
#include "simt/surface.h"
#include "simt/texture.h"
#endif
#ifndef __CUCC_HOST__  // a file of C++ that cucc gives to the host's compiler: it has no kernels
#include "simt/atomics.h"
#include "simt/device_runtime.h"
#include "simt/heap.h"
#include "simt/intrinsics.h"
#include "simt/launch.h"
#include "simt/objects.h"
#include "simt/ptx_memory.h"
#endif
