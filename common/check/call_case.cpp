// Makes the calls of cases, blind ones first where the host is not to know what is asked.
#include "check/call_case.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>
#include <variant>
#include <vector>

#include "check/failure_lines.h"
#include "check/session.h"
#include "problem/compare.h"

namespace check {

namespace {

constexpr double LOST_SECONDS_BORNE = 30;  // of one method: calls that end in no answer, and not soon
constexpr double SLOW_TAPS = 4e5;  // what the inspector follows in a second on a machine with much to do

uint64_t all_requests(const inspect::counts& seen) {
    uint64_t all = seen.constant.requests + seen.texture.requests;
    for (const inspect::memory_traffic& one : {seen.global, seen.shared})
        all += one.loads.requests + one.stores.requests + one.atomics.requests;
    return all;
}

bool has_failed(const std::string& method) {
    return std::ranges::any_of(the_session->result.checks, [&](const check_result& check) {
        return std::ranges::any_of(check.failures, [&](const failure& one) { return one.method == method; });
    });
}

/// The one call of a case, and what it says of later ones.
template <class method_type, class problem_type>
call_result run_once(const method_type& method, worker_process& worker, const call_options& options,
                     std::span<float> out, const problem_type& problem) {
    const auto begin = std::chrono::steady_clock::now();
    call_options allowed = options;
    // More is for those who may be slow and right.
    if (!has_failed(the_session->method)) allowed.busy_seconds += std::floor(all_taps(problem) / SLOW_TAPS);
    call_result result = method.run(worker, allowed, out, problem);
    tell_tile_cells(result.seen, problem);
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
    if (!result.returned()) the_session->memory().lost_seconds[method.name] += taken.count();
    the_session->result.calls += result.how != call_end::not_run;
    the_session->result.returned += result.returned();
    the_session->count_requests(all_requests(result.seen.total()));
    the_session->memory().past[&worker].called(problem, goes_on(result.how));
    the_session->note(result);
    return result;
}

/// The method of the call is not believed in any check, whether it is over or yet to come.
void disbelieve(session& run, const std::string& why) {
    std::string& known = run.memory().told_by_host[run.method];
    if (!std::exchange(known, why).empty()) return;
    for (check_result& check : run.result.checks) {
        const bool is_over = check.passed() && &check != run.current;
        if (!is_over || std::ranges::find(check.methods, run.method) == check.methods.end()) continue;
        check.failures.push_back({run.subject, {why}, call_end::wrong_values});
        check.failures.back().method = run.method;
    }
}

}  // namespace

void refuse_hopeless(const std::string& method) {
    if (the_session->memory().dead) {
        the_session->fail(call_end::not_run, {"not run: the program does not start"});
        stop_check();
    }
    if (the_session->memory().lost_seconds[method] >= LOST_SECONDS_BORNE) {
        the_session->fail(call_end::not_run,
                          {"not run: " + method + " took long in earlier cases and did not return"});
        stop_check();
    }
}

template <class problem_type>
std::optional<blind_problem<problem_type>> blind_twin(const problem_type& problem,
                                                      const worker_process& worker) {
    session& run = running_session();
    if (&worker != &run.inspected() || worker.is_for_gpu() || !run.current) return std::nullopt;
    return make_blind(problem, run.seed + ++run.memory().blind_calls);
}

template <class method_type, class problem_type>
run_record<problem_type> call_case(const method_type& method, const problem_type& asked,
                                   worker_process& worker, call_options options,
                                   const std::optional<blind_problem<problem_type>>& blind) {
    std::vector<float> out(shape_of(asked).values(), NAN);
    options.change_key = blind ? blind->key : 0;
    call_result result = run_once(method, worker, options, out, blind ? blind->of_host : asked);
    const std::string told = blind && result.returned() ? told_by_host(out.size(), result.changes) : "";
    if (!told.empty()) disbelieve(running_session(), told);
    return {method.name,
            &worker,
            asked,
            blind ? blind->of_device : asked,
            std::move(result),
            std::move(out),
            {},
            false,
            {},
            method.block};
}

template <class problem_type>
const reference& truth_of(run_record<problem_type>& run) {
    if (!run.truth) run.truth = convolve_cpu(run.problem);
    return *run.truth;
}

template <class problem_type>
bool is_right(run_record<problem_type>& run) {
    return run.result.returned() && compare(run.out, truth_of(run)).right();
}

template <class method_type, class problem_type>
run_record<problem_type>& run_case(const method_type& method, const problem_type& problem,
                                   worker_process& worker) {
    using record = run_record<problem_type>;
    auto& last_run = the_session->memory().last_run;
    if (record* last = std::get_if<record>(&last_run)) {
        if (last->method == method.name && last->worker == &worker && last->asked == problem) return *last;
    }
    refuse_hopeless(method.name);
    const auto blind = blind_twin(problem, worker);
    bool& was_wrong = the_session->memory().was_wrong[the_session->method];
    std::optional<record> known;
    if (blind && was_wrong) {
        known = call_case(method, problem, worker);
        if (!is_right(*known)) return last_run.template emplace<record>(std::move(*known));
    }
    record made = call_case(method, problem, worker, {}, blind);
    if (blind && made.result.returned() && !is_right(made)) {
        record again = known ? std::move(*known) : call_case(method, problem, worker);
        again.by_host = computed_by_host(*blind, made.out, made.result.changes);
        // What is right then is so by what the first call has left: that one is told.
        const bool by_chance = again.by_host.empty() && is_right(again);
        if (by_chance)
            the_session->memory().past[&worker].forget_last();
        else
            made = std::move(again);
    }
    was_wrong = made.result.returned() && !is_right(made);
    return last_run.template emplace<record>(std::move(made));
}

template std::optional<blind_problem<problem_1d>> blind_twin(const problem_1d&, const worker_process&);
template run_record<problem_1d> call_case(const method_1d&, const problem_1d&, worker_process&, call_options,
                                          const std::optional<blind_problem<problem_1d>>&);
template const reference& truth_of(run_record<problem_1d>&);
template bool is_right(run_record<problem_1d>&);
template run_record<problem_1d>& run_case(const method_1d&, const problem_1d&, worker_process&);

template std::optional<blind_problem<problem_2d>> blind_twin(const problem_2d&, const worker_process&);
template run_record<problem_2d> call_case(const method_2d&, const problem_2d&, worker_process&, call_options,
                                          const std::optional<blind_problem<problem_2d>>&);
template const reference& truth_of(run_record<problem_2d>&);
template bool is_right(run_record<problem_2d>&);
template run_record<problem_2d>& run_case(const method_2d&, const problem_2d&, worker_process&);

}  // namespace check
