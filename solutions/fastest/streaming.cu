// Lab 13's kernels: float arithmetic, tiles brought by the copy engine, small filters straight from the L1 cache.
#include <map>

#define FEW_SCHEDULES  // of the lab's own kernels: those below are launched
#include "../13_conv2d_adaptive/conv2d_adaptive.cu"
#include "chained.h"
#include "constant_taps.h"
#include "method.h"
#include "stack_map.h"

namespace fastest {

namespace {

const constant_taps* last_taps = nullptr;

/// Rows of taps, each an even number of them: row_adder reads them two by two.
std::vector<float> in_pairs(std::span<const float> filter, const problem& size) {
    std::vector<float> pairs;
    for (int i = 0; i < size.filter_height; i++) {
        const auto row = filter.subspan(size_t(i) * size.filter_width, size_t(size.filter_width));
        pairs.insert(pairs.end(), row.begin(), row.end());
        pairs.resize((pairs.size() + 1) / 2 * 2);
    }
    return pairs;
}

/// Of images one behind the other the one that this block is for.
__device__ __forceinline__ picture image_of_block(picture all) {
    all.in += blockIdx.z * size_t(all.in_pitch) * all.height;
    all.out += blockIdx.z * size_t(all.out_pitch) * all.height;
    return all;
}

/// conv2d_direct_kernel of lab 13 for many images.
template <direct_schedule S>
__global__ void __launch_bounds__(WARP* S.warps, 1)
    direct_kernel(picture all, const __grid_constant__ image_map, int) {
    const picture image = image_of_block(all);
    if constexpr (S.ahead > 0) prefetch_for_later_block<S>(image);
    const int x = (blockIdx.x * WARP + threadIdx.x) * CHUNK;
    const int y = (blockIdx.y * S.warps + threadIdx.y) * S.rows;
    if (x >= image.width || y >= image.height) return;
    const bool whole = x >= DIRECT_HALO && x + CHUNK + DIRECT_HALO <= image.width &&
                       y >= S.filter_height / 2 && y + S.rows + S.filter_height / 2 <= image.height;
    if (whole)
        convolve_directly<S, row_adder>(image, x, y, true);
    else
        convolve_directly<S, row_adder>(image, x, y, false);
}

/// load_tile() of lab 13 from one of many images.
template <tile_schedule S>
__device__ __forceinline__ void load_tile_of_block(float4* tile, picture image, const image_map& map, int x,
                                                   int y, int filter_height) {
#ifdef COPY_ENGINE
    auto* barrier = reinterpret_cast<unsigned long long*>(&tile[S.tile_chunks(filter_height)]);
    if (threadIdx.x == 0 && threadIdx.y == 0) {
        make_barrier(barrier);
        expect_bytes(barrier, S.tile_chunks(filter_height) * int(sizeof(float4)));
        const int rows = S.box_rows(filter_height);
        for (int box = 0; box < S.boxes(filter_height); box++)
            copy_box_of(blockIdx.z, &tile[box * rows * S.chunks()], map, x, y + box * rows, barrier);
    }
    __syncthreads();  // the barrier is made
    wait_for_bytes(barrier);
#else
    load_tile<S>(tile, image, map, x, y, filter_height);
#endif
}

/// conv2d_tile_kernel of lab 13 for many images, chained.
template <tile_schedule S>
__global__ void __launch_bounds__(WARP* S.warps, 1)
    tile_kernel(picture all, const __grid_constant__ image_map map, int run_time_height) {
    extern __shared__ __align__(128) float4 s_pixels[];
    const picture image = image_of_block(all);
    const int filter_height = S.filter_height > 0 ? S.filter_height : run_time_height;
    const int first_x = blockIdx.x * S.block_columns(), first_y = blockIdx.y * S.block_rows();
    wait_for_launch_before();
    load_tile_of_block<S>(s_pixels, image, map, first_x - S.left_halo(), first_y - filter_height / 2,
                          filter_height);

    float sum[S.rows][CHUNK] = {};
    const int row = threadIdx.y * S.rows;
    add_filter<S, row_adder>(sum, &s_pixels[row * S.chunks() + threadIdx.x], filter_height);
    const int x = first_x + threadIdx.x * CHUNK, y = first_y + row;
    if (x < image.width && y < image.height) store_sums(image, x, y, sum);
}

/// A schedule and what it takes to launch it.
struct cut {
    schedule shape;
    fast_kernel kernel;
    size_t (*shared_bytes)(int filter_height);
    int box_width;
    int (*box_rows)(int filter_height);  // nullptr: it reads through the L1 cache, and is not chained
};

template <direct_schedule S>
cut cut_for() {
    return {S, direct_kernel<S>, S.shared_bytes, 0, nullptr};
}

template <tile_schedule S>
cut cut_for() {
    return {S, tile_kernel<S>, [](int filter_height) { return S.shared_bytes(filter_height); },
            S.chunks() * CHUNK, [](int filter_height) { return S.box_rows(filter_height); }};
}

// One more than lab 13 has. A block asks for the pixels of the second one after it on its multiprocessor, or about that; on an
// H100 this takes 3 % off.
constexpr direct_schedule WITH_PREFETCH[] = {{3, 3, 4, 4, 264}};

template <const auto& table, size_t... K>
void add_cuts(std::vector<cut>& all, std::index_sequence<K...>) {
    (all.push_back(cut_for<table[K]>()), ...);
}

template <const auto&... tables>
std::vector<cut> cuts_of() {
    std::vector<cut> all;
    (add_cuts<tables>(all, std::make_index_sequence<std::size(tables)>()), ...);
    return all;
}

class streaming_launcher : public launcher {
public:
    streaming_launcher(std::span<const float> filter, const problem& size, const cut& cut)
        : taps_(in_pairs(filter, size), &last_taps),
          size_(size),
          cut_(cut),
          kernel_(cut.kernel, cut.shared_bytes(size.filter_height)) {}

    void launch(const images& of, cudaStream_t stream) override {
        const picture all{of.in, of.out, size_.width, size_.height, of.in_pitch, of.out_pitch};
        dim3 grid = grid_for(cut_.shape, all);
        grid.z = unsigned(size_.images);
        const dim3 block(WARP, cut_.shape.warps);
        taps_.bring_to(c_filter, stream);
        if (cut_.box_rows == nullptr)
            cut_.kernel<<<grid, block, 0, stream>>>(all, image_map{}, size_.filter_height);
        else
            kernel_.launch(grid, block, stream, all, map_of(all), size_.filter_height);
    }

private:
    /// The copy engine has to be told where images lie, which takes longer than a launch: kept for a few.
    const image_map& map_of(const picture& all) {
        constexpr size_t MOST = 64;
        if (kept_.size() >= MOST) kept_.clear();
        const auto found = kept_.find(all.in);
        if (found != kept_.end()) return found->second;
        const image_map map = map_stack(all.in, all.width, all.height, all.in_pitch, size_.images,
                                        cut_.box_width, cut_.box_rows(size_.filter_height));
        return kept_.emplace(all.in, map).first->second;
    }

    constant_taps taps_;
    problem size_;
    cut cut_;
    chained_kernel<picture, image_map, int> kernel_;
    std::map<const float*, image_map> kept_;  // in_pitch is the plan's
};

}  // namespace

std::unique_ptr<launcher> make_streaming(std::span<const float> filter, const problem& size) {
    const size_t limit = size_t(limits_of_device().shared_bytes);
    for (const cut& next : cuts_of<WITH_PREFETCH, DIRECT, TILES>()) {
        if (next.shape.serves(size.filter_width, size.filter_height) &&
            next.shared_bytes(size.filter_height) <= limit)
            return std::make_unique<streaming_launcher>(filter, size, next);
    }
    return nullptr;
}

}  // namespace fastest
