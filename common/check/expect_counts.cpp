// The expectations of check files about counts, met or missed.
#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "check/check.h"
#include "check/failure_lines.h"
#include "check/session.h"

namespace check {

namespace {

/// A limit on counts is a whole number too.
std::string limit_text(double limit, double right) {
    const bool count = std::floor(right) == right && right >= 100.0;
    return ", passes at " + count_text(count ? std::floor(limit) : limit);
}

void note_count(const std::string& what, double now, double right, double passes_at, bool at_least,
                bool met) {
    const std::string check = the_session->current ? the_session->current->name : "";
    the_session->expected_counts.push_back(
        {check, the_session->subject, what, now, right, passes_at, at_least, met});
}

void fail_count(const std::string& what, const std::string& numbers) {
    std::vector<std::string> lines = {what + ": " + numbers};
    append(lines, lines_behind(what, the_session->seen));
    if (!the_session->current) throw std::logic_error("an expectation outside of a check");
    the_session->current->failures.push_back({the_session->subject, std::move(lines), "count"});
}

bool same(double a, double b) {
    return std::abs(a - b) <= 1e-9 * std::max(std::abs(a), std::abs(b));
}

void require_session() {
    if (!the_session)
        throw std::logic_error("expectations need a session: run them through a judge's main()");
}

}  // namespace

void expect_count(const std::string& what, double now, double right, double slack) {
    require_session();
    const bool exact = the_session->exact;
    const double most = exact ? right : std::floor(right * slack + 1e-9);
    const bool met = (now >= right || same(now, right)) && (now <= most || same(now, most));
    note_count(what, now, right, most, false, met);
    if (met) return;
    const std::string passes = exact ? "" : limit_text(most, right);
    fail_count(what, "now " + count_text(now) + ", right is " + count_text(right) + passes);
}

void expect_at_most(const std::string& what, double now, double right, double passes_at) {
    require_session();
    // Nothing at all is not little: a kernel that never reads has no sectors per request.
    const bool something = now > 0.0 || right == 0.0;
    const bool few_enough = the_session->exact ? same(now, right) : now <= passes_at || same(now, passes_at);
    note_count(what, now, right, passes_at, false, something && few_enough);
    if (something && few_enough) return;
    const std::string passes = the_session->exact ? "" : limit_text(passes_at, right);
    fail_count(what, "now " + count_text(now) + ", right is " + count_text(right) + passes);
}

void expect_at_least(const std::string& what, double now, double right) {
    require_session();
    const bool met = now >= right || same(now, right);
    note_count(what, now, right, right, true, met);
    if (met) return;
    fail_count(what, "now " + count_text(now) + ", at least " + count_text(right) + " are needed");
}

}  // namespace check
