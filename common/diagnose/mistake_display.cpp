// Values for a display with a mistake in how they are scaled and clamped, or in the filter before.
#include <algorithm>
#include <cmath>
#include <utility>

#include "diagnose/mistake_workshop.h"

namespace check {

namespace {

constexpr double OF_A_PRODUCT = 2 * UNIT_ROUNDOFF;

mistaken_value scaled(const mistaken_value& sum, double scale) {
    const double value = scale * sum.value;
    return {value, std::abs(scale) * sum.bound + OF_A_PRODUCT * std::abs(value)};
}

/// No two values come further apart.
mistaken_value clamped(const mistaken_value& sum) {
    return {std::clamp(sum.value, 0.0, double(BRIGHTEST)), sum.bound};
}

/// A clamp may make 0 of what is no number, or leave it.
std::vector<mistaken_value> displayed(const mistaken_value& sum, double scale) {
    if (sum.is_unknown()) return {UNKNOWN};
    if (std::isnan(sum.value)) return {UNWRITTEN, mistaken_value{}};
    return {clamped(scaled(sum, scale))};
}

}  // namespace

void mistake_list::workshop::display_mistakes() {
    const double scale = problem_.display_scale;
    const auto made_of_sum = [&](const std::string& cause, const auto& make) {
        found_.push_back({"display-wrong", cause, [this, sum = right(), make](size_t value) {
                              return std::vector{make(sum.at(split(value)))};
                          }});
    };
    made_of_sum("the sum is clamped but not scaled", [](const mistaken_value& sum) { return clamped(sum); });
    made_of_sum("the sum is scaled but not clamped",
                [=](const mistaken_value& sum) { return scaled(sum, scale); });
    made_of_sum("the sum is clamped before it is scaled, which may take it beyond the limits",
                [=](const mistaken_value& sum) { return scaled(clamped(sum), scale); });
    made_of_sum("the sum is neither scaled nor clamped", [](const mistaken_value& sum) { return sum; });

    // What goes wrong in the filter shows in what is displayed of it.
    problem_2d summed = problem_;
    summed.display_scale = 0;
    for (const mistake& one : mistakes_in(std::move(summed))) {
        mistake shown = one;
        shown.values_at = [&one, scale](size_t value) {
            std::vector<mistaken_value> all;
            for (const mistaken_value& sum : one.values_at(value)) {
                const std::vector<mistaken_value> values = displayed(sum, scale);
                all.insert(all.end(), values.begin(), values.end());
            }
            return all;
        };
        found_.push_back(std::move(shown));
    }
}

}  // namespace check
