// Expectations about what a call does on the way to its values, for labs in which these come last.
#include <bit>
#include <cmath>

#include "check/check.h"
#include "check/session.h"

namespace check {

namespace {

call_result called(const method_1d& method, const problem_1d& problem, const call_options& options) {
    std::vector<float> out(shape_of(problem).values(), NAN);
    return method.run(running_session().inspected(), options, out, problem);
}

/// How often this value of an input comes to the device: there it is to be another one.
double arrivals(const method_1d& method, const problem_1d& problem, float value) {
    call_options options;
    options.swap = {std::bit_cast<uint32_t>(value), std::bit_cast<uint32_t>(value + 1)};
    return double(called(method, problem, options).swapped);
}

void look_for_inputs(const method_1d& method, const problem_1d& problem) {
    expect_at_least("copies of in to the device", arrivals(method, problem, problem.in.back()), 1);
    expect_at_least("copies of filter to the device", arrivals(method, problem, problem.taps.back()), 1);
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
