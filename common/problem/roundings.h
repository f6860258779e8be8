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

}  // namespace check
