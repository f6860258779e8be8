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
#include "diagnose/diagnose.h"
#include "diagnose/past_calls.h"
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
};

/// Ends the running check, as doctest's REQUIRE does.
[[noreturn]] void stop_check();

}  // namespace check
