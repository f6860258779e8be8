// The expectation that a call gives back what it makes on the device.
#include <cmath>

#include "check/check.h"
#include "check/expectation_memory.h"
#include "check/failure_lines.h"
#include "check/session.h"
#include "check/verdict_lines.h"

namespace check {

namespace {

constexpr size_t MOST_LINES = 3;  // of a kind

/// Where memory was asked for that nobody freed ("leak"), or what CUDA refused to do ("refused-call").
std::vector<std::string> lines_about(const std::string& kind, const inspect::report& seen) {
    std::vector<std::string> lines;
    for (const inspect::finding& found : seen.findings) {
        if (found.kind == kind && lines.size() < MOST_LINES)
            lines.push_back("inspector: " + location(found.file, found.line) + found.text);
    }
    return lines;
}

void report_left(const call_result& result) {
    const std::string left = to_text(result.left);
    if (left.empty()) return;
    std::vector<std::string> lines = {"never given back: " + left};
    append(lines, lines_about("leak", result.seen));
    running_session().fail(call_end::missed_counts, std::move(lines));
}

template <class method_type, class problem_type>
void give_back(const method_type& method, const problem_type& problem) {
    session& run = running_session();
    if (!begin_case(method, problem)) return;
    inspect_right(method, problem);
    std::vector<float> out(shape_of(problem).values(), NAN);
    method.run(run.inspected(), {}, out, problem);
    const call_result again = method.run(run.inspected(), {}, out, problem);
    if (!again.returned()) {
        run.fail(again.how, {again.trouble});
        return;
    }
    if (std::vector<std::string> refused = lines_about("refused-call", again.seen); !refused.empty()) {
        refused.insert(refused.begin(), "CUDA refused what the function asked for:");
        run.fail(call_end::found_errors, std::move(refused));
    }
    report_left(again);
    // What was asked for a moment ago is computed again: an answer that was kept is worth nothing.
    if (const std::string kept = not_from_kernels(again.seen, shape_of(problem)); !kept.empty())
        run.fail(call_end::wrong_values, {"the same call once more: " + kept});
}

}  // namespace

void expect_freed(const method_1d& method, const problem_1d& problem) {
    if (const auto call = before_right(method, problem)) {
        expect_copied_in(method, problem);
        expect_at_least("kernels launched", double(call->seen.launches.size()), 1);
    }
    session& run = running_session();
    if (!begin_case(method, problem)) return;
    std::vector<float> out(shape_of(problem).values(), NAN);
    report_left(method.run(run.inspected(), {}, out,
                           problem));  // what the first call keeps for all others is no leak
}

void expect_given_back(const method_1d& method, const problem_1d& problem) {
    give_back(method, problem);
}

void expect_given_back(const method_2d& method, const problem_2d& problem) {
    give_back(method, problem);
}

}  // namespace check
