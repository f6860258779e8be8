// Lab 15's sliding warps, for filters that are one column times one row.
// Lab 13 has another type of this name: one program holds both.
#define picture picture_of_lab_15
#include "../15_conv2d_separable/fast.cu"
#undef picture
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

class separable_launcher : public launcher {
public:
    separable_launcher(const filter_term& term, const ::cut& cut, const problem& size)
        : taps_(taps_of(term, cut.side), &last_taps), cut_(cut), size_(size) {}

    void launch(const images& all, cudaStream_t stream) override {
        taps_.bring_to(c_taps, stream);
        const dim3 block(::WARP, ::WARPS);
        const dim3 grid(lab::ceil_div(size_.width, ::WARP * ::WARPS * cut_.columns),
                        lab::ceil_div(size_.height, cut_.rows));
        for (int k = 0; k < size_.images; k++) {
            const images of = all.from(k, size_);
            cut_.kernel<<<grid, block, 0, stream>>>(
                {of.out, of.in, size_.width, size_.height, of.out_pitch, of.in_pitch});
        }
    }

private:
    constant_taps taps_;
    const ::cut& cut_;
    problem size_;
};

}  // namespace

std::unique_ptr<launcher> make_separable(std::span<const float> filter, const problem& size) {
    const ::cut* cut = cut_of(size.filter_width, size.filter_height);
    filter_term term;
    if (cut == nullptr || !find_one_term(term, filter, size)) return nullptr;
    return std::make_unique<separable_launcher>(term, *cut, size);
}

}  // namespace fastest
