// What came of a lab's checks.
#include "check/lab_result.h"

#include <algorithm>
#include <cctype>
#include <set>
#include <stdexcept>

namespace check {

namespace {

/// The first failure of a check that says something about the student's program as a whole.
const failure* first_with(const lab_result& what, const std::set<std::string>& ways) {
    for (const check_result& check : what.checks) {
        for (const failure& one : check.failures) {
            if (ways.count(one.how)) return &one;
        }
    }
    return nullptr;
}

/// The trouble of a program of which no call ever returned, null if one did.
const failure* total_loss(const lab_result& what) {
    if (what.returned > 0) return nullptr;
    return first_with(what,
                      {"crashed", "exited", "timed_out", "out_of_memory", "broke_protocol", "did_not_start"});
}

bool all_ran(const lab_result& what) {
    return std::all_of(what.checks.begin(), what.checks.end(),
                       [](const check_result& check) { return check.ran; });
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

std::string lab_result::state() const {
    if (first_with(*this, {"judge"})) return "infrastructure_error";
    if (const failure* loss = total_loss(*this)) {
        const bool own_word = loss->how == "timed_out" || loss->how == "out_of_memory";
        return own_word ? loss->how : "crashed";
    }
    return all_ran(*this) ? "checked" : "incomplete";
}

std::string lab_result::message() const {
    const std::string word = state();
    if (word == "checked") return "";
    if (word == "incomplete") return "not all checks were run";
    const failure* cause = word == "infrastructure_error" ? first_with(*this, {"judge"}) : total_loss(*this);
    return cause->lines.empty() ? cause->how : cause->lines.front();
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
