// What checks include. A check file defines methods and TEST_CASEs named "[points] sentence"; main() comes
// from the library.
#pragma once
#include <doctest/doctest.h>

#include "check/expected_count.h"
#include "check/method.h"
#include "problem/problem.h"

namespace check {

/// Runs the method on the active backend and fails the check, naming the case and the first wrong pixel,
/// unless every value lies within its bound of the reference. Returns what came of the call.
call_result expect_right(const method_1d& method, const problem_1d& problem);
call_result expect_right(const method_2d& method, const problem_2d& problem);

/// The same on the CPU backend with the inspector, whatever the active backend: also fails on every error the
/// inspector found (races, stray accesses, uninitialised reads, broken barriers), and ends the check if the
/// call did not return.
inspect::report inspect_right(const method_1d& method, const problem_1d& problem);
inspect::report inspect_right(const method_2d& method, const problem_2d& problem);

/// Calls the method with something that its contract refuses. Fails unless the function throws and its
/// message names every one of the numbers: the value that does not fit and the limit.
void expect_refused(const method_1d& method, const problem_1d& problem, const std::vector<long>& named);
void expect_refused(const method_2d& method, const problem_2d& problem, const std::vector<long>& named);

/// expect_right and inspect_right: for its values on the active backend, and for every race and stray access.
void expect_right_and_clean(const method_1d& method, const problem_1d& problem);
void expect_right_and_clean(const method_2d& method, const problem_2d& problem);

/// Noise under a filter that has no symmetry for a mistake to hide behind, both from the run's seed; another
/// `variant`, other taps.
problem_1d random_problem_1d(int n, int radius, int variant = 1);
problem_2d random_problem_2d(int width, int height, int radius, int channels = 1, int variant = 1);

/// Fails unless right <= now <= right * slack (the reference solution's own run, --exact, must meet now ==
/// right). Fails too when now is below right: a kernel that does not read its data proves nothing. The
/// message reads: "global loads of in: now 4000, right is 3994, passes at 4193".
void expect_count(const counted_accesses& what, double now, double right, double slack = 1.05);
/// For a ratio, sectors per request say: no lower bound but zero (0 itself fails, unless 0 is right),
/// equality only under --exact.
void expect_at_most(const counted_accesses& what, double now, double right, double passes_at);
/// Fails unless now >= right.
void expect_at_least(const counted_accesses& what, double now, double right);

/// The seed of this run: fixed for students, another one when grading.
uint64_t seed();

}  // namespace check
