// Lab 15's march down strips, for filters that are one column times one row.
// Lab 13 has another type of this name: one program holds both.
#define picture picture_of_lab_15
#include "../15_conv2d_separable/fast.cu"
#undef picture
#include "chained.h"
#include "constant_taps.h"
#include "method.h"

namespace fastest {

namespace {

const constant_taps* last_taps = nullptr;

/// The one term of the filter, if what it leaves out is no more than the rounding of its taps.
bool find_one_term(filter_term& term, std::span<const float> filter, const problem& size) {
    constexpr double ROUNDING = 0x1p-23;  // of taps that were computed in float
    std::vector<filter_term> terms = filter_terms(filter, size.filter_width, size.filter_height);
    double rest = 0;
    for (size_t k = 1; k < terms.size(); k++)
        rest += terms[k].weight;
    if (!(terms[0].weight > 0 && rest <= ROUNDING * terms[0].weight)) return false;
    term = terms[0];
    return true;
}

/// The row's taps and, behind them, the column's, each in the middle of `side` of them.
std::vector<float> taps_of(const filter_term& term, int side) {
    std::vector<float> row, column;
    for (const double tap : term.row)
        row.push_back(float(tap));
    for (const double tap : term.column)
        column.push_back(float(term.weight * tap));
    return row_then_column(padded(column, side), padded(row, side));
}

/// Has the pixels of a block's first steps brought as far as the L2 cache, where it does no harm if they are still to change.
template <class march>
__device__ __forceinline__ void prefetch_first_steps(const segment& mine, int strip_x) {
#if __CUDA_ARCH__ >= 900
    constexpr int ROWS_AHEAD = march::STAGES * march::STEP;
    static_assert(ROWS_AHEAD <= march::THREADS);
    const auto& image = mine.image;
    const int row = threadIdx.y * WARP + threadIdx.x, y = mine.first_y - march::SIDE / 2 + row;
    const int x = max(strip_x - march::HALO, 0);
    const int end_x = min(strip_x + STRIP + march::HALO, image.width / CHUNK * CHUNK);
    if (row >= ROWS_AHEAD || y < 0 || y >= image.height || x >= end_x) return;
    asm volatile(
        "cp.async.bulk.prefetch.L2.global [%0], %1;" ::"l"(&image.in[ptrdiff_t(y) * image.in_pitch + x]),
        "r"((end_x - x) * int(sizeof(float))));
#endif
}

/// march_down_kernel of lab 15 for many images, chained. Their strips are side by side: the large segments of all of them come first.
template <class march>
__global__ void __launch_bounds__(march::THREADS, march::LEAST_BLOCKS)
    march_kernel(picture_of_lab_15 image, segments segments) {
    const int strips = lab::ceil_div(image.width, STRIP), number = blockIdx.x / strips;
    image.in += number * size_t(image.in_pitch) * image.height;
    image.out += number * size_t(image.out_pitch) * image.height;
    const segment mine = segments.at(blockIdx.y, image);
    const int strip_x = blockIdx.x % strips * STRIP;
    prefetch_first_steps<march>(mine, strip_x);
    wait_for_launch_before();
    march_through<march>(mine, strip_x);
}

template <int SIDE, int STAGES>
::cut chained_cut() {
    using march = ::march<SIDE, 32, STAGES>;
    return ::cut_for<march>(march_kernel<march>);
}

/// As cut_of() of lab 15, with more shared memory than a lab's block has: steps of twice as many rows wait half as often.
const ::cut* chained_cut_of(const problem& size) {
    static const ::cut cuts[] = {chained_cut<3, 2>(),  chained_cut<5, 2>(),  chained_cut<7, 2>(),
                                 chained_cut<9, 2>(),  chained_cut<13, 2>(), chained_cut<17, 2>(),
                                 chained_cut<27, 2>(), chained_cut<43, 1>(), chained_cut<65, 1>()};
    const size_t limit = size_t(attribute_of_device(cudaDevAttrMaxSharedMemoryPerBlockOptin));
    for (const ::cut& next : cuts)
        if (size.filter_width <= next.side && size.filter_height <= next.side && next.shared_bytes <= limit)
            return &next;
    return nullptr;
}

class separable_launcher : public launcher {
public:
    separable_launcher(const filter_term& term, const ::cut& cut, const problem& size)
        : taps_(taps_of(term, cut.side), &last_taps),
          kernel_(cut.kernel, cut.shared_bytes),
          strips_(lab::ceil_div(size.width, STRIP) * size.images),
          block_(cut.block),
          segments_(segments_for(cut, strips_, size.height)),
          size_(size) {}

    void launch(const images& all, cudaStream_t stream) override {
        taps_.bring_to(c_taps, stream);
        kernel_.launch(dim3(strips_, segments_.count(size_.height)), block_, stream,
                       {all.out, all.in, size_.width, size_.height, all.out_pitch, all.in_pitch}, segments_);
    }

private:
    constant_taps taps_;
    chained_kernel<picture_of_lab_15, segments> kernel_;
    int strips_;  // of all images
    dim3 block_;
    segments segments_;
    problem size_;
};

}  // namespace

std::unique_ptr<launcher> make_separable(std::span<const float> filter, const problem& size) {
    const ::cut* cut = chained_cut_of(size);
    filter_term term;
    if (cut == nullptr || !find_one_term(term, filter, size)) return nullptr;
    return std::make_unique<separable_launcher>(term, *cut, size);
}

}  // namespace fastest
