// Lab 13: the schedules, which one serves which filter, and what a launch of each needs. Given.
#pragma once
#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "direct.h"
#include "lab/backend.h"
#include "ring.h"

/// Found on an H200 by trying about 20 schedules for each of these filters, 4096 x 4096 pixels. A filter gets
/// the first that serves it. Filters as high as they are wide have a kernel of their own: a height known to
/// the compiler is worth 1 to 5 %. `blocks` 0 is a direct kernel.
// clang-format off
constexpr schedule SCHEDULES[] = {
    //  filter  columns, rows, warps, unrolled, blocks, unit
    { 1,  1,  4, 2,  4,  1,   0, 0},   { 1,  0,  4, 8,  8,  8,   2, 8},
    { 3,  3,  4, 2,  4,  3,   0, 0},   { 3,  0,  4, 8,  8,  8,   2, 8},
    { 5,  5,  4, 4,  4,  5,   0, 0},   { 5,  0,  4, 8,  8,  8,   2, 8},
    { 7,  7,  4, 4,  3,  7,   8, 4},   { 7,  0,  4, 8,  8,  6,   2, 4},
    { 9,  9,  4, 4,  4,  9,   8, 4},   { 9,  0,  4, 8,  8,  4,   2, 4},
    {11, 11,  4, 4,  8, 11,   4, 4},   {11,  0,  4, 8,  8,  3,   2, 4},
    {13, 13,  4, 4,  4,  6,   6, 4},   {13,  0,  4, 8,  4,  3,   4, 4},
    {15, 15,  4, 4,  4,  5,   4, 4},   {15,  0,  4, 8,  4,  3,   4, 4},
    {17, 17,  4, 8,  4,  2,   4, 4},   {17,  0,  4, 2, 12,  8,   3, 4},
    {19, 19,  4, 2, 12,  8,   3, 4},   {19,  0,  4, 2, 12,  8,   3, 4},
    {21, 21,  8, 2,  8,  4,   3, 4},   {21,  0,  8, 2, 12,  4,   2, 4},
    {23, 23,  8, 2, 12,  3,   2, 1},   {23,  0,  8, 2, 12,  3,   2, 2},
    {25, 25,  4, 6, 12,  2,   2, 4},   {25,  0,  8, 2, 16,  3,   2, 4},
    {27, 27,  8, 2, 16,  3,   2, 4},   {27,  0,  8, 2, 16,  3,   2, 2},
    {29, 29,  4, 4, 12,  2,   2, 4},   {29,  0,  8, 2, 12,  2,   2, 2},
    {31, 31,  8, 2, 16,  2,   2, 1},   {31,  0,  8, 2,  8,  2,   3, 4},
    {33, 33,  8, 2, 12,  3,   2, 2},   {33,  0,  8, 2,  8,  2,   3, 4},
    {35, 35,  8, 4, 12,  1,   1, 2},   {35,  0,  8, 2,  8,  2,   3, 4},
    {37, 37,  8, 4, 12,  1,   1, 4},   {37,  0,  8, 2,  8,  1,   3, 4},
    {39, 39,  8, 4, 12,  1,   1, 4},   {39,  0,  8, 2,  8,  1,   3, 4},
    {41, 41,  8, 4, 12,  1,   1, 4},   {41,  0,  8, 2,  8,  1,   4, 4},
    {43, 43,  8, 4, 12,  1,   1, 2},   {43,  0,  8, 2,  8,  1,   4, 4},
};
// clang-format on

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

/// The schedule of a filter: the one for this width and height, or, with height 0, for this width.
constexpr schedule schedule_of(int filter_width, int filter_height) {
    for (const schedule& cut : SCHEDULES)
        if (cut.filter_width == filter_width && cut.filter_height == filter_height) return cut;
    throw "no such schedule";
}
/// One of each kind, all that the CPU backend gets: every kernel costs compile time, and speed is no matter
/// there.
constexpr schedule EMULATED[] = {schedule_of(3, 3), schedule_of(7, 7), schedule_of(9, 0), schedule_of(27, 27),
                                 schedule_of(33, 0)};

template <const auto& schedules, size_t... K>
constexpr std::array<candidate, sizeof...(K)> list_candidates(std::index_sequence<K...>) {
    return {{{schedules[K], make_plan<schedules[K]>}...}};
}
template <const auto& schedules>
constexpr auto candidates_of = list_candidates<schedules>(std::make_index_sequence<std::size(schedules)>());

constexpr auto list_all() {
    if constexpr (lab::ON_GPU)
        return candidates_of<SCHEDULES>;
    else
        return candidates_of<EMULATED>;
}
constexpr auto CANDIDATES = list_all();
