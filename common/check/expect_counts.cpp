// The expectations of check files about counts, met or missed.
#include <algorithm>
#include <cmath>

#include "check/check.h"
#include "check/expectation_memory.h"
#include "check/failure_lines.h"
#include "check/session.h"
#include "diagnose/diagnose.h"

namespace check {

namespace {

/// A limit on counts is a whole number too.
std::string limit_text(double limit, double right) {
    const bool count = std::floor(right) == right && right >= 100.0;
    return ", passes at " + count_text(count ? std::floor(limit) : limit);
}

bool same(double a, double b) {
    return std::abs(a - b) <= 1e-9 * std::max(std::abs(a), std::abs(b));
}

/// Writes down what was asked for, and if it is missed, `complaint` and the lines behind it. Where an array of
/// the contract was not recognised, others are taken for it; these may be laid out in another way, but
/// accessed more often than is right they may not be.
void report(expected_count asked, const std::string& complaint) {
    session& run = running_session();
    if (run.muted) return;
    const inspect::guessed_array* guess = run.memory().seen.guess_of(asked.what.variable());
    const bool too_many = asked.what.is_plain() && !asked.at_least && asked.now > asked.passes_at &&
                          !same(asked.now, asked.passes_at);
    asked.asked = !guess || too_many;
    asked.met = asked.met || !asked.asked;
    asked.check = run.current ? run.current->name : "";
    asked.subject = run.subject;
    run.expected_counts.push_back(asked);
    if (run.current) run.current->counts.push_back(asked);
    if (asked.met) return;
    std::vector<std::string> lines = {asked.what.words() + ": now " + count_text(asked.now) + complaint};
    append(lines, inspector_lines(run.memory().seen));  // a stray access is counted elsewhere, or nowhere
    append(lines, lines_behind(asked.what, run.memory().seen));
    if (guess) lines.push_back("inspector: " + to_text(*guess));
    const diagnosis cause = diagnose_launch(run.memory().seen, run.memory().past[&run.inspected()]);
    if (!cause.id.empty()) lines.insert(lines.begin() + 1, "likely: " + cause.text);
    run.fail(call_end::missed_counts, std::move(lines)).cause = cause;
}

}  // namespace

void expect_count(const counted_accesses& what, double now, double right, double slack) {
    const bool exact = running_session().exact;
    const double most = exact ? right : std::floor(right * slack + 1e-9);
    const bool met = (now >= right || same(now, right)) && (now <= most || same(now, most));
    report({"", "", what, now, right, most, false, met},
           ", right is " + count_text(right) + (exact ? "" : limit_text(most, right)));
}

void expect_at_most(const counted_accesses& what, double now, double right, double passes_at) {
    const bool exact = running_session().exact;
    // Nothing at all is not little: a kernel that never reads has no sectors per request.
    const bool something = now > 0.0 || right == 0.0;
    const bool few_enough = exact ? same(now, right) : now <= passes_at || same(now, passes_at);
    report({"", "", what, now, right, passes_at, false, something && few_enough},
           ", right is " + count_text(right) + (exact ? "" : limit_text(passes_at, right)));
}

void expect_at_least(const counted_accesses& what, double now, double right) {
    const bool met = now >= right || same(now, right);
    report({"", "", what, now, right, right, true, met}, ", at least " + count_text(right) + " are needed");
}

void expect_few_conflicts(const counted_accesses& what, const inspect::traffic& shared) {
    expect_at_most(what, double(shared.conflicts()), 0, double(shared.requests) / 20);
}

}  // namespace check
