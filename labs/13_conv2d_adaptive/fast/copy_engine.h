// Lab 13: the copy engine of Hopper and later GPUs (tensor memory accelerator). One thread asks for a box of
// the image; the engine counts the addresses, fills ghost cells with 0 and says when the box is there. Given.
#pragma once
#include <stdexcept>
#include <string>

#include "lab/backend.h"
#include "picture.h"

// A kernel may do without: right/register_tile_unrolled.cu shows what the engine is worth.
#if defined(__NVCC__) && !defined(WITHOUT_COPY_ENGINE)
#define COPY_ENGINE_IN_TOOLKIT
#include <cuda.h>
#if __CUDA_ARCH__ >= 900
#define COPY_ENGINE
#endif
#endif

/// What the engine has to know of the image; goes to the kernel with the launch.
#ifdef COPY_ENGINE_IN_TOOLKIT
using image_map = CUtensorMap;

/// The map of image.in for boxes of box_width x box_rows pixels. On a device without the engine it is empty,
/// and no kernel there asks for it. Throws std::runtime_error if the driver refuses it.
inline image_map map_image(picture image, int box_width, int box_rows) {
    image_map map = {};
    int device = 0, generation = 0;
    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(cudaDeviceGetAttribute(&generation, cudaDevAttrComputeCapabilityMajor, device));
    if (generation < 9) return map;

    void* address = nullptr;
    cudaDriverEntryPointQueryResult found;
    CUDA_CHECK(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &address, 12000, cudaEnableDefault,
                                                &found));
    if (found != cudaDriverEntryPointSuccess)
        throw std::runtime_error("the driver has no cuTensorMapEncodeTiled: it is older than CUDA 12.0");
    const auto encode = reinterpret_cast<decltype(&cuTensorMapEncodeTiled)>(address);
    const cuuint64_t sizes[] = {cuuint64_t(image.width), cuuint64_t(image.height)};
    const cuuint64_t row_bytes[] = {image.in_pitch * sizeof(float)};
    const cuuint32_t box[] = {cuuint32_t(box_width), cuuint32_t(box_rows)}, every_pixel[] = {1, 1};
    const CUresult result =
        encode(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 2, const_cast<float*>(image.in), sizes, row_bytes, box,
               every_pixel, CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE,
               CU_TENSOR_MAP_L2_PROMOTION_L2_256B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    if (result != CUDA_SUCCESS)
        throw std::runtime_error("cuTensorMapEncodeTiled: error " + std::to_string(result) +
                                 " for boxes of " + std::to_string(box_width) + " x " +
                                 std::to_string(box_rows));
    return map;
}
#else
struct image_map {};

inline image_map map_image(picture, int, int) {
    return {};
}
#endif

#ifdef COPY_ENGINE
/// An address in shared memory as the instructions below want it.
__device__ inline unsigned shared_address(const void* memory) {
    return static_cast<unsigned>(__cvta_generic_to_shared(memory));
}

/// Makes a barrier that waits for one thread, and for as many bytes as that thread will say. The engine sees
/// it at once, the other threads after a __syncthreads().
__device__ inline void make_barrier(unsigned long long* barrier) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(shared_address(barrier)));
    asm volatile("fence.proxy.async;" ::: "memory");
}

/// The one thread is here, and `bytes` are to come.
__device__ inline void expect_bytes(unsigned long long* barrier, int bytes) {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(barrier)),
                 "r"(bytes)
                 : "memory");
}

/// Asks for the box of the image whose first pixel is at column x, a multiple of CHUNK, and row y; both may
/// lie outside. The box goes to `to`, a multiple of 128 bytes, row after row.
__device__ inline void copy_box(float4* to, const image_map& map, int x, int y, unsigned long long* barrier) {
    asm volatile(
        "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], "
        "[%4];" ::"r"(shared_address(to)),
        "l"(&map), "r"(x), "r"(y), "r"(shared_address(barrier))
        : "memory");
}

/// Waits until all expected bytes have arrived.
__device__ inline void wait_for_bytes(unsigned long long* barrier) {
    unsigned arrived = 0;
    while (!arrived) {
        asm volatile(
            "{\n.reg .pred p;\nmbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0;\nselp.u32 %0, 1, 0, p;\n}"
            : "=r"(arrived)
            : "r"(shared_address(barrier))
            : "memory");
    }
}
#endif
