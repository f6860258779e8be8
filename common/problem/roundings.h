// What roundings of floats add up to.
#pragma once
#include <cmath>
#include <cstddef>

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

}  // namespace check
