// The truth of problems that go on after their filter: to the length of a gradient.
#pragma once
#include <span>

#include "problem/problem.h"

namespace check {

/// These outputs of a problem with a gradient, as convolve_cpu gives them.
reference edges_cpu(const problem_2d& problem, std::span<const size_t> outputs);

}  // namespace check
