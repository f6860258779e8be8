// Lab 13: what a launch of a schedule needs. Given.
#pragma once
#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "direct.h"
#include "ring.h"

using fast_kernel = void (*)(picture, int filter_height, work);

/// All that a launch needs.
struct plan {
    fast_kernel kernel;
    dim3 grid, block;
    int shared_bytes;
    work share;
};

/// Opts in to the shared memory and cuts the image into shares.
template <schedule S>
plan plan_ring(picture image, int filter_height) {
    const fast_kernel kernel = conv2d_ring_kernel<S>;
    const int ring_bytes = int(S.shared_bytes(filter_height));
    CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, ring_bytes));
    int device = 0, multiprocessors = 0, fitting = 0;
    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
    CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&fitting, kernel, WARP * S.warps, ring_bytes));

    const int strip_units = ceil_div(image.height, S.rows * S.unit);
    const int units = ceil_div(image.width, WARP * S.columns) * strip_units;
    const int blocks = std::min(units, multiprocessors * std::clamp(fitting, 1, S.blocks));
    return {kernel, dim3(blocks), dim3(WARP, S.warps), ring_bytes,
            work{strip_units * S.unit, S.unit, units / blocks, units % blocks}};
}

template <schedule S>
plan make_plan(picture image, int filter_height) {
    if constexpr (S.direct()) {
        const dim3 grid(ceil_div(image.width, WARP * S.columns), ceil_div(image.height, S.warps * S.rows));
        return {conv2d_direct_kernel<S>, grid, dim3(WARP, S.warps), 0, work{}};
    } else {
        return plan_ring<S>(image, filter_height);
    }
}

/// A schedule and the function that makes a plan of it for an image and the height of the filter.
struct candidate {
    schedule cut;
    plan (*plan_for)(picture image, int filter_height);
};

template <const auto& schedules, size_t... K>
constexpr std::array<candidate, sizeof...(K)> list_candidates(std::index_sequence<K...>) {
    return {{{schedules[K], make_plan<schedules[K]>}...}};
}
/// One candidate for each of `schedules`, in their order. Only what is listed is compiled.
template <const auto& schedules>
constexpr auto candidates_of = list_candidates<schedules>(std::make_index_sequence<std::size(schedules)>());
