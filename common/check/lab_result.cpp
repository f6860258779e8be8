// What came of a lab's checks.
#include "check/lab_result.h"

#include <algorithm>
#include <cctype>
#include <set>
#include <stdexcept>

namespace check {

namespace {

/// The first failure that ended in such a way.
const failure* first_that(const lab_result& what, bool (*ended_so)(call_end)) {
    for (const check_result& check : what.checks) {
        for (const failure& one : check.failures) {
            if (ended_so(one.how)) return &one;
        }
    }
    return nullptr;
}

const failure* trouble_of_judge(const lab_result& what) {
    return first_that(what, [](call_end how) { return how == call_end::judge_failed; });
}

/// The trouble of a program of which no call ever returned, or that used up the time of all; null if neither.
const failure* total_loss(const lab_result& what) {
    const auto is_out_of_time = [](call_end how) { return how == call_end::out_of_time; };
    if (const failure* late = first_that(what, is_out_of_time)) return late;
    return what.returned > 0 ? nullptr : first_that(what, is_lost);
}

size_t count_ran(const lab_result& what) {
    return size_t(std::count_if(what.checks.begin(), what.checks.end(),
                                [](const check_result& check) { return check.ran; }));
}

bool all_ran(const lab_result& what) {
    return count_ran(what) == what.checks.size();
}

}  // namespace

int lab_result::points() const {
    int sum = 0;
    for (const check_result& check : checks)
        sum += check.points();
    return sum;
}

int lab_result::of() const {
    int sum = 0;
    for (const check_result& check : checks)
        sum += check.of;
    return sum;
}

bool lab_result::judge_failed() const {
    return trouble_of_judge(*this) != nullptr;
}

std::string lab_result::state() const {
    if (judge_failed()) return "infrastructure_error";
    if (const failure* loss = total_loss(*this)) {
        const std::string_view word = to_text(loss->how);
        const bool own_word = word == "timed_out" || word == "out_of_memory";
        return std::string(own_word ? word : to_text(call_end::crashed));
    }
    return all_ran(*this) && only.empty() && refused.empty() ? "checked" : "incomplete";
}

std::string lab_result::message() const {
    const failure* judge = trouble_of_judge(*this);
    const failure* cause = judge ? judge : total_loss(*this);
    if (!refused.empty()) return refused;
    if (!cause && all_ran(*this) && only.empty()) return "";
    if (!cause) {
        const std::string limit = only.empty() ? "" : " (" + only + ")";
        return std::to_string(count_ran(*this)) + " of " + std::to_string(checks.size()) +
               " checks were run" + limit;
    }
    return cause->lines.empty() ? std::string(to_text(cause->how)) : cause->lines.front();
}

check_result parse_check(const std::string& title) {
    check_result check;
    const size_t end = title.find("] ");
    const bool bracketed =
        !title.empty() && title[0] == '[' && end != std::string::npos && end > 1 && end < 5;
    const std::string digits = bracketed ? title.substr(1, end - 1) : "";
    if (!bracketed ||
        !std::all_of(digits.begin(), digits.end(), [](unsigned char c) { return std::isdigit(c); })) {
        throw std::invalid_argument("check \"" + title +
                                    "\": a name looks like \"[30] images that do not fill their blocks\"");
    }
    check.of = std::stoi(digits);
    check.name = title.substr(end + 2);
    return check;
}

void require_hundred_points(const std::vector<check_result>& checks) {
    int sum = 0;
    std::set<std::string> names;
    for (const check_result& check : checks) {
        sum += check.of;
        if (!names.insert(check.name).second)
            throw std::invalid_argument("two checks are named \"" + check.name + "\"");
        if (check.name.find(',') != std::string::npos) {
            throw std::invalid_argument("check \"" + check.name + "\": names hold no commas");
        }
    }
    if (sum != 100)
        throw std::invalid_argument("the points of the checks add up to " + std::to_string(sum) +
                                    ", not 100");
}

}  // namespace check
