// Lab 13: what a launch of a schedule needs. Given.
#pragma once
#include <array>
#include <iterator>
#include <utility>

#include "direct.h"
#include "tile.h"

using fast_kernel = void (*)(picture, image_map, int filter_height);

/// All that a launch needs.
struct plan {
    fast_kernel kernel;
    dim3 grid, block;
    int shared_bytes;
    image_map map;
};

/// Opts in to the shared memory and describes the image to the copy engine.
template <schedule S>
plan make_plan(picture image, int filter_height) {
    const dim3 grid(ceil_div(image.width, S.block_columns()), ceil_div(image.height, S.block_rows()));
    const dim3 block(WARP, S.warps);
    if constexpr (S.direct()) {
        return {conv2d_direct_kernel<S>, grid, block, 0, image_map{}};
    } else {
        const fast_kernel kernel = conv2d_tile_kernel<S>;
        const int tile_bytes = int(S.shared_bytes(filter_height));
        CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, tile_bytes));
        return {kernel, grid, block, tile_bytes,
                map_image(image, S.chunks() * CHUNK, S.box_rows(filter_height))};
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
