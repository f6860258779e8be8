// The filters of the sources.
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "problem/problem.h"

namespace check {

namespace {

void require_odd(const char* what, int size) {
    if (size >= 1 && size % 2 == 1) return;
    throw std::invalid_argument(fmt::format(
        "{}: size {}; a filter has a centre, so its size must be odd and at least 1", what, size));
}

std::string sized(const std::string& name, int width, int height) {
    return fmt::format("{} {}x{}", name, width, height);
}

filter make_3x3(const std::string& name, std::vector<float> taps) {
    return {3, 3, std::move(taps), sized(name, 3, 3)};
}

}  // namespace

filter box_filter(int size) {
    require_odd("box_filter", size);
    const size_t count = size_t(size) * size;
    return {size, size, std::vector<float>(count, 1.0f / float(count)), sized("box", size, size)};
}

filter gaussian_filter(int size, double sigma) {
    require_odd("gaussian_filter", size);
    if (!(sigma > 0.0) || !std::isfinite(sigma)) {
        throw std::invalid_argument(fmt::format("gaussian_filter: sigma {:f}; it must be above 0", sigma));
    }
    const int radius = size / 2;
    std::vector<double> row(size);
    double sum = 0.0;
    for (int j = -radius; j <= radius; j++) {
        row[j + radius] = std::exp(-0.5 * j * j / (sigma * sigma));
        sum += row[j + radius];
    }
    filter gaussian{size, size, {}, sized("gaussian", size, size)};
    for (int i = 0; i < size; i++) {
        for (int j = 0; j < size; j++)
            gaussian.taps.push_back(float(row[i] / sum * (row[j] / sum)));
    }
    return gaussian;
}

// Camerino, formula 3.3.
filter sobel_x_filter() {
    return make_3x3("sobel x", {-1, 0, 1, -2, 0, 2, -1, 0, 1});
}

filter sobel_y_filter() {
    return make_3x3("sobel y", {-1, -2, -1, 0, 0, 0, 1, 2, 1});
}

// Camerino, table 3.1, names these four without their taps; these are the ones Gonzalez and Woods give.
filter laplacian_filter() {
    return make_3x3("laplacian", {0, 1, 0, 1, -4, 1, 0, 1, 0});
}

filter sharpen_filter() {
    return make_3x3("sharpen", {0, -1, 0, -1, 5, -1, 0, -1, 0});
}

filter emboss_filter() {
    return make_3x3("emboss", {-2, -1, 0, -1, 1, 1, 0, 1, 2});
}

filter edge_filter() {
    return make_3x3("edge", {-1, -1, -1, -1, 8, -1, -1, -1, -1});
}

filter identity_filter(int size) {
    require_odd("identity_filter", size);
    const size_t count = size_t(size) * size;
    filter identity{size, size, std::vector<float>(count, 0.0f), sized("identity", size, size)};
    identity.taps[count / 2] = 1.0f;
    return identity;
}

// The article names the filter and keeps its taps in a data file; this is the central difference along x.
filter gradient_filter() {
    return make_3x3("gradient", {0, 0, 0, -0.5f, 0, 0.5f, 0, 0, 0});
}

int filter::radius() const {
    if (width != height)
        throw std::invalid_argument(fmt::format("takes square filters, not {}x{}", width, height));
    return width / 2;
}

filter random_filter(int width, int height, uint64_t seed) {
    require_odd("random_filter", width);
    require_odd("random_filter", height);
    // Another stream than noise_image's of the same seed: taps that repeat the pixels hide mistakes.
    constexpr uint64_t FILTER_STREAM = 0x66696c746572;
    return {width, height, random_values(size_t(width) * height, seed ^ FILTER_STREAM),
            sized("random", width, height)};
}

filter separable_filter(const std::vector<float>& column, const std::vector<float>& row) {
    const int width = int(row.size()), height = int(column.size());
    require_odd("separable_filter", width);
    require_odd("separable_filter", height);
    filter made{width, height, {}, sized("separable", width, height), column, row};
    for (const float below : column) {
        for (const float beside : row)
            made.taps.push_back(below * beside);
    }
    return made;
}

filter separable_filter(int width, int height, uint64_t seed) {
    require_odd("separable_filter", width);
    require_odd("separable_filter", height);
    const std::vector<float> factors = random_filter(width + height + 1, 1, seed).taps;
    return separable_filter({factors.begin(), factors.begin() + height},
                            {factors.begin() + height, factors.begin() + height + width});
}

void give_as_factors(problem_2d& problem) {
    const filter& f = problem.filter;
    const auto is_smaller = [](float a, float b) { return std::abs(a) < std::abs(b); };
    const auto largest = std::max_element(f.taps.begin(), f.taps.end(), is_smaller) - f.taps.begin();
    const int of_row = int(largest) / f.width, of_column = int(largest) % f.width;
    const float pivot = f.taps[largest] == 0 ? 1 : f.taps[largest];
    std::vector<float> column, row;
    for (int i = 0; i < f.height; i++)
        column.push_back(f.taps[size_t(i) * f.width + of_column] / pivot);
    for (int j = 0; j < f.width; j++)
        row.push_back(f.taps[size_t(of_row) * f.width + j]);
    problem.filter = separable_filter(column, row);
}

void give_to_factor(problem_2d& problem) {
    // Rounding changes a tap by u times itself at most, so what it adds to the filter has no length beyond u |F|, and its
    // singular values, n of them, add up to no more than sqrt(n) times that. Four times as much leaves room for factors
    // that are rounded.
    give_as_factors(problem);
    filter& f = problem.filter;
    f.column.clear();
    f.row.clear();
    double squares = 0;
    for (const float tap : f.taps)
        squares += double(tap) * double(tap);
    const double u = std::ldexp(1.0, -24);
    problem.left_out = float(4 * u * std::sqrt(std::min(f.width, f.height) * squares));
    if (problem.left_out == 0) problem.left_out = u;  // a filter of zeros
}

}  // namespace check
