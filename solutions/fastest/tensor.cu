// The matrix units' method: the filter as a table of halves, and which kernel serves it. Compiled for sm_90a besides the
// other architectures; where that is missing, and on other GPUs than Hopper's, the method serves nothing.
#include <cmath>
#include <map>
#include <tuple>

#include "chained.h"
#include "lab/buffer.h"
#include "method.h"
#include "tensor_kernel.cuh"

namespace fastest {

namespace {

/// A kernel and what is to be known of it.
struct tensor_cut {
    int chunks, patches, multipliers, parts, threads, row_words, row_pixels;
    void (*kernel)(tensor_job, image_map, image_map);
    size_t (*shared_bytes)(int filter_height, int stages, int ahead);
};

template <int CHUNKS, int PATCHES, int MULTIPLIERS, int PARTS>
constexpr tensor_cut cut_for = {CHUNKS,
                                PATCHES,
                                MULTIPLIERS,
                                PARTS,
                                tensor_shape<CHUNKS, PATCHES, MULTIPLIERS, PARTS>::THREADS,
                                tensor_shape<CHUNKS, PATCHES, MULTIPLIERS, PARTS>::ROW_WORDS,
                                tensor_shape<CHUNKS, PATCHES, MULTIPLIERS, PARTS>::TILE_CHUNKS* PATCH,
                                conv2d_tensor_kernel<CHUNKS, PATCHES, MULTIPLIERS, PARTS>,
                                tensor_shape<CHUNKS, PATCHES, MULTIPLIERS, PARTS>::shared_bytes};

template <int PARTS>
constexpr tensor_cut CUTS[] = {
    cut_for<1, 128, 2, PARTS>, cut_for<2, 128, 2, PARTS>, cut_for<3, 128, 2, PARTS>,
    cut_for<4, 128, 2, PARTS>, cut_for<5, 128, 2, PARTS>, cut_for<6, 128, 2, PARTS>,
    cut_for<7, 128, 2, PARTS>, cut_for<8, 128, 2, PARTS>, cut_for<1, 64, 3, PARTS>,
    cut_for<2, 64, 3, PARTS>,  cut_for<3, 64, 3, PARTS>,  cut_for<4, 64, 3, PARTS>,
    cut_for<5, 64, 3, PARTS>,  cut_for<6, 64, 3, PARTS>,  cut_for<7, 64, 3, PARTS>,
    cut_for<8, 64, 3, PARTS>,  cut_for<7, 64, 2, PARTS>,  cut_for<8, 64, 2, PARTS>,
    cut_for<9, 64, 2, PARTS>,
};

/// The filter's place in its window.
struct window {
    explicit window(int filter_width)
        : left(lab::ceil_div(filter_width / 2, 4) * 4),
          shift(left - filter_width / 2),
          chunks(lab::ceil_div(shift + filter_width + PATCH - 1, PATCH)) {}
    int left, shift;  // columns loaded left of a patch; those of them before the first tap's
    int chunks;
};

/// A power of two, so that scaling rounds nothing, for which no value up to `largest` comes above `target`.
float scale_for(float largest, float target) {
    return largest > 0.0f ? std::exp2(std::floor(std::log2(target / largest))) : 1.0f;
}

/// Rows of the filter, one of zeros behind them; of each the high halves and, with two parts, the low ones. Word k has
/// the taps k - 7 and k - 6 of the window.
std::vector<uint32_t> table_of(std::span<const float> filter, const problem& size, const tensor_cut& cut,
                               float scale) {
    const window place(size.filter_width);
    std::vector<uint32_t> table;
    const auto half_of = [&](int i, int k, int part) {
        const int j = k - (PATCH - 1) - place.shift;
        const bool inside = i < size.filter_height && j >= 0 && j < size.filter_width;
        const float tap = inside ? filter[size_t(i) * size.filter_width + j] * scale : 0.0f;
        const __half high = __float2half_rn(tap);
        return uint32_t(__half_as_ushort(part == 0 ? high : __float2half_rn(tap - __half2float(high))));
    };
    for (int i = 0; i <= size.filter_height; i++) {
        for (int part = 0; part < cut.parts; part++) {
            for (int k = 0; k < cut.row_words; k++)
                table.push_back(half_of(i, k, part) | half_of(i, k + 1, part) << 16);
        }
    }
    return table;
}

/// How a cut is used: how much of shared memory stages and strips take.
struct use_of_cut {
    const tensor_cut* cut = nullptr;
    int stages = 0, ahead = 0;
};

/// With a stage more than groups multiply none of them waits for a tile; what is left is for strips.
use_of_cut use_if_it_fits(const tensor_cut& cut, int filter_height, size_t shared_limit) {
    for (int stages = std::min(cut.multipliers + 1, MOST_STAGES); stages >= cut.multipliers; stages--) {
        for (int ahead = MOST_AHEAD; ahead >= 1; ahead--)
            if (cut.shared_bytes(filter_height, stages, ahead) <= shared_limit) return {&cut, stages, ahead};
    }
    return {};
}

tile_set all_tiles(const problem& size, const tensor_cut& cut) {
    const int columns = lab::ceil_div(size.width, TILE_COLUMNS),
              rows = lab::ceil_div(size.height, cut.patches);
    return {columns, rows, rows, 0, 0, 0, columns * rows, size.images};
}

using tile_chooser = tile_set (*)(const problem& size, const tensor_cut& cut);

/// Of those that fit the one whose last round of tiles leaves the fewest multiprocessors idle. A wide product reads its operands in
/// fewer instructions, a narrow one makes more and smaller tiles.
use_of_cut choose_cut(const problem& size, tile_chooser tiles_of, size_t shared_limit, int processors) {
    constexpr double NARROW = 1.06;  // times as long for the same work
    const int chunks = window(size.filter_width).chunks;
    use_of_cut best;
    double least = 0;
    for (const tensor_cut& cut : size.wanted == accuracy::floats ? std::span(CUTS<2>) : std::span(CUTS<1>)) {
        if (cut.chunks != chunks) continue;
        const use_of_cut use = use_if_it_fits(cut, size.filter_height, shared_limit);
        const int rounds = lab::ceil_div(tiles_of(size, cut).size(), processors);
        const double cost = rounds * cut.patches * (cut.patches < 128 ? NARROW : 1.0);
        if (use.cut == nullptr || (best.cut != nullptr && cost >= least)) continue;
        best = use;
        least = cost;
    }
    return best;
}

class tensor_launcher : public launcher {
public:
    tensor_launcher(std::span<const float> filter, const problem& size, const use_of_cut& use,
                    const tile_set& tiles, int processors)
        : cut_(*use.cut),
          filter_scale_(filter_scale(filter)),
          table_(table_of(filter, size, cut_, filter_scale_)),
          kernel_(cut_.kernel, cut_.shared_bytes(size.filter_height, use.stages, use.ahead)),
          size_(size) {
        constexpr float LARGEST = 32768.0f;  // of halves, less a factor of two
        job_.table = table_.data();
        job_.filter_height = size.filter_height;
        job_.left = window(size.filter_width).left;
        job_.scale = scale_for(size.largest_pixel, LARGEST);
        job_.unscale = 1.0f / job_.scale / filter_scale_;
        job_.stages = use.stages;
        job_.ahead = use.ahead;
        job_.tiles = tiles;
        blocks_ = std::min(processors, tiles.size());
    }

    void launch(const images& all, cudaStream_t stream) override {
        kernel_.launch(blocks_, cut_.threads, stream, job_,
                       map_of(all.in, all.in_pitch, cut_.row_pixels, PATCH),
                       map_of(all.out, all.out_pitch, TILE_COLUMNS, cut_.patches));
    }

private:
    /// The copy engine has to be told where an image lies, which takes longer than a launch: kept for a few images.
    image_map map_of(const float* pixels, int pitch, int box_width, int box_rows) {
        constexpr size_t MOST = 64;
        if (maps_.size() >= MOST) maps_.clear();
        const auto key = std::make_tuple(pixels, box_width, box_rows);
        const auto found = maps_.find(key);
        if (found != maps_.end()) return found->second;
        const image_map map =
            map_stack(pixels, size_.width, size_.height, pitch, size_.images, box_width, box_rows);
        return maps_.emplace(key, map).first->second;
    }

    /// Large products of halves: low parts of taps then lie far above what halves cannot tell from 0.
    static float filter_scale(std::span<const float> filter) {
        constexpr float LARGE = 1024.0f;
        float largest = 0.0f;
        for (const float tap : filter)
            largest = std::max(largest, std::fabs(tap));
        return scale_for(largest, LARGE);
    }

    const tensor_cut& cut_;
    float filter_scale_;
    lab::device_buffer<uint32_t> table_;
    chained_kernel<tensor_job, image_map, image_map> kernel_;
    tensor_job job_ = {};
    int blocks_ = 0;
    problem size_;
    std::map<std::tuple<const float*, int, int>, image_map> maps_;  // by the box, too
};

/// Those with outputs that ghost cells lie under the filter of.
tile_set edge_tiles(const problem& size, const tensor_cut& cut) {
    tile_set edge = all_tiles(size, cut);
    const int inner_right =
        (size.width - size.filter_width / 2) / TILE_COLUMNS;  // the first tile of the right edge
    const int inner_bottom = (size.height - size.filter_height / 2) / cut.patches;
    edge.top = lab::ceil_div(size.filter_height / 2, cut.patches);
    edge.bottom = edge.rows - inner_bottom;
    edge.left = lab::ceil_div(size.filter_width / 2, TILE_COLUMNS);
    edge.right = edge.columns - inner_right;
    edge.in_image = (edge.top + edge.bottom) * edge.columns +
                    (edge.rows - edge.top - edge.bottom) * (edge.left + edge.right);
    const bool is_all = edge.top >= inner_bottom || edge.left >= inner_right;
    return is_all ? all_tiles(size, cut) : edge;
}

/// Of the tiles that `tiles_of` says.
std::unique_ptr<launcher> make(std::span<const float> filter, const problem& size, tile_chooser tiles_of) {
#ifdef HAS_SM_90A
    const auto attribute = [](cudaDeviceAttr name) {
        int device = 0, value = 0;
        CUDA_CHECK(cudaGetDevice(&device));
        CUDA_CHECK(cudaDeviceGetAttribute(&value, name, device));
        return value;
    };
    const bool is_hopper = attribute(cudaDevAttrComputeCapabilityMajor) == 9 &&
                           attribute(cudaDevAttrComputeCapabilityMinor) == 0;
    const int processors = attribute(cudaDevAttrMultiProcessorCount);
    const use_of_cut use =
        choose_cut(size, tiles_of, size_t(attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin)), processors);
    if (!is_hopper || use.cut == nullptr) return nullptr;
    return std::make_unique<tensor_launcher>(filter, size, use, tiles_of(size, *use.cut), processors);
#else
    (void)filter, (void)size, (void)tiles_of;
    return nullptr;
#endif
}

}  // namespace

std::unique_ptr<launcher> make_tensor(std::span<const float> filter, const problem& size) {
    return make(filter, size, all_tiles);
}

std::unique_ptr<launcher> make_tensor_edge(std::span<const float> filter, const problem& size) {
    return make(filter, size, edge_tiles);
}

}  // namespace fastest
