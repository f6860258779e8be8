// What roundings of floats add up to.
#pragma once
#include <cmath>
#include <cstddef>
#include <span>

namespace check {

/// gamma_m of Higham, Accuracy and Stability of Numerical Algorithms, 3.1: the relative error of a sum of m
/// products, whatever the order of the additions.
inline double gamma(size_t m) {
    const double u = std::ldexp(1.0, -24);
    const double mu = double(m) * u;
    return mu / (1.0 - mu);
}

/// The relative error of a sum of `width` x `height` products, whatever the order of the additions, where pixels and
/// taps come as `fp16_parts` says (problem.h). Of floats: gamma_wh.
///
/// One number of fp16 has 11 bits: either factor is off by 2^-11 of itself at most, their product by 2 * 2^-11 + 2^-22.
/// Tensor cores add without rounding: they cut off, when they bring products to one exponent and when they store the
/// sum, and what is cut off may be twice a rounding. So an addition costs four roundings.
///
/// The sum of two numbers is off by 2^-22 = 4 u of itself, and the product of the two low parts, which is left out, is
/// no larger than that: 12 u for a product. Three products a tap are added by tensor cores along one row (or column)
/// of the filter alone, 12 times as many roundings as it has taps, and the rows by additions that round. What these
/// roundings do to each other, and to the 12 u, is less than another 12 u for filters that anybody has.
inline double sum_error(int fp16_parts, int width, int height) {
    const size_t w = size_t(width), h = size_t(height);
    if (fp16_parts == 0) return gamma(w * h);
    if (fp16_parts == 2) return gamma(12 * (w + h + 2));
    const double of_product = 0x1p-10 + 0x1p-22;
    return of_product + (1 + of_product) * gamma(4 * w * h);
}

/// The root of the sum of the squares.
inline double length_of(std::span<const float> values) {
    double squares = 0;
    for (const float value : values)
        squares += double(value) * double(value);
    return std::sqrt(squares);
}

/// How far an output may be off that comes from Fourier transforms of planes of `cells` numbers, of an image
/// and a filter. A plane's sides are products of 2, 3, 5 and 7.
///
/// A transform is a chain of stages, one for each prime p of N = cells: transforms of p numbers, after a product with
/// numbers of absolute value 1. Such a product of complex numbers is off by sqrt(2) gamma_2, and by u or two as its
/// factor is rounded: less than 4.5 u. Two of them and p - 1 additions put a number of a stage off by (p + 8) u times
/// the sum of the absolute values that it is made of. Of a stage's whole output, in its length, that is
/// sqrt(p) (p + 8) u (Higham, 24.1, for p = 2), and as p = 2^(log2 p), no more than 16 u for each binary digit of N:
/// e = 16 log2(N) u.
///
/// Let x and f be image and filter, X and F their transforms, of lengths sqrt(N) |x| and sqrt(N) |f| (Parseval). They
/// are off by e sqrt(N) |x| and e sqrt(N) |f|, the product by less than 5 u of itself. What comes back at one place
/// is the mean of N numbers of absolute values |X_k F_k|; their sum is no more than the product of the lengths (Cauchy).
/// So it is off by 2 e + 5 u for what went in, and as every number goes through the same stages, e for the way back.
inline double transform_error(int cells, std::span<const float> pixels, std::span<const float> taps) {
    const double roundings = 3 * 16 * std::log2(double(cells)) + 8;
    return gamma(size_t(std::ceil(roundings))) * length_of(pixels) * length_of(taps);
}

}  // namespace check
