// The expectation that a call is refused: the function throws, its message names the value and the limit, and
// nothing else has happened.
#include <bit>
#include <cctype>
#include <cstdint>
#include <cstring>

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
    const std::string wanted = ", but has to throw std::invalid_argument";
    if (result.returned()) return "returned" + wanted;
    if (result.how == call_end::threw || result.how == call_end::threw_other)
        return result.trouble + " - which is no std::invalid_argument";
    if (result.how != call_end::refused) return result.trouble + wanted;
    for (long number : named) {
        if (!names_number(result.trouble, number))
            return result.trouble + " - the message has to name " + std::to_string(number);
    }
    return "";
}

/// Outputs before a call: no value that a student writes has these bits.
std::vector<float> untouched_output(size_t values) {
    std::vector<float> out(values);
    std::memset(out.data(), 0xff, values * sizeof(float));
    return out;
}

/// What a refused call did all the same, "" if nothing.
std::string trace_of(const call_result& result, const std::vector<float>& out, const shape& where) {
    const std::vector<float> fresh = untouched_output(out.size());
    for (size_t k = 0; k < out.size(); k++) {
        if (std::bit_cast<uint32_t>(out[k]) != std::bit_cast<uint32_t>(fresh[k]))
            return "refused, but only after " + place(k, where) + " of the output was written";
    }
    const std::string left = to_text(result.left);
    return left.empty() ? "" : "refused, but what it had made is never given back: " + left;
}

/// Calls a worker; what is wrong with its refusal, "" if nothing is. `binding`: a worker that does not refuse
/// is wrong, too.
template <class method_type, class problem_type>
std::string ask(const method_type& method, const problem_type& problem, const std::vector<long>& named,
                worker_process& worker, bool binding) {
    session& run = running_session();
    const shape where = shape_of(problem);
    std::vector<float> out = untouched_output(where.values());
    const call_result result = method.run(worker, {}, out, problem);
    std::string trouble = binding ? trouble_of(result, named) : "";
    if (trouble.empty() && result.how == call_end::refused) trouble = trace_of(result, out, where);
    run.memory().seen = result.seen;
    run.result.calls++;
    run.result.returned += trouble.empty() || result.returned();
    return trouble;
}

template <class method_type, class problem_type>
void refuse(const method_type& method, const problem_type& problem, const std::vector<long>& named) {
    session& run = running_session();
    if (!begin_case(method, problem)) return;
    std::string trouble = ask(method, problem, named, run.checking(), true);
    // A GPU does not tell what is left over. The CPU backend may have other limits.
    const bool watched = &run.checking() == &run.inspected();
    if (trouble.empty() && !watched) trouble = ask(method, problem, named, run.inspected(), false);
    if (!trouble.empty()) run.fail(call_end::wrong_values, {trouble}).of_refusal = true;
}

}  // namespace

void expect_refused(const method_1d& method, const problem_1d& problem, const std::vector<long>& named) {
    refuse(method, problem, named);
}

void expect_refused(const method_2d& method, const problem_2d& problem, const std::vector<long>& named) {
    refuse(method, problem, named);
}

}  // namespace check
