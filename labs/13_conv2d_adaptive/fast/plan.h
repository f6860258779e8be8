// Lab 13: what a launch of a schedule needs. Given. The kernels do with a row of pixels what an `adder` says,
// the row_adder of conv2d_adaptive.cu.
#pragma once
#include <iterator>
#include <utility>
#include <vector>

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

inline dim3 grid_for(const schedule& cut, picture image) {
    return dim3(ceil_div(image.width, cut.block_columns()), ceil_div(image.height, cut.block_rows()));
}

template <direct_schedule S, class adder>
plan make_plan(picture image, int) {
    return {conv2d_direct_kernel<S, adder>, grid_for(S, image), dim3(WARP, S.warps), 0, image_map{}};
}

/// Opts in to the shared memory and describes the image to the copy engine.
template <tile_schedule S, class adder>
plan make_plan(picture image, int filter_height) {
    const fast_kernel kernel = conv2d_tile_kernel<S, adder>;
    const int tile_bytes = int(S.shared_bytes(filter_height));
    CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, tile_bytes));
    return {kernel, grid_for(S, image), dim3(WARP, S.warps), tile_bytes,
            map_image(image, S.chunks() * CHUNK, S.box_rows(filter_height))};
}

/// A schedule, the bytes of its tile, and the function that makes a plan of it.
struct candidate {
    schedule cut;
    size_t (*shared_bytes)(int filter_height);
    plan (*plan_for)(picture image, int filter_height);
};

template <auto S, class adder>
candidate make_candidate() {
    return {S, [](int filter_height) { return S.shared_bytes(filter_height); }, make_plan<S, adder>};
}

template <class adder, const auto& schedules, size_t... K>
void add_candidates(std::vector<candidate>& all, std::index_sequence<K...>) {
    (all.push_back(make_candidate<schedules[K], adder>()), ...);
}
/// One candidate for each schedule of the tables, in their order. Only what is listed is compiled.
template <class adder, const auto&... tables>
std::vector<candidate> candidates_of() {
    std::vector<candidate> all;
    (add_candidates<adder, tables>(all, std::make_index_sequence<std::size(tables)>()), ...);
    return all;
}
