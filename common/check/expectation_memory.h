// What expectations remember from one to the next, and how they end a check.
#pragma once
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "call/worker_process.h"
#include "check/method.h"
#include "check/session.h"
#include "diagnose/diagnose.h"
#include "diagnose/past_calls.h"
#include "problem/describe.h"
#include "problem/problem.h"

namespace check {

/// A call and its output, kept so that expect_right and inspect_right of one case need one run where one
/// worker serves both.
template <class problem_type>
struct run_record {
    std::string method;  // its name
    const worker_process* worker = nullptr;
    problem_type asked, problem;  // by the check, and what the device had of it (blind_call.h)
    call_result result;
    std::vector<float> out;
    std::optional<diagnosis> cause = {};  // of a wrong output, once it was looked for
    bool kept = false;                    // among the past calls
    std::string by_host = {};             // why right values count for nothing (blind_call.h)
    int block = 0;                        // of the method
    std::optional<reference> truth = {};  // of `problem`, once it was asked for
};

/// A method and what a check asks it; none where no check had such a case.
using posed_case =
    std::variant<std::monostate, std::pair<method_1d, problem_1d>, std::pair<method_2d, problem_2d>>;

struct expectation_memory {
    std::variant<std::monostate, run_record<problem_1d>, run_record<problem_2d>> last_run;
    inspect::report seen;                        // by the inspector in the last call
    std::map<std::string, double> lost_seconds;  // of calls that did not return, by method
    std::map<std::string, std::string>
        told_by_host;                       // by method: why none of its right values count (blind_call.h)
    std::map<std::string, bool> was_wrong;  // the last case, by method
    uint64_t blind_calls = 0;
    std::set<std::string> probed;                  // cases that were asked for their cause alone (probe.h)
    std::map<std::string, int> probes;             // how many of them, by method
    std::map<std::string, diagnosis> known_cause;  // of wrong values, by method, unless a case denied it
    bool dead = false;                             // the worker does not start
    std::map<const worker_process*, past_calls> past;  // of every worker
    std::string
        looked_for;    // the subject of a case that is looked for: until it is empty again no call is made
    posed_case found;  // that case
};

/// session::begin_case(), which keeps the case that is looked for.
template <class method_type, class problem_type>
bool begin_case(const method_type& method, const problem_type& problem, bool costly = false) {
    session& run = running_session();
    const bool begun = run.begin_case(method.name, describe(problem), costly);
    expectation_memory& memory = run.memory();
    if (memory.looked_for.empty()) return begun;
    if (memory.found.index() == 0 && run.subject == memory.looked_for)
        memory.found = std::pair(method, problem);
    run.muted = true;
    return false;
}

/// Ends the running check, as doctest's REQUIRE does.
[[noreturn]] void stop_check();

}  // namespace check
