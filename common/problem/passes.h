// The truth of a filter that is applied several times.
#pragma once
#include <span>

#include "problem/problem.h"

namespace check {

/// These outputs of a problem with more than one pass, as convolve_cpu gives them.
reference passes_cpu(const problem_2d& problem, std::span<const size_t> outputs);

}  // namespace check
