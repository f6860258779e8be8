// One run of a judge: its workers, its seed, and the check that is being filled in.
#pragma once
#include <any>
#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "call/worker_process.h"
#include "check/expected_count.h"
#include "check/lab_result.h"
#include "diagnose/past_calls.h"

namespace check {

class session {
public:
    /// Paths may be equal, then one process serves both; an empty inspector means the worker inspects as
    /// well. Throws std::runtime_error if one does not exist.
    session(std::string lab, const std::string& worker, const std::string& inspector);

    const std::string& lab() const { return lab_; }  // "05_conv2d_naive"
    const std::string& worker_path() const { return worker_path_; }
    worker_process& active() {
        return *worker_;
    }  // what --worker names: GPU, or the CPU backend at full speed
    worker_process& inspected() { return *inspector_; }
    /// For checks: the GPU if there is one, else the inspector, which computes the same and sees more.
    worker_process& checking();
    bool one_worker() { return &checking() == inspector_.get(); }

    bool exact = false;    // counts must be met as equalities: the reference solution's own run
    bool no_fmad = false;  // the GPU worker was built with --fmad=false
    uint64_t seed = 42;
    lab_result result;
    check_result* current = nullptr;              // the check that runs; null between checks
    std::vector<expected_count> expected_counts;  // counts that checks asked for so far

    // What expectations remember from one to the next.
    std::string subject;                               // the case of the last call: "basic: n = 1000, ..."
    inspect::report seen;                              // by the inspector in that call
    std::any last_run;                                 // that call with its output
    std::map<std::string, int> timeouts;               // by method
    bool dead = false;                                 // the worker does not start
    std::map<const worker_process*, past_calls> past;  // of every worker's calls

private:
    std::string lab_, worker_path_;
    std::shared_ptr<worker_process> worker_, inspector_;
};

/// The session that expectations report to. Null before main() made one.
extern session* the_session;

}  // namespace check
