// The counts of a kernel beside those of the reference solution and the closed forms, as text.
#pragma once
#include <string>
#include <vector>

#include "check/expected_count.h"
#include "inspect/report/report.h"
#include "problem/problem.h"

namespace check {

/// A table of what the launches do to each memory; `reference` is null where there is no solution. `brief` leaves out
/// rows that follow from others.
std::string table_of_counts(const inspect::report& yours, const inspect::report* reference,
                            const problem_2d& problem, bool brief = false);

/// Every source line that reaches a memory: its text, its counts, and what they mean; launches that are alike together.
std::string table_of_lines(const inspect::report& seen);

/// The verdict on every expected count; `reference` is empty where there is no solution. `brief`: of those that are met
/// only how many there are, and of the others the first few.
std::string table_of_expected_counts(const std::vector<expected_count>& yours,
                                     const std::vector<expected_count>& reference, bool brief = false);

}  // namespace check
