// The expectation that a call of CUDA which fails does not go unnoticed.
#include <cmath>

#include "check/check.h"
#include "check/expectation_memory.h"
#include "check/failure_lines.h"
#include "check/session.h"

namespace check {

namespace {

constexpr uint64_t MOST_CALLS = 40;  // that are tried; solutions make fewer than 20

/// The call of CUDA that failed, null if none did.
const inspect::finding* failed_call(const inspect::report& seen) {
    for (const inspect::finding& found : seen.findings)
        if (found.kind == "refused-call") return &found;
    return nullptr;
}

/// "device 2" where there were several; else nothing.
std::string device_of_failure(const inspect::finding* failed) {
    const std::string text = failed != nullptr ? failed->text : "", on = " on device ";
    const size_t begin = text.find(on), end = text.find(": this time it fails");
    if (begin == std::string::npos || end == std::string::npos) return "";
    return text.substr(begin + on.size() - std::string("device ").size(),
                       end - begin - on.size() + std::string("device ").size());
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
        if (result.how == call_end::threw && result.trouble.find(device) != std::string::npos) continue;
        if (result.how == call_end::threw) {
            run.fail(call_end::found_errors, {"a call of CUDA failed on " + device +
                                              ", and what was thrown does not name it: " + result.trouble});
            return;
        }
        if (is_late(result.how)) {
            run.fail(result.how, {result.trouble});
            return;
        }
        const inspect::finding* failed = failed_call(result.seen);
        if (failed == nullptr && result.returned()) return;  // it makes no more calls
        std::vector<std::string> lines = {"a call of CUDA failed and the function " +
                                          (result.returned()
                                               ? "returned as if nothing had happened"
                                               : "did not throw std::runtime_error: " + result.trouble) +
                                          ": CUDA_CHECK every call"};
        if (failed != nullptr)
            lines.push_back("inspector: " + location(failed->file, failed->line) + failed->text);
        run.fail(call_end::found_errors, std::move(lines));
        return;
    }
}

}  // namespace

void expect_failures_told(const method_1d& method, const problem_1d& problem) {
    let_calls_fail(method, problem);
}

void expect_failures_told(const method_2d& method, const problem_2d& problem) {
    let_calls_fail(method, problem);
}

}  // namespace check
