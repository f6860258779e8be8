// The expectations of check files: run, compare, explain, and report to the check that runs.
#include <algorithm>
#include <cmath>
#include <optional>
#include <random>
#include <set>
#include <stdexcept>
#include <utility>

#include "check/call_case.h"
#include "check/check.h"
#include "check/expectation_memory.h"
#include "check/failure_lines.h"
#include "check/find_cause.h"
#include "check/session.h"
#include "check/verdict_lines.h"
#include "diagnose/diagnose.h"
#include "diagnose/wrong_region.h"
#include "problem/compare.h"
#include "problem/describe.h"
#include "problem/sample.h"

namespace check {

namespace {

constexpr double QUICK_TAPS = 2e6;      // of all outputs: what the inspector follows in a moment
constexpr uint64_t ONE_OF_BLOCKS = 61;  // of a large grid: no power of two, which a kernel may step by
constexpr size_t PARTS = 16;            // of a large output: something of each must have been computed

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
    if (!cause.id.empty()) lines.insert(lines.begin(), likely_line(cause));
    failure& reported = the_session->fail(call_end::found_errors, std::move(lines));
    reported.cause = cause;
    reported.aside = aside;
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
