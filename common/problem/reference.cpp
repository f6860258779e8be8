// The truth: convolution in double precision with a bound per value, and the sources' serial float loop.
#include <fmt/format.h>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "problem/problem.h"

namespace check {

namespace {

using lab::border_index;

/// gamma_m of Higham, Accuracy and Stability of Numerical Algorithms, 3.1: the relative error of a sum of m
/// products, whatever the order of the additions.
double gamma(size_t m) {
    const double u = std::ldexp(1.0, -24);
    const double mu = double(m) * u;
    return mu / (1.0 - mu);
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

void require_whole(const problem_2d& problem) {
    const image& in = problem.in;
    if (in.width < 1 || in.height < 1 || in.channels < 1 ||
        in.pixels.size() != size_t(in.width) * in.height * in.channels) {
        throw std::invalid_argument(fmt::format(
            "an image of {}x{}x{} with {} values: the sizes must be at least 1 and fit the values", in.width,
            in.height, in.channels, in.pixels.size()));
    }
    require_odd_filter(problem.filter.width, problem.filter.height, problem.filter.taps.size());
    require_numbers("pixel value", in.pixels);
    require_numbers("tap", problem.filter.taps);
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

/// Computes one output after another, in double precision.
class exact_convolution {
public:
    explicit exact_convolution(const problem_2d& problem)
        : in_(problem.in),
          filter_(problem.filter),
          rows_(sources_of(in_.height, filter_.height / 2, problem.border)),
          columns_(sources_of(in_.width, filter_.width / 2, problem.border)),
          relative_bound_(gamma(filter_.taps.size())) {}

    void append(size_t output, reference& truth) const {
        const int channel = int(output % in_.channels);
        const int x = int(output / in_.channels % in_.width);
        const int y = int(output / in_.channels / in_.width);
        double sum = 0.0, magnitude = 0.0;
        for (int i = 0; i < filter_.height; i++) {
            if (rows_[y + i] < 0) continue;
            const float* row = &in_.pixels[size_t(rows_[y + i]) * in_.width * in_.channels + channel];
            const float* taps = &filter_.taps[size_t(i) * filter_.width];
            for (int j = 0; j < filter_.width; j++) {
                const int source = columns_[x + j];
                if (source < 0) continue;
                const double product = double(row[size_t(source) * in_.channels]) * double(taps[j]);
                sum += product;
                magnitude += std::abs(product);
            }
        }
        truth.value.push_back(sum);
        truth.bound.push_back(relative_bound_ * magnitude + std::numeric_limits<float>::min());
    }

private:
    const image& in_;
    const filter& filter_;
    const std::vector<int> rows_, columns_;
    const double relative_bound_;
};

}  // namespace

reference convolve_cpu(const problem_2d& problem) {
    require_whole(problem);
    const exact_convolution exact(problem);
    const size_t outputs = problem.in.pixels.size();
    reference truth;
    truth.value.reserve(outputs);
    truth.bound.reserve(outputs);
    for (size_t k = 0; k < outputs; k++)
        exact.append(k, truth);
    return truth;
}

reference convolve_cpu(const problem_2d& problem, std::span<const size_t> outputs) {
    require_whole(problem);
    const exact_convolution exact(problem);
    reference truth;
    for (size_t k : outputs) {
        if (k >= problem.in.pixels.size()) {
            throw std::invalid_argument(fmt::format("output {} of {}", k, problem.in.pixels.size()));
        }
        exact.append(k, truth);
    }
    return truth;
}

reference convolve_cpu(const problem_1d& problem) {
    return convolve_cpu(as_2d(problem));
}

reference convolve_cpu(const problem_1d& problem, std::span<const size_t> outputs) {
    return convolve_cpu(as_2d(problem), outputs);
}

std::vector<float> convolve_serial(const problem_1d& problem) {
    const int n = problem.n();
    const int radius = problem.radius();
    std::vector<float> out(problem.in.size());
    for (int x = 0; x < n; x++) {
        float sum = 0.0f;
        for (int j = -radius; j <= radius; j++) {
            const bool ghost_cell = x + j < 0 || x + j >= n;
            if (!ghost_cell) sum += problem.in[x + j] * problem.taps[j + radius];
        }
        out[x] = sum;
    }
    return out;
}

std::vector<float> convolve_serial(const problem_2d& problem) {
    const image& in = problem.in;
    const int radius_x = problem.filter.width / 2;
    const int radius_y = problem.filter.height / 2;
    std::vector<float> out(in.pixels.size());
    for (int y = 0; y < in.height; y++) {
        for (int x = 0; x < in.width; x++) {
            for (int channel = 0; channel < in.channels; channel++) {
                float sum = 0.0f;
                for (int i = -radius_y; i <= radius_y; i++) {
                    const int row = border_index(y + i, in.height, problem.border);
                    if (row < 0) continue;
                    for (int j = -radius_x; j <= radius_x; j++) {
                        const int column = border_index(x + j, in.width, problem.border);
                        if (column < 0) continue;
                        sum +=
                            in.pixels[(size_t(row) * in.width + column) * in.channels + channel] *
                            problem.filter.taps[size_t(i + radius_y) * problem.filter.width + j + radius_x];
                    }
                }
                out[(size_t(y) * in.width + x) * in.channels + channel] = sum;
            }
        }
    }
    return out;
}

}  // namespace check
