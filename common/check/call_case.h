// The calls that cases take, and what they gave: of one case, one call serves all expectations.
#pragma once
#include <optional>
#include <string>

#include "check/blind_call.h"
#include "check/expectation_memory.h"
#include "check/method.h"

// Every template is there for method_1d with problem_1d, and for method_2d with problem_2d.
namespace check {

/// Ends the check if the method's calls are known to end in the trouble of earlier ones.
void refuse_hopeless(const std::string& method);

/// A call that asks who computes: it has a problem that the host does not know. None outside of a check, on a GPU, and
/// where nothing can be changed.
template <class problem_type>
std::optional<blind_problem<problem_type>> blind_twin(const problem_type& problem,
                                                      const worker_process& worker);

/// One call; if it is a blind one, of the problem that the device has.
template <class method_type, class problem_type>
run_record<problem_type> call_case(const method_type& method, const problem_type& asked,
                                   worker_process& worker, call_options options = {},
                                   const std::optional<blind_problem<problem_type>>& blind = std::nullopt);

/// What the run should have given. A case has expectations of several kinds, and one truth.
template <class problem_type>
const reference& truth_of(run_record<problem_type>& run);

/// True if it returned, and what it should have.
template <class problem_type>
bool is_right(run_record<problem_type>& run);

/// Runs the case in the worker, or returns what it gave a moment ago, and reports everything but wrong values. What is
/// right in a blind call needs no other: no host can know which of its calls count. What is wrong is asked once more,
/// with the values that the case is known by; before that if the method's last case was wrong, for this may be as well.
template <class method_type, class problem_type>
run_record<problem_type>& run_case(const method_type& method, const problem_type& problem,
                                   worker_process& worker);

}  // namespace check
