// The expectation that a call is refused: the function throws, and its message names the value and the limit.
#include <cctype>
#include <cmath>

#include "check/check.h"
#include "check/expectation_memory.h"
#include "check/session.h"
#include "problem/describe.h"

namespace check {

namespace {

bool is_digit(char c) {
    return std::isdigit(static_cast<unsigned char>(c)) != 0;
}

/// True if the digits of `number` stand in the text and are not part of a longer number.
bool names_number(const std::string& text, long number) {
    const std::string digits = std::to_string(number);
    for (size_t at = text.find(digits); at != std::string::npos; at = text.find(digits, at + 1)) {
        const size_t end = at + digits.size();
        const bool begins = at == 0 || !is_digit(text[at - 1]);
        const bool ends = end == text.size() || !is_digit(text[end]);
        if (begins && ends) return true;
    }
    return false;
}

/// What is wrong with the answer to such a call, "" if nothing is.
std::string trouble_of(const call_result& result, const std::vector<long>& named) {
    if (result.returned()) return "returned, but has to throw std::invalid_argument";
    if (!goes_on(result.how)) return result.trouble;
    for (long number : named) {
        if (!names_number(result.trouble, number))
            return result.trouble + " - the message has to name " + std::to_string(number);
    }
    return "";
}

template <class method_type, class problem_type>
void refuse(const method_type& method, const problem_type& problem, const std::vector<long>& named) {
    session& run = running_session();
    run.subject = method.name + ": " + describe(problem);
    std::vector<float> out(shape_of(problem).values(), NAN);
    const call_result result = method.run(run.checking(), {}, out, problem);
    const std::string trouble = trouble_of(result, named);
    run.memory().seen = result.seen;
    run.result.calls++;
    run.result.returned += trouble.empty() || result.returned();
    if (!trouble.empty()) run.fail(call_end::wrong_values, {trouble});
}

}  // namespace

void expect_refused(const method_1d& method, const problem_1d& problem, const std::vector<long>& named) {
    refuse(method, problem, named);
}

void expect_refused(const method_2d& method, const problem_2d& problem, const std::vector<long>& named) {
    refuse(method, problem, named);
}

}  // namespace check
