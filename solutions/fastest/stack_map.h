// Images one behind the other and the copy engine (lab 13's is told of one image). A box lies in one of them, and what of it lies
// outside is 0, or left out.
#pragma once
#include "../../labs/13_conv2d_adaptive/fast/copy_engine.h"

namespace fastest {

/// The map of `count` images of which this is the first, pitch * height floats apart, for boxes of box_width x box_rows pixels. On a
/// device without the engine it is empty. Throws std::runtime_error if the driver has no such map or refuses it.
inline image_map map_stack(const float* first, int width, int height, int pitch, int count, int box_width,
                           int box_rows) {
    image_map map = {};
#ifdef COPY_ENGINE_IN_TOOLKIT
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
    const cuuint64_t sizes[] = {cuuint64_t(width), cuuint64_t(height), cuuint64_t(count)};
    const cuuint64_t row = pitch * sizeof(float), strides[] = {row, row * height};
    const cuuint32_t box[] = {cuuint32_t(box_width), cuuint32_t(box_rows), 1}, every_pixel[] = {1, 1, 1};
    const CUresult result =
        encode(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 3, const_cast<float*>(first), sizes, strides, box,
               every_pixel, CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE,
               CU_TENSOR_MAP_L2_PROMOTION_L2_256B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    if (result != CUDA_SUCCESS)
        throw std::runtime_error("cuTensorMapEncodeTiled: error " + std::to_string(result) + " for " +
                                 std::to_string(count) + " images, boxes of " + std::to_string(box_width) +
                                 " x " + std::to_string(box_rows));
#else
    (void)first, (void)width, (void)height, (void)pitch, (void)count, (void)box_width, (void)box_rows;
#endif
    return map;
}

#ifdef COPY_ENGINE
/// Asks for a box of an image, as copy_box() of lab 13 does.
__device__ __forceinline__ void copy_box_of(int image, float4* to, const image_map& map, int x, int y,
                                            unsigned long long* barrier) {
    asm volatile(
        "cp.async.bulk.tensor.3d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3, "
        "%4}], [%5];" ::"r"(shared_address(to)),
        "l"(&map), "r"(x), "r"(y), "r"(image), "r"(shared_address(barrier))
        : "memory");
}

/// Has a box in shared memory, row after row, stored at column x and row y of an image; what lies outside is left out.
__device__ __forceinline__ void store_box_of(int image, const image_map& map, int x, int y,
                                             const void* from) {
    asm volatile(
        "cp.async.bulk.tensor.3d.global.shared::cta.bulk_group [%0, {%1, %2, %3}], [%4];" ::"l"(&map), "r"(x),
        "r"(y), "r"(image), "r"(shared_address(from))
        : "memory");
    asm volatile("cp.async.bulk.commit_group;" ::: "memory");
}
#endif

}  // namespace fastest
