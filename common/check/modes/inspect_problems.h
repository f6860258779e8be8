// What make inspectNN runs: sizes that were asked for, or those of a case that failed.
#pragma once
#include <string>
#include <vector>

#include "bench/sweep.h"
#include "inspect/report/report.h"
#include "problem/problem.h"

namespace check {

/// What was asked for; what is usual where a list is empty.
struct inspect_wishes {
    std::vector<std::string> methods, lengths, images,
        filters;  // as make's METHODS=, LENGTHS=, ... name them
    lab::border border = lab::border::zero;
    std::string subject;  // of the case that failed, as the check described it
    bool any_size() const { return !lengths.empty() || !images.empty() || !filters.empty(); }
};

/// The method and sizes of the case in a report.json that is to be mended first, or of the first that failed. Throws
/// std::invalid_argument saying what to do if the report names none.
inspect_wishes failing_case(const std::string& report);

/// Sizes with at least three of a launch's blocks in each direction, of which the last overhangs: a block in the
/// middle then has neighbours on all sides. The size itself where it has them, or where three blocks would be too
/// many pixels to draw.
bench::size_2d with_middle_block(bench::size_2d input, const inspect::report& seen,
                                 const problem_2d& problem);

}  // namespace check
