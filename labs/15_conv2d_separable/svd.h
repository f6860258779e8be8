// Lab 15, given: the singular value decomposition of a filter. Leave this file as it is.
#pragma once
#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

/// One term of a filter: weight times a column times a row, which have length 1. A term of weight 0 has a column of 0.
struct filter_term {
    double weight;  // the singular value
    std::vector<double> column, row;
};

namespace svd {

using vectors = std::vector<std::vector<double>>;

inline double product(const std::vector<double>& a, const std::vector<double>& b) {
    double sum = 0;
    for (size_t k = 0; k < a.size(); k++)
        sum += a[k] * b[k];
    return sum;
}

inline void rotate(std::vector<double>& a, std::vector<double>& b, double cosine, double sine) {
    for (size_t k = 0; k < a.size(); k++) {
        const double first = a[k], second = b[k];
        a[k] = cosine * first - sine * second;
        b[k] = sine * first + cosine * second;
    }
}

/// Turns two columns in their plane until they are at right angles, and what they are multiplied by along with them.
/// False if they are already, as far as double precision tells.
inline bool make_orthogonal(vectors& columns, vectors& factors, size_t p, size_t q) {
    constexpr double EPSILON = 1e-15;
    const double pp = product(columns[p], columns[p]), qq = product(columns[q], columns[q]);
    const double pq = product(columns[p], columns[q]);
    if (std::abs(pq) <= EPSILON * std::sqrt(pp * qq)) return false;
    // The tangent of the angle solves t^2 + 2 z t = 1; the smaller one of its two values turns less.
    const double z = (qq - pp) / (2 * pq);
    const double tangent = (z < 0 ? -1 : 1) / (std::abs(z) + std::sqrt(1 + z * z));
    const double cosine = 1 / std::sqrt(1 + tangent * tangent);
    rotate(columns[p], columns[q], cosine, cosine * tangent);
    rotate(factors[p], factors[q], cosine, cosine * tangent);
    return true;
}

}  // namespace svd

/// The terms of a filter of `height` rows of `width` taps, min(width, height) of them, from the largest weight on; their
/// sum is the filter. One-sided Jacobi method (Hestenes 1958), in double precision.
inline std::vector<filter_term> filter_terms(std::span<const float> filter, int width, int height) {
    // The shorter side has the fewer pairs to turn: of a wide filter the rows are taken for columns.
    const bool is_wide = width > height;
    const size_t count = size_t(std::min(width, height)), length = size_t(std::max(width, height));
    svd::vectors columns(count, std::vector<double>(length)), factors(count, std::vector<double>(count));
    for (size_t k = 0; k < count; k++) {
        factors[k][k] = 1;
        for (size_t i = 0; i < length; i++)
            columns[k][i] = is_wide ? filter[k * length + i] : filter[i * count + k];
    }
    constexpr int MOST_SWEEPS =
        60;  // it takes five to ten: every sweep about squares what is left of the angles
    bool turned = true;
    for (int sweep = 0; turned && sweep < MOST_SWEEPS; sweep++) {
        turned = false;
        for (size_t p = 0; p + 1 < count; p++) {
            for (size_t q = p + 1; q < count; q++)
                turned = svd::make_orthogonal(columns, factors, p, q) || turned;
        }
    }
    std::vector<filter_term> terms;
    for (size_t k = 0; k < count; k++) {
        const double weight = std::sqrt(svd::product(columns[k], columns[k]));
        for (double& value : columns[k])
            value = weight > 0 ? value / weight : 0;
        terms.push_back({weight, columns[k], factors[k]});
        if (is_wide) std::swap(terms.back().column, terms.back().row);
    }
    const auto is_heavier = [](const filter_term& a, const filter_term& b) { return a.weight > b.weight; };
    std::sort(terms.begin(), terms.end(), is_heavier);
    return terms;
}
