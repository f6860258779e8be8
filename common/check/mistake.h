// Convolutions with one mistake in them: what a kernel that makes it would give.
#pragma once
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "check/problem.h"

namespace check {

/// A value that a kernel with a mistake gives, and how far rounding may take it. NaN where it read or left
/// unwritten memory.
struct mistaken_value {
    double value = 0.0, bound = 0.0;
};

struct mistake {
    std::string cause;  // "the filter is flipped: its last tap is used first"
    /// Of a flat index of the output. Several where threads write the same place: the last one wins,
    /// whichever that is.
    std::function<std::vector<mistaken_value>(size_t)> values_at;
};

/// Every mistake that could change something in a problem; the problem must outlive the list.
class mistake_list {
public:
    mistake_list(const problem_2d& problem, bool one_dimensional);
    ~mistake_list();
    const std::vector<mistake>& all() const { return all_; }

private:
    class workshop;
    std::unique_ptr<workshop> workshop_;  // what the functions of all_ refer to
    std::vector<mistake> all_;
};

}  // namespace check
