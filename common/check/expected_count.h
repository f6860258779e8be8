// A count that a check asks for, met or not, and what it counts.
#pragma once
#include <string>
#include <vector>

#include "inspect/report/report.h"

namespace check {

/// Accesses that a check counts: "global loads of in". A check says it in words, which are read here and
/// nowhere else; what they leave open is `any`, or a variable without a name.
class counted_accesses {
public:
    enum class memory { any, global, shared, constant, texture };
    enum class operation { any, load, store };

    counted_accesses(std::string words);  // not explicit: checks pass text
    counted_accesses(const char* words) : counted_accesses(std::string(words)) {}
    counted_accesses(memory where, operation what, std::string variable = "");

    const std::string& words() const { return words_; }
    memory where() const { return where_; }
    operation what() const { return what_; }
    const std::string& variable() const { return variable_; }

    /// True for the number of accesses itself: no ratio, no bytes, no requests.
    bool is_plain() const { return is_plain_; }

    /// True for a line that may add to the count; no line does where no variable is named.
    bool include(const inspect::line_traffic& line) const;
    /// Their number in a report; of loads and stores one must be named, and a memory or a variable.
    inspect::traffic in(const inspect::report& seen) const;

private:
    std::string words_;
    memory where_ = memory::any;
    operation what_ = operation::any;
    std::string variable_;
    bool is_plain_ = true;
};

struct expected_count {
    std::string check, subject;  // "[20] ...", "naive: 64x37 pixels, ..."
    counted_accesses what;
    double now = 0, right = 0;
    double passes_at = 0;   // the most that passes; right itself where there is no margin
    bool at_least = false;  // `right` is a lower bound and there is no upper one
    bool met = false;
    bool asked = true;  // false: of an array that was not recognised only too many accesses are missed
};

/// A count in few digits: whole numbers whole, ratios with two decimals.
std::string count_text(double value);

/// "now 32.00, right is 4.00, passes at 8.00": what the verdict on it rests on.
std::string to_text(const expected_count& one);

/// Of the counts of one check that ask the same of one method the one that is met worst, in the order in
/// which they came.
std::vector<expected_count> worst_of_each(const std::vector<expected_count>& counts);

}  // namespace check
