// Looks for causes, and tells the earlier cases of a method what a later one shows.
#include "check/find_cause.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "check/call_case.h"
#include "check/probe.h"
#include "check/session.h"

namespace check {

namespace {

constexpr int MOST_PROBES = 3;       // of one method: cases that are asked for their cause alone
constexpr double PROBE_SECONDS = 2;  // a right kernel takes a small part of it

/// A cause that was told of one case, and that this one denies, is told no more.
void take_back_causes(const std::string& method, const past_calls& past) {
    for (check_result& check : the_session->result.checks) {
        for (failure& told : check.failures) {
            const bool of_earlier_case =
                told.subject.starts_with(method + ": ") && told.subject != the_session->subject;
            if (!told.wrong_image || !of_earlier_case || !is_denied(told.cause, past)) continue;
            std::erase(told.lines, likely_line(told.cause));
            told.cause = {};
        }
    }
}

/// True once for a case of a method, and for few of its cases, that would be asked for the cause alone.
bool may_probe(const std::string& method, const std::string& probe) {
    session& all = running_session();
    return all.memory().probed.insert(method + probe).second &&
           all.memory().probes[all.method]++ < MOST_PROBES;
}

call_options options_of_probes() {
    call_options options;
    options.busy_seconds = PROBE_SECONDS;
    return options;
}

/// Where several passes went wrong: what the first one did, for the others spread it.
template <class method_type, class problem_type>
diagnosis cause_in_passes(const method_type& method, const run_record<problem_type>& run,
                          worker_process& worker) {
    const problem_type first = first_pass_of(run.problem);
    if (!may_probe(run.method, describe(first))) return {};
    run_record<problem_type> alone = call_case(method, first, worker, options_of_probes());
    if (!alone.result.returned()) return {};
    if (is_right(alone)) return diagnose_passes(run.result.seen);
    find_cause(method, alone, worker);
    diagnosis cause = *alone.cause;
    if (!cause.id.empty() && cause.shown_by.empty()) cause.shown_by = describe(first);
    return cause;
}

/// What a case that tells mistakes apart says of the cause, if it is wrong as well. It has its own say in all that is
/// diagnosed from then on, as every past case has.
template <class method_type, class problem_type>
diagnosis probed_cause(const method_type& method, const run_record<problem_type>& run,
                       worker_process& worker) {
    if (has_passes(run.problem)) return cause_in_passes(method, run, worker);
    session& all = running_session();
    const auto probe = probe_of(run.problem, run.result.seen, all.seed);
    if (!probe || !may_probe(run.method, describe(*probe))) return {};
    run_record<problem_type> more = call_case(method, *probe, worker, options_of_probes());
    if (const auto wider = wider_probe(*probe, more.result.seen, all.seed))
        more = call_case(method, *wider, worker, options_of_probes());
    if (!more.result.returned() || is_right(more)) return {};
    past_calls& past = all.memory().past[&worker];
    diagnosis cause = diagnose(more.out, more.problem, more.result.seen, more.method, past);
    cause.shown_by = describe(more.problem);
    keep(more);
    return cause;
}

/// What one case shows is told of those before it that fit too many mistakes, in its words.
void tell_earlier_cases(const diagnosis& cause, const std::string& of_case, const inspect::report& seen) {
    diagnosis borrowed = cause;
    if (borrowed.shown_by.empty()) borrowed.shown_by = of_case;
    for (check_result& check : the_session->result.checks) {
        for (failure& told : check.failures) {
            const bool of_method = told.method == the_session->method && told.wrong_image;
            if (!of_method || !told.cause.id.empty() || told.subject == the_session->subject) continue;
            if (!concerns(told.cause, seen)) continue;
            const auto behind = std::ranges::find_if(told.lines, [](const std::string& line) {
                return line.starts_with("inspector: ") || line.starts_with("printed: ");
            });
            told.lines.insert(behind, likely_line(borrowed));
            told.cause = borrowed;
        }
    }
}

}  // namespace

std::string likely_line(const diagnosis& cause) {
    return "likely: " + cause.text +
           (cause.shown_by.empty() ? "" : " (so says another case: " + cause.shown_by + ")");
}

template <class problem_type>
void keep(run_record<problem_type>& run) {
    // What a mistake would have made of one pass tells nothing of several.
    if (std::exchange(run.kept, true) || has_passes(run.problem)) return;
    past_calls& past = the_session->memory().past[run.worker];
    past.add(run.method, run.problem, run.out, run.result.seen);
    take_back_causes(run.method, past);
}

template <class method_type, class problem_type>
void find_cause(const method_type& method, run_record<problem_type>& run, worker_process& worker) {
    if (run.cause) return;
    keep(run);
    past_calls& past = the_session->memory().past[&worker];
    diagnosis& known = the_session->memory().known_cause[the_session->method];
    const auto forget_denied = [&](diagnosis& cause) {
        if (is_denied(cause, past)) cause = {};
    };
    forget_denied(known);
    if (known.from_output && concerns(known, run.result.seen)) {
        run.cause = known;
        return;
    }
    run.cause = diagnose(run.out, run.problem, run.result.seen, run.method, past);
    if (known.id.empty() && !worker.is_for_gpu()) {
        known = probed_cause(method, run, worker);
        forget_denied(*run.cause);
    }
    // The same cause in this case's own words, if it has some.
    const bool is_told = !known.id.empty() && known.id == run.cause->id;
    const bool of_this = concerns(known, run.result.seen);
    if (of_this && ((known.from_output && !is_told) || run.cause->id.empty())) run.cause = known;
    if (known.id.empty() && run.cause->from_output) known = *run.cause;
    if (known.from_output) tell_earlier_cases(known, describe(run.problem), run.result.seen);
}

template void keep(run_record<problem_1d>&);
template void find_cause(const method_1d&, run_record<problem_1d>&, worker_process&);
template void keep(run_record<problem_2d>&);
template void find_cause(const method_2d&, run_record<problem_2d>&, worker_process&);

}  // namespace check
