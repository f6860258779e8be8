// A count that a check asks for, met or not.
#pragma once
#include <string>
#include <vector>

namespace check {

struct expected_count {
    std::string check, subject, what;  // "[20] ...", "naive: 64x37 pixels, ...", "global loads of in"
    double now = 0, right = 0;
    double passes_at = 0;   // the most that passes; right itself where there is no margin
    bool at_least = false;  // `right` is a lower bound and there is no upper one
    bool met = false;
};

/// A count in few digits: whole numbers whole, ratios with two decimals.
std::string count_text(double value);

/// "now 32.00, right is 4.00, passes at 8.00": what the verdict on it rests on.
std::string to_text(const expected_count& one);

/// Of the counts of one check that ask the same of one method the one that is met worst, in the order in which
/// they came.
std::vector<expected_count> worst_of_each(const std::vector<expected_count>& counts);

}  // namespace check
