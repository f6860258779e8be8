// Large problems under the inspector: which part of the grid runs, and whether what it computed is right.
#pragma once
#include <cstdint>
#include <span>
#include <string>

#include "problem/problem.h"

namespace check {

/// For call_options::one_of_blocks: 1 up to 10^8 taps, which take an inspected kernel one or two seconds on
/// two cores, else so many that about 10^8 taps are left.
uint64_t one_of_blocks(const problem_1d& problem);
uint64_t one_of_blocks(const problem_2d& problem);

/// "" if up to 2000 of the outputs that were computed, evenly spread, are right; else the first that is not,
/// or that none was computed. Outputs of blocks that did not run are NaN. `inside`: without those that have such ones
/// within reach of the filters, which several launches may have made of what these blocks should have left.
std::string wrong_in_sample(std::span<const float> out, const problem_1d& problem, bool inside = false);
std::string wrong_in_sample(std::span<const float> out, const problem_2d& problem, bool inside = false);

}  // namespace check
