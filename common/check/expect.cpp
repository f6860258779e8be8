// The expectations of check files: run, compare, explain, and report to the check that runs.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <optional>
#include <random>
#include <set>
#include <stdexcept>
#include <utility>

#include "check/blind_call.h"
#include "check/check.h"
#include "check/expectation_memory.h"
#include "check/failure_lines.h"
#include "check/probe.h"
#include "check/session.h"
#include "check/verdict_lines.h"
#include "diagnose/diagnose.h"
#include "diagnose/wrong_region.h"
#include "problem/compare.h"
#include "problem/describe.h"
#include "problem/sample.h"

namespace check {

namespace {

const std::string LIKELY = "likely: ";
constexpr double LOST_SECONDS_BORNE = 30;  // of one method: calls that end in no answer, and not soon
constexpr double QUICK_TAPS = 2e6;         // of all outputs: what the inspector follows in a moment
constexpr double SLOW_TAPS = 4e5;       // what the inspector follows in a second on a machine with much to do
constexpr uint64_t ONE_OF_BLOCKS = 61;  // of a large grid: no power of two, which a kernel may step by
constexpr size_t PARTS = 16;            // of a large output: something of each must have been computed
constexpr int MOST_PROBES = 3;          // of one method: cases that are asked for their cause alone
constexpr double PROBE_SECONDS = 2;     // a right kernel takes a small part of it

/// Refuses calls that are known to end in the trouble of earlier ones.
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

void report_trouble(const call_result& result) {
    std::vector<std::string> lines = {trouble_line(result)};
    append(lines, inspector_lines(result.seen));
    append(lines, printed_lines(result.printed));
    failure& reported = the_session->fail(result.how, std::move(lines));
    if (result.seen.clean()) reported.place = result.place;
    if (never_begins(result.how)) the_session->memory().dead = true;
    if (never_begins(result.how) || is_late(result.how)) stop_check();
}

/// The first wrong value in words. That it was never written is a guess, which the inspector may know better.
std::string first_wrong_as_seen(const std::vector<float>& out, const reference& truth,
                                const comparison& found, const shape& where, const inspect::report& seen) {
    const std::string guess = " (never written?)";
    std::string text = first_wrong(out, truth, found, where);
    if (seen.of("out").stores.lanes >= out.size() && text.ends_with(guess))
        text.resize(text.size() - guess.size());
    return text;
}

std::string likely_line(const diagnosis& cause) {
    return LIKELY + cause.text +
           (cause.shown_by.empty() ? "" : " (so says another case: " + cause.shown_by + ")");
}

template <class problem_type>
void report_values(run_record<problem_type>& run, const reference& truth, const comparison& found) {
    const shape where = shape_of(run.problem);
    std::vector<std::string> lines = {first_wrong_as_seen(run.out, truth, found, where, run.result.seen),
                                      wrong_region(found, where)};
    const diagnosis& cause = *run.cause;
    if (!cause.id.empty()) lines.push_back(likely_line(cause));
    append(lines, inspector_lines(run.result.seen));
    append(lines, printed_lines(run.result.printed));
    failure& reported = the_session->fail(call_end::wrong_values, std::move(lines));
    reported.wrong_image = true;
    reported.cause = cause;
    reported.picture = picture_of(run.out, found, where);
}

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

/// A call that asks who computes: it has a problem that the host does not know. None outside of a check, on a GPU, and
/// where nothing can be changed.
template <class problem_type>
std::optional<blind_problem<problem_type>> blind_twin(const problem_type& problem,
                                                      const worker_process& worker) {
    session& run = running_session();
    if (&worker != &run.inspected() || worker.is_for_gpu() || !run.current) return std::nullopt;
    return make_blind(problem, run.seed + ++run.memory().blind_calls);
}

/// One call; if it is a blind one, of the problem that the device has.
template <class method_type, class problem_type>
run_record<problem_type> call_case(const method_type& method, const problem_type& asked,
                                   worker_process& worker, call_options options = {},
                                   const std::optional<blind_problem<problem_type>>& blind = std::nullopt) {
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

/// What the run should have given. A case has expectations of several kinds, and one truth.
template <class problem_type>
const reference& truth_of(run_record<problem_type>& run) {
    if (!run.truth) run.truth = convolve_cpu(run.problem);
    return *run.truth;
}

template <class problem_type>
bool is_right(run_record<problem_type>& run) {
    return run.result.returned() && compare(run.out, truth_of(run)).right();
}

/// Runs the case in the worker, or returns what it gave a moment ago, and reports everything but wrong values. What is
/// right in a blind call needs no other: no host can know which of its calls count. What is wrong is asked once more,
/// with the values that the case is known by; before that if the method's last case was wrong, for this may be as well.
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

bool may_round_otherwise(const problem_1d&) {
    return false;
}
bool may_round_otherwise(const problem_2d& problem) {
    return problem.left_out > 0 || problem.fp16_parts > 0 || problem.transform_tile;
}

/// Without fused multiply-adds every method gives the value of the serial float loop, whatever memory it
/// reads from (Beukman section 4, Camerino table 5.4). Only the reference solutions promise the order of
/// additions that this needs, and nobody does where the factors of a filter are to be found, fp16 or transforms are used.
template <class problem_type>
void expect_serial_values(const problem_type& problem, const std::vector<float>& out,
                          worker_process& worker) {
    if (!the_session->serial_values || may_round_otherwise(problem) ||
        (worker.is_for_gpu() && !the_session->no_fmad))
        return;
    const std::vector<float> serial = serial_values(problem);
    const auto [mine, theirs] = std::mismatch(out.begin(), out.end(), serial.begin());
    if (mine == out.end()) return;
    const std::string where = place(size_t(mine - out.begin()), shape_of(problem));
    the_session->fail(call_end::wrong_values, {where + ": expected exactly the serial loop's " +
                                               number(*theirs, 9) + ", got " + number(*mine, 9)});
}

/// Right values are worth nothing if no kernel stored them, many threads at a time.
template <class problem_type>
void expect_of_kernels(const run_record<problem_type>& run) {
    const shape where = shape_of(run.problem);
    const inspect::report& seen = run.result.seen;
    for (const std::string& why :
         {not_from_kernels(seen, where), run.by_host, the_session->memory().told_by_host[the_session->method],
          one_by_one(seen, where, run.block)})
        if (!why.empty()) the_session->fail(call_end::wrong_values, {why});
}

/// Nor is anything if a kernel stored beside its memory: elsewhere that would have hit another's.
void expect_no_strays(const inspect::report& seen, const shape& where, bool aside = false) {
    std::vector<std::string> lines = stray_store_lines(seen);
    if (lines.empty()) return;
    const diagnosis cause = diagnose_stray_stores(where, seen);
    if (!cause.id.empty()) lines.insert(lines.begin(), LIKELY + cause.text);
    failure& reported = the_session->fail(call_end::found_errors, std::move(lines));
    reported.cause = cause;
    reported.aside = aside;
}

/// Later cases rule out what would have spoiled this one in another way, and take it back where it was told.
template <class problem_type>
void keep(run_record<problem_type>& run) {
    if (std::exchange(run.kept, true)) return;
    if (first_pass_of(run.problem))
        return;  // what a mistake would have made of one pass tells nothing of several
    past_calls& past = the_session->memory().past[run.worker];
    past.add(run.method, run.problem, run.out, run.result.seen);
    take_back_causes(run.method, past);
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

/// What a case that tells mistakes apart says of the cause, if it is wrong as well. It has its own say in all that is
/// diagnosed from then on, as every past case has.
template <class method_type, class problem_type>
diagnosis probed_cause(const method_type& method, const run_record<problem_type>& run,
                       worker_process& worker) {
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

template <class method_type, class problem_type>
void find_cause(const method_type& method, run_record<problem_type>& run, worker_process& worker);

/// Where several passes went wrong: what the first one did, for the others spread it.
template <class method_type, class problem_type>
diagnosis cause_in_passes(const method_type& method, const run_record<problem_type>& run,
                          worker_process& worker) {
    const auto first = first_pass_of(run.problem);
    if (!first || !may_probe(run.method, describe(*first))) return {};
    run_record<problem_type> alone = call_case(method, *first, worker, options_of_probes());
    if (!alone.result.returned()) return {};
    if (is_right(alone)) return diagnose_passes(run.result.seen);
    find_cause(method, alone, worker);
    diagnosis cause = *alone.cause;
    if (cause.shown_by.empty()) cause.shown_by = describe(*first);
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

/// The cause of wrong values: the one that explains this case and the probe. Where this case fits several, the probe
/// tells; and what was told of a method once is told of all its variants, unless one of them denies it.
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
    if (run.cause->id.empty() && !worker.is_for_gpu()) {
        run.cause = cause_in_passes(method, run, worker);
        if (!run.cause->shown_by.empty()) known = *run.cause;
    }
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

/// Runs and compares; reports what is wrong.
template <class method_type, class problem_type>
const call_result& run_and_compare(const method_type& method, const problem_type& problem,
                                   worker_process& worker) {
    run_record<problem_type>& run = run_case(method, problem, worker);
    the_session->memory().seen = run.result.seen;
    if (!run.result.returned()) {
        report_trouble(run.result);
        return run.result;
    }
    const reference& truth = truth_of(run);
    const comparison found = compare(run.out, truth);
    if (!found.right()) {
        find_cause(method, run, worker);
        report_values(run, truth, found);
    }
    keep(run);
    if (found.right()) {
        expect_serial_values(run.problem, run.out, worker);
        expect_of_kernels(run);
        expect_no_strays(run.result.seen, shape_of(problem));
    }
    return run.result;
}

template <class method_type, class problem_type>
inspect::report run_inspected(const method_type& method, const problem_type& problem) {
    if (!begin_case(method, problem)) return {};
    worker_process& inspector = running_session().inspected();
    const call_result& result = run_and_compare(method, problem, inspector);
    if (!result.returned() || result.seen.launches.empty()) stop_check();  // counts of half a run say nothing
    if (!result.seen.clean()) the_session->fail(call_end::found_errors, inspector_lines(result.seen));
    return result.seen;
}

template <class method_type, class problem_type>
std::optional<call_result> run_before_right(const method_type& method, const problem_type& problem) {
    session& run = running_session();
    if (!begin_case(method, problem)) return std::nullopt;
    run_record<problem_type>& record = run_case(method, problem, run.inspected());
    const inspect::report& seen = record.result.seen;
    run.memory().seen = seen;
    if (!record.result.returned()) {
        report_trouble(record.result);
        stop_check();
    }
    const bool right = is_right(record);
    if (right) expect_of_kernels(record);
    expect_no_strays(seen, shape_of(problem), true);
    return right ? std::nullopt : std::optional(record.result);
}

/// True if one of the last columns has a value that is a number.
bool is_at_the_right(const std::vector<float>& out, const shape& where) {
    const size_t row = size_t(where.width) * size_t(where.channels);
    for (size_t k = 0; k < out.size(); k++)
        if (k % row >= row - row / PARTS && !std::isnan(out[k])) return true;
    return row < PARTS;
}

/// True if every part of the output has a value that is a number.
bool is_everywhere(const std::vector<float>& out) {
    for (size_t part = 0; part < PARTS; part++) {
        const auto begin = out.begin() + ptrdiff_t(out.size() * part / PARTS);
        const auto end = out.begin() + ptrdiff_t(out.size() * (part + 1) / PARTS);
        if (std::all_of(begin, end, [](float value) { return std::isnan(value); })) return false;
    }
    return true;
}

/// Whether a few blocks of the grid, from all over the image, give what they should and nothing beside it.
template <class method_type, class problem_type>
bool is_right_in_sample(const method_type& method, const problem_type& problem, worker_process& inspector) {
    refuse_hopeless(method.name);
    call_options options;
    options.one_of_blocks = ONE_OF_BLOCKS;
    const auto blind = blind_twin(problem, inspector);
    const run_record<problem_type> run = call_case(method, problem, inspector, options, blind);
    running_session().memory().seen = run.result.seen;
    const bool several = run.result.seen.launches.size() > 1;
    return run.result.returned() && is_everywhere(run.out) && is_at_the_right(run.out, shape_of(problem)) &&
           wrong_in_sample(run.out, run.problem, several).empty() &&
           stray_store_lines(run.result.seen).empty();
}

/// A block has one multiprocessor, however many there are: what is large needs several, of one launch or of many.
void expect_several_blocks(const inspect::report& seen) {
    double blocks = 0;
    for (const inspect::launch& one : seen.launches)
        blocks += double(one.blocks());
    if (seen.inspected && blocks > 0) expect_at_least("blocks", blocks, 2);
}

/// Of a row of any length one block may be all: that of a kernel launched once for every band of rows.
bool has_many_rows(const problem_1d&) {
    return true;
}

bool has_many_rows(const problem_2d& problem) {
    return problem.in.slice_height() > problem.in.width;
}

/// A kernel whose blocks need what those of an earlier one gave shows little in a sample: then all of them run.
template <class method_type, class problem_type>
void run_large(const method_type& method, const problem_type& problem) {
    session& run = running_session();
    if (!begin_case(method, problem, true)) return;
    const bool sampled = !run.checking().is_for_gpu();
    if (!sampled || !is_right_in_sample(method, problem, run.inspected()))
        run_and_compare(method, problem, run.checking());
    if (has_many_rows(problem)) expect_several_blocks(run.memory().seen);
}

/// A GPU does not tell who stored what. Where it is quickly done the inspector looks on as well.
template <class method_type, class problem_type>
call_result run_watched(const method_type& method, const problem_type& problem) {
    session& run = running_session();
    if (!begin_case(method, problem)) return {};
    const call_result result = run_and_compare(method, problem, run.checking());
    const bool watched = &run.checking() == &run.inspected();
    if (!watched && result.returned() && all_taps(problem) <= QUICK_TAPS)
        run_and_compare(method, problem, run.inspected());
    return result;
}

}  // namespace

void stop_check() {
    DOCTEST_ADD_FAIL_AT(__FILE__, __LINE__, "");
    throw std::logic_error("not reached");
}

call_result expect_right(const method_1d& method, const problem_1d& problem) {
    return run_watched(method, problem);
}

call_result expect_right(const method_2d& method, const problem_2d& problem) {
    return run_watched(method, problem);
}

void expect_large_right(const method_1d& method, const problem_1d& problem) {
    run_large(method, problem);
}

void expect_large_right(const method_2d& method, const problem_2d& problem) {
    run_large(method, problem);
}

inspect::report inspect_right(const method_1d& method, const problem_1d& problem) {
    return run_inspected(method, problem);
}

inspect::report inspect_right(const method_2d& method, const problem_2d& problem) {
    return run_inspected(method, problem);
}

std::optional<call_result> before_right(const method_1d& method, const problem_1d& problem) {
    return run_before_right(method, problem);
}

std::optional<call_result> before_right(const method_2d& method, const problem_2d& problem) {
    return run_before_right(method, problem);
}

void expect_right_and_clean(const method_1d& method, const problem_1d& problem) {
    expect_right(method, problem);
    inspect_right(method, problem);
}

void expect_right_and_clean(const method_2d& method, const problem_2d& problem) {
    expect_right(method, problem);
    inspect_right(method, problem);
}

// Sizes go into the seeds: otherwise a short filter would be
// the beginning of a long one, and a stale one look right.
problem_1d random_problem_1d(int n, int radius, int variant) {
    const uint64_t taps_seed = seed() + 1'000'000 * uint64_t(variant) + uint64_t(radius);
    return {random_values(size_t(n), seed() + uint64_t(n)), random_values(2 * size_t(radius) + 1, taps_seed)};
}

problem_2d random_problem_2d(int width, int height, int radius, int channels, int variant) {
    const int taps = 2 * radius + 1;
    const uint64_t taps_seed = seed() + 1'000'000 * uint64_t(variant) + uint64_t(radius);
    return {noise_image(width, height, channels, seed() + uint64_t(width) + 1000 * uint64_t(height)),
            random_filter(taps, taps, taps_seed)};
}

int drawn_odd(int least, int most, int variant) {
    const uint64_t odd_ones = uint64_t(most - least) / 2 + 1;
    return least + 2 * int(std::mt19937_64(seed() + 1'000'000 * uint64_t(variant))() % odd_ones);
}

std::vector<int> lengths_around(int length, int radius) {
    const std::set<int> each = {length - 1,          length,          length + 1,
                                length + radius - 1, length + radius, length + radius + 1};
    return {each.begin(), each.end()};
}

uint64_t seed() {
    return the_session ? the_session->seed : 42;
}

}  // namespace check
