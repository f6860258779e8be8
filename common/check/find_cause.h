// Why values are wrong, as far as they, the inspector and other cases of the method tell.
#pragma once
#include <string>

#include "check/expectation_memory.h"
#include "check/method.h"

// Every template is there for method_1d with problem_1d, and for method_2d with problem_2d.
namespace check {

/// The line that tells a cause.
std::string likely_line(const diagnosis& cause);

/// Later cases rule out what would have spoiled this one in another way, and take it back where it was told.
template <class problem_type>
void keep(run_record<problem_type>& run);

/// The cause of wrong values: the one that explains this case and the probe. Where this case fits several, the probe
/// tells; and what was told of a method once is told of all its variants, unless one of them denies it.
template <class method_type, class problem_type>
void find_cause(const method_type& method, run_record<problem_type>& run, worker_process& worker);

}  // namespace check
