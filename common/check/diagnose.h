// The likeliest cause of a wrong output, where the output itself shows it.
#pragma once
#include <span>
#include <string>

#include "check/problem.h"
#include "inspect/report.h"

namespace check {

/// One sentence, or "" where no known mistake explains every value of the output, or two do that are not the
/// same. `seen` adds what the inspector knows of the launches; an empty report will do.
std::string diagnose(std::span<const float> out, const problem_1d& problem, const inspect::report& seen);
std::string diagnose(std::span<const float> out, const problem_2d& problem, const inspect::report& seen);

}  // namespace check
