// Expectations about what a call does on the way to its values, for labs in which these come last.
#include <cmath>

#include "check/check.h"
#include "check/session.h"
#include "diagnose/diagnose.h"

namespace check {

namespace {

call_result called(const method_1d& method, const problem_1d& problem, const call_options& options) {
    std::vector<float> out(shape_of(problem).values(), NAN);
    return method.run(running_session().inspected(), options, out, problem);
}

/// How many values of an input come to the device: there they are to be others.
double arrivals(const method_1d& method, const problem_1d& problem, uint64_t input) {
    call_options options;
    options.change_key = 1;
    options.changed_input = input;
    return double(called(method, problem, options).changes.words);
}

/// Of a problem of random values, none of which is 0 or there twice.
void look_for_inputs(const method_1d& method, const problem_1d& problem) {
    expect_at_least("values of in copied to the device", arrivals(method, problem, 0), double(problem.n()));
    expect_at_least("values of filter copied to the device", arrivals(method, problem, 1),
                    double(problem.taps.size()));
}

}  // namespace

void expect_copied_in(const method_1d& method, const problem_1d& problem) {
    if (before_right(method, problem)) look_for_inputs(method, problem);
}

void expect_enough_threads(const method_1d& method, const problem_1d& problem) {
    const auto call = before_right(method, problem);
    if (!call) return;
    look_for_inputs(method, problem);
    const inspect::launch launch = main_launch(call->seen);
    const double a_block = double(launch.block[0]) * launch.block[1] * launch.block[2];
    const double threads = call->seen.launches.empty() ? 0.0 : double(launch.blocks()) * a_block;
    expect_at_least("threads launched", threads, double(problem.n()));
    if (threads > 0) expect_blocks(call->seen, blocks_needed(launch, int(problem.n())));
    // Few threads, as many as blocks were meant.
    const diagnosis exchanged = exchanged_launch(launch);
    if (!exchanged.id.empty() && a_block == std::ceil(double(problem.n()) / double(launch.blocks())))
        running_session().fail(call_end::missed_counts, {"likely: " + exchanged.text});
}

void expect_copied_out(const method_1d& method, const problem_1d& problem) {
    const auto call = before_right(method, problem);
    if (!call) return;
    look_for_inputs(method, problem);
    expect_at_least("kernels launched", double(call->seen.launches.size()), 1);
    const inspect::value_origin& from = call->seen.origin;
    expect_at_least("values of out copied from the device", double(from.values - from.of_host),
                    double(problem.n()));
}

}  // namespace check
