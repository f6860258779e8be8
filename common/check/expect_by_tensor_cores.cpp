// The expectation that values are what tensor cores have made.
#include <cmath>

#include "check/check.h"
#include "check/expectation_memory.h"
#include "check/session.h"
#include "problem/compare.h"

namespace check {

void expect_by_tensor_cores(const method_2d& method, const problem_2d& problem) {
    session& run = running_session();
    if (!begin_case(method, problem)) return;
    call_options options;
    options.double_products = true;
    std::vector<float> out(shape_of(problem).values(), NAN);
    const call_result result = method.run(run.inspected(), options, out, problem);
    if (!result.returned()) {
        run.fail(result.how, {result.trouble});
        return;
    }
    reference twice = convolve_cpu(problem);
    for (std::vector<double>* const each : {&twice.value, &twice.bound})
        for (double& number : *each)
            number *= 2;
    const comparison found = compare(out, twice);
    if (found.right()) return;
    run.fail(call_end::wrong_values,
             {"tensor cores gave twice what they should, and not every value shows it: " +
              first_wrong(out, twice, found, shape_of(problem))});
}

}  // namespace check
