// The expectation that a call of CUDA which fails does not go unnoticed.
#include <cmath>

#include "check/check.h"
#include "check/expectation_memory.h"
#include "check/failure_lines.h"
#include "check/session.h"

namespace check {

namespace {

constexpr uint64_t MOST_CALLS = 40;   // that are tried; solutions make fewer than 20 a device
constexpr uint64_t MOST_LOSSES = 60;  // the same where there are several devices

/// The call of CUDA that failed, null if none did.
const inspect::finding* failed_call(const inspect::report& seen) {
    for (const inspect::finding& found : seen.findings)
        if (found.kind == "refused-call") return &found;
    return nullptr;
}

/// "device 2" where there were several; else nothing.
std::string device_of_failure(const inspect::finding* failed) {
    const std::string text = failed != nullptr ? failed->text : "", on = " on device ";
    const size_t begin = text.find(on), end = text.find(": ", begin);
    if (begin == std::string::npos || end == std::string::npos) return "";
    return text.substr(begin + on.size() - std::string("device ").size(),
                       end - begin - on.size() + std::string("device ").size());
}

/// Of a function that does not say what happened.
std::vector<std::string> not_told(const std::string& what_happened, const call_result& result) {
    return {what_happened + " and the function " +
            (result.returned() ? "returned as if nothing had happened"
                               : "did not throw std::runtime_error: " + result.trouble) +
            ": CUDA_CHECK every call"};
}

/// Of one that does, but not on which device.
std::vector<std::string> not_named(const std::string& what_happened, const call_result& result) {
    return {what_happened + ", and what was thrown does not name it: " + result.trouble};
}

/// True if what was thrown does.
bool names(const call_result& result, const std::string& device) {
    return result.how == call_end::threw && result.trouble.find(device) != std::string::npos;
}

template <class method_type, class problem_type>
void let_calls_fail(const method_type& method, const problem_type& problem) {
    session& run = running_session();
    if (!begin_case(method, problem)) return;
    call_options options;
    for (options.failing_call = 1; options.failing_call <= MOST_CALLS; options.failing_call++) {
        std::vector<float> out(shape_of(problem).values(), NAN);
        const call_result result = method.run(run.inspected(), options, out, problem);
        const std::string device = device_of_failure(failed_call(result.seen));
        if (names(result, device)) continue;
        if (result.how == call_end::threw) {
            run.fail(call_end::found_errors, not_named("a call of CUDA failed on " + device, result));
            return;
        }
        if (is_late(result.how)) {
            run.fail(result.how, {result.trouble});
            return;
        }
        const inspect::finding* failed = failed_call(result.seen);
        if (failed == nullptr && result.returned()) return;  // it makes no more calls
        std::vector<std::string> lines = not_told("a call of CUDA failed", result);
        if (failed != nullptr)
            lines.push_back("inspector: " + location(failed->file, failed->line) + failed->text);
        run.fail(call_end::found_errors, std::move(lines));
        return;
    }
}

}  // namespace

void expect_lost_device_told(const method_2d& method, const problem_2d& problem) {
    session& run = running_session();
    if (!begin_case(method, problem)) return;
    const reference truth = convolve_cpu(problem);
    call_options options;
    options.loses_device = true;
    for (options.failing_call = 1; options.failing_call <= MOST_LOSSES; options.failing_call++) {
        std::vector<float> out(shape_of(problem).values(), NAN);
        const call_result result = method.run(run.inspected(), options, out, problem);
        const inspect::finding* lost = failed_call(result.seen);
        const std::string device = device_of_failure(lost);
        if (is_late(result.how)) {
            run.fail(result.how, {result.trouble});
            return;
        }
        if (result.returned() && lost == nullptr) return;  // it makes no more calls
        if (names(result, device) || (result.returned() && compare(out, truth).right())) continue;
        run.fail(call_end::found_errors, result.how == call_end::threw
                                             ? not_named(device + " was lost", result)
                                             : not_told(device + " was lost", result));
        return;
    }
}

void expect_failures_told(const method_1d& method, const problem_1d& problem) {
    let_calls_fail(method, problem);
}

void expect_failures_told(const method_2d& method, const problem_2d& problem) {
    let_calls_fail(method, problem);
}

}  // namespace check
