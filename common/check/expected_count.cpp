// A count that a check asks for.
#include "check/expected_count.h"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>

namespace check {

namespace {

std::string method_of(const expected_count& one) {
    return one.subject.substr(0, one.subject.find(':'));
}

/// How far a count is missed or how close its limit is: larger is worse.
double badness(const expected_count& one) {
    const double ratio = one.right > 0.0 ? one.now / one.right : one.now;
    const double distance = one.at_least ? -ratio : std::abs(std::log(std::max(ratio, 1e-9)));
    return one.met ? distance : 1e6 + distance;
}

}  // namespace

std::string count_text(double value) {
    if (std::isnan(value)) return "nothing";  // a ratio of nothing to nothing
    const bool whole = std::floor(value) == value && std::abs(value) < 1e15;
    return whole ? fmt::format("{:.0f}", value) : fmt::format("{:.2f}", value);
}

std::string to_text(const expected_count& one) {
    if (!one.asked)
        return fmt::format("now {}, not asked: {} was not recognised", count_text(one.now),
                           one.what.variable());
    if (one.at_least)
        return fmt::format("now {}, at least {} are needed", count_text(one.now), count_text(one.right));
    return fmt::format("now {}, right is {}, passes at {}", count_text(one.now), count_text(one.right),
                       count_text(one.passes_at));
}

std::vector<expected_count> worst_of_each(const std::vector<expected_count>& counts) {
    std::vector<expected_count> worst;
    for (const expected_count& one : counts) {
        const auto known = std::find_if(worst.begin(), worst.end(), [&](const expected_count& other) {
            return other.check == one.check && other.what.words() == one.what.words() &&
                   method_of(other) == method_of(one);
        });
        if (known == worst.end())
            worst.push_back(one);
        else if (badness(one) > badness(*known))
            *known = one;
    }
    return worst;
}

}  // namespace check
