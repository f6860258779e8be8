// What a series of times says: its middle, and how far they lie apart.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace bench {

/// The value below which `share` of the values lie, between two of them where it falls there; 0 of none.
inline double percentile(std::vector<double> values, double share) {
    if (values.empty()) return 0;
    std::sort(values.begin(), values.end());
    const double place = share * double(values.size() - 1);
    const auto below = size_t(place), above = std::min(below + 1, values.size() - 1);
    return std::lerp(values[below], values[above], place - double(below));
}

struct spread {
    double median = 0, p10 = 0, p90 = 0;
    size_t count = 0;
};

inline spread spread_of(const std::vector<double>& values) {
    return {percentile(values, 0.5), percentile(values, 0.1), percentile(values, 0.9), values.size()};
}

}  // namespace bench
