// Another case for a method that gave wrong values: what many mistakes give alike in the case that was asked, few give
// in this one.
#pragma once
#include <cstdint>
#include <optional>

#include "inspect/report/report.h"
#include "problem/problem.h"

namespace check {

/// Noise over three tiles of the launch in each direction, the last of them in part, under random taps: 9 x 9, 9 x 3 or
/// 3 x 9 for what was square, wide or high, as methods may take square ones alone, and as many as were asked for if
/// those are more. What comes after the filter stays. None where nothing was launched, of a volume, and where it would take long.
std::optional<problem_1d> probe_of(const problem_1d& asked, const inspect::report& seen, uint64_t seed);
std::optional<problem_2d> probe_of(const problem_2d& asked, const inspect::report& seen, uint64_t seed);

/// The same with more columns and rows, where the probe turned out to take fewer blocks than that.
std::optional<problem_1d> wider_probe(const problem_1d& probe, const inspect::report& seen, uint64_t seed);
std::optional<problem_2d> wider_probe(const problem_2d& probe, const inspect::report& seen, uint64_t seed);

/// True if a pass convolves what the one before it gave.
bool has_passes(const problem_1d& problem);
bool has_passes(const problem_2d& problem);

/// The first pass alone.
problem_1d first_pass_of(const problem_1d& asked);
problem_2d first_pass_of(const problem_2d& asked);

}  // namespace check
