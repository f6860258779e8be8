// The truth: convolution in double precision with a bound per value.
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "problem/edges.h"
#include "problem/passes.h"
#include "problem/problem.h"
#include "problem/roundings.h"

namespace check {

namespace {

using lab::border_index;

/// How far a right float sum may lie from the truth: `relative` times the sum of |in * f|, `per_length` times the
/// length (root of the sum of squares) of the pixels under the filter, and `absolute`.
struct error_bound {
    double relative = 0, per_length = 0, absolute = std::numeric_limits<float>::min();
};

double largest_of(const std::vector<float>& values) {
    double largest = 0;
    for (const float value : values)
        largest = std::max(largest, std::abs(double(value)));
    return largest;
}

/// Tap by tap, w x h of them in any order: sum_error(). Numbers of fp16 are no closer together than 2^-24 near 0. Where
/// the largest pixel, P, and the largest tap, T, are scaled to 2^12 at least, that puts a pixel off by 2^-25 * 2^-12 P
/// and a tap by as much of T, and wh products by no more than wh * 2^-36 * P T.
///
/// Given as a column times a row: one sum of w products within another of h, gamma_{w+h}, of the products of the
/// factors; the taps of the truth are these products rounded once, which costs u and makes |f| smaller by as much.
///
/// To be factored: let s_k be the singular values of the filter F, u_k and v_k its columns and rows (of length 1), X
/// the pixels under it. A term is s_k u_k' X v_k, at most s_k |X| (Cauchy), and so is the sum of the magnitudes of its
/// products. So what is left out changes a pixel by no more than left_out * |X|. The terms kept, of n = min(w, h) at
/// most, are sums of w products within one of n h (or the other way round: of h within n w), either at most wh + n
/// roundings; two more are those of the factors to floats, and one stands for the decomposition, which is made in
/// double. And s_1 + .. + s_n <= sqrt(n) |F|, |F| being the root of the sum of its squares (Cauchy again).
error_bound error_bound_of(const problem_2d& problem) {
    const filter& f = problem.filter;
    const size_t wh = f.taps.size(), n = size_t(std::min(f.width, f.height));
    if (problem.left_out > 0) {
        return {0, gamma(wh + n + 3) * std::sqrt(double(n)) * length_of(f.taps) + problem.left_out};
    }
    if (problem.transform_tile)
        return {0, 0,
                std::numeric_limits<float>::min() +
                    transform_error(planes_of(problem).cells(), problem.in.pixels, f.taps)};
    if (!f.column.empty()) return {gamma(size_t(f.width) + size_t(f.height) + 2)};
    error_bound bound{sum_error(problem.fp16_parts, f.width, f.height)};
    if (problem.fp16_parts > 0)
        bound.absolute += double(wh) * 0x1p-36 * largest_of(problem.in.pixels) * largest_of(f.taps);
    return bound;
}

void require_odd_filter(int width, int height, size_t taps) {
    const bool odd = width >= 1 && height >= 1 && width % 2 == 1 && height % 2 == 1;
    if (!odd || taps != size_t(width) * height) {
        throw std::invalid_argument(fmt::format(
            "a filter of {}x{} with {} taps: both sides must be odd and fit the taps", width, height, taps));
    }
}

void require_numbers(const char* what, const std::vector<float>& values) {
    for (size_t k = 0; k < values.size(); k++) {
        if (std::isfinite(values[k])) continue;
        throw std::invalid_argument(fmt::format("{} {} is {:f}, not a finite number", what, k, values[k]));
    }
}

void require_slices(const char* what, int height, int depth) {
    if (depth >= 1 && height % depth == 0) return;
    throw std::invalid_argument(
        fmt::format("{} of {} rows in {} slices: all have as many", what, height, depth));
}

void require_whole(const problem_2d& problem) {
    const image& in = problem.in;
    if (in.width < 1 || in.height < 1 || in.channels < 1 ||
        in.pixels.size() != size_t(in.width) * in.height * in.channels) {
        throw std::invalid_argument(fmt::format(
            "an image of {}x{}x{} with {} values: the sizes must be at least 1 and fit the values", in.width,
            in.height, in.channels, in.pixels.size()));
    }
    require_slices("an image", in.height, in.depth);
    require_slices("a filter", problem.filter.height, problem.filter.depth);
    require_odd_filter(problem.filter.width, problem.filter.height, problem.filter.taps.size());
    require_numbers("pixel value", in.pixels);
    require_numbers("tap", problem.filter.taps);
    for (const filter& one : problem.gradient) {
        require_odd_filter(one.width, one.height, one.taps.size());
        require_numbers("tap", one.taps);
    }
    if (problem.is_volume() && !problem.gradient.empty())
        throw std::invalid_argument("a volume with a gradient: there is none in three dimensions");
    const bool is_plain = !problem.is_volume() && problem.gradient.empty() && problem.filter.column.empty();
    if (problem.passes < 1 || (problem.passes > 1 && !is_plain))
        throw std::invalid_argument(
            fmt::format("{} passes: 1 at least, and more than that of a plain filter alone", problem.passes));
    if (!(problem.threshold >= 0))
        throw std::invalid_argument(fmt::format("threshold {:f}: it must be 0 or more", problem.threshold));
}

problem_2d as_2d(const problem_1d& problem) {
    problem_2d row;
    row.in = {problem.n(), 1, 1, problem.in};
    row.filter = {int(problem.taps.size()), 1, problem.taps, ""};
    return row;
}

/// Where each of the positions -radius .. size-1+radius is read, -1 for a zero ghost cell.
std::vector<int> sources_of(int size, int radius, lab::border mode) {
    std::vector<int> sources(size_t(size) + 2 * size_t(radius));
    for (int k = 0; k < int(sources.size()); k++)
        sources[k] = border_index(k - radius, size, mode);
    return sources;
}

/// Computes one output after another, or all of them, in double precision.
class exact_convolution {
public:
    explicit exact_convolution(const problem_2d& problem)
        : in_(problem.in),
          filter_(problem.filter),
          slices_(sources_of(in_.depth, filter_.depth / 2, problem.border)),
          rows_(sources_of(in_.slice_height(), filter_.slice_height() / 2, problem.border)),
          columns_(sources_of(in_.width, filter_.width / 2, problem.border)),
          bound_(error_bound_of(problem)) {}

    void append(size_t output, reference& truth) const {
        const int channel = int(output % in_.channels);
        const int x = int(output / in_.channels % in_.width);
        const int y = int(output / in_.channels / in_.width);
        double sum = 0.0, magnitude = 0.0, squares = 0.0;
        for (int i = 0; i < filter_.height; i++) {
            const int from = source_row(y, i);
            if (from < 0) continue;
            const float* row = &in_.pixels[size_t(from) * in_.width * in_.channels + channel];
            const float* taps = &filter_.taps[size_t(i) * filter_.width];
            for (int j = 0; j < filter_.width; j++) {
                const int source = columns_[x + j];
                if (source < 0) continue;
                const double pixel = row[size_t(source) * in_.channels];
                const double product = pixel * double(taps[j]);
                sum += product;
                magnitude += std::abs(product);
                squares += pixel * pixel;
            }
        }
        append(sum, magnitude, squares, truth);
    }

    /// Every output, a row of them at a time: each is added up in the same order as by append(), for the zeros of
    /// ghost cells change no sum.
    reference all() const {
        const size_t channels = in_.channels, values = size_t(in_.width) * channels;
        const size_t pitch = columns_.size() * channels;
        const std::vector<double> pixels = with_ghost_cells();
        std::vector<double> sum(values), magnitude(values), squares(values);
        reference truth;
        for (int y = 0; y < in_.height; y++) {
            for (std::vector<double>* one : {&sum, &magnitude, &squares})
                std::ranges::fill(*one, 0.0);
            for (int i = 0; i < filter_.height; i++) {
                const int from = source_row(y, i);
                if (from < 0) continue;
                for (int j = 0; j < filter_.width; j++)
                    add_row(&pixels[size_t(from) * pitch + j * channels],
                            filter_.taps[size_t(i) * filter_.width + j], values, sum.data(), magnitude.data(),
                            squares.data());
            }
            for (size_t k = 0; k < values; k++)
                append(sum[k], magnitude[k], squares[k], truth);
        }
        return truth;
    }

private:
    /// Of all rows, the one under row `i` of the filter for outputs of row `y`; -1 if that is of ghost cells of 0.
    int source_row(int y, int i) const {
        const int height = in_.slice_height(), filter_height = filter_.slice_height();
        const int slice = slices_[y / height + i / filter_height];
        const int row = rows_[y % height + i % filter_height];
        return slice < 0 || row < 0 ? -1 : slice * height + row;
    }

    /// The pixels in double precision, each row with what its outputs read beside it.
    std::vector<double> with_ghost_cells() const {
        std::vector<double> pixels;
        pixels.reserve(columns_.size() * in_.height * in_.channels);
        for (int y = 0; y < in_.height; y++) {
            for (const int column : columns_) {
                for (int channel = 0; channel < in_.channels; channel++)
                    pixels.push_back(
                        column < 0 ? 0.0
                                   : in_.pixels[(size_t(y) * in_.width + column) * in_.channels + channel]);
            }
        }
        return pixels;
    }

    static void add_row(const double* __restrict pixels, double tap, size_t values, double* __restrict sum,
                        double* __restrict magnitude, double* __restrict squares) {
        for (size_t k = 0; k < values; k++) {
            const double product = pixels[k] * tap;
            sum[k] += product;
            magnitude[k] += std::abs(product);
            squares[k] += pixels[k] * pixels[k];
        }
    }

    void append(double sum, double magnitude, double squares, reference& truth) const {
        truth.value.push_back(sum);
        truth.bound.push_back(bound_.relative * magnitude + bound_.per_length * std::sqrt(squares) +
                              bound_.absolute);
    }

    const image& in_;
    const filter& filter_;
    const std::vector<int> slices_, rows_, columns_;
    const error_bound bound_;
};

/// The product has a rounding of its own; a clamp takes no two values further apart.
reference displayed(problem_2d problem, std::span<const size_t> outputs) {
    const double scale = std::exchange(problem.display_scale, 0.0f);
    reference truth = convolve_cpu(problem, outputs);
    for (size_t k = 0; k < outputs.size(); k++) {
        const double value = scale * truth.value[k], error = std::abs(scale) * truth.bound[k];
        truth.value[k] = std::clamp(value, 0.0, double(BRIGHTEST));
        truth.bound[k] = error + gamma(1) * (std::abs(value) + error) + std::numeric_limits<float>::min();
    }
    return truth;
}

}  // namespace

reference convolve_cpu(const problem_2d& problem) {
    if (problem.display_scale == 0 && problem.gradient.empty() && problem.passes == 1) {
        require_whole(problem);
        return exact_convolution(problem).all();
    }
    std::vector<size_t> all(problem.in.pixels.size());
    std::iota(all.begin(), all.end(), size_t{0});
    return convolve_cpu(problem, all);
}

reference convolve_cpu(const problem_2d& problem, std::span<const size_t> outputs) {
    require_whole(problem);
    for (size_t k : outputs) {
        if (k >= problem.in.pixels.size())
            throw std::invalid_argument(fmt::format("output {} of {}", k, problem.in.pixels.size()));
    }
    if (problem.display_scale != 0) return displayed(problem, outputs);
    if (problem.passes > 1) return passes_cpu(problem, outputs);
    if (!problem.gradient.empty()) return edges_cpu(problem, outputs);
    const exact_convolution exact(problem);
    reference truth;
    truth.value.reserve(outputs.size());
    truth.bound.reserve(outputs.size());
    for (size_t k : outputs)
        exact.append(k, truth);
    return truth;
}

reference convolve_cpu(const problem_1d& problem) {
    return convolve_cpu(as_2d(problem));
}

reference convolve_cpu(const problem_1d& problem, std::span<const size_t> outputs) {
    return convolve_cpu(as_2d(problem), outputs);
}

}  // namespace check
