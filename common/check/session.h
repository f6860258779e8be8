// One run of a judge: its workers, its rules, and what came of its checks so far.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "call/worker_process.h"
#include "check/expected_count.h"
#include "check/lab_result.h"

namespace check {

struct expectation_memory;

class session {
public:
    /// Paths may be equal, then one process serves both; an empty inspector means the worker inspects as
    /// well. With a box, that program starts them. Throws std::runtime_error if one does not exist.
    session(std::string lab, const std::string& worker, const std::string& inspector,
            const std::string& box = "");
    ~session();

    // ---- the workers
    const std::string& lab() const { return lab_; }  // "05_conv2d_naive"
    const std::string& worker_path() const { return worker_path_; }
    /// What --worker names: GPU, or the CPU backend at full speed.
    worker_process& active() { return *worker_; }
    worker_process& inspected() { return *inspector_; }
    /// For checks: the GPU if there is one, else the inspector, which computes the same and sees more.
    worker_process& checking();

    // ---- the rules, as main() was told them
    bool exact = false;          // counts must be met as equalities: the reference solution's own run
    bool serial_values = false;  // values must be those of the serial loop
    bool no_fmad = false;        // the GPU worker was built with --fmad=false
    bool every_case = false;     // what takes long is asked for in a check that has failed, too
    uint64_t seed = 42;
    std::vector<std::string> methods;  // only these are called; empty: all

    // ---- what came of it: expectations write it down, modes show it
    lab_result result;
    check_result* current = nullptr;  // the check that runs; null between checks
    std::string subject;              // the case of the last call: "basic: n = 1000, ..."
    std::string method;               // of that call, "tiled" of "tiled (tile 16)"
    bool muted = false;               // begin_case refused it: nothing is said of it
    std::vector<expected_count> expected_counts;
    /// A call is about to be made, or to be asked about. False, and then none is made, if its method was not asked for or
    /// has failed often in this check, or if anything has failed here and the call is costly, or many were in vain.
    bool begin_case(const std::string& method_name, const std::string& problem, bool costly = false);
    /// So many requests to memory the kernels of the call made: in vain if the check had failed before.
    void count_requests(uint64_t requests);
    /// Writes a failure of the last call's case down for the
    /// check that runs. Throws std::logic_error if none does.
    failure& fail(call_end how, std::vector<std::string> lines);

    /// Notes what a call printed, that of the first one that did, and that its kernels were not timed.
    void note(const call_result& result);
    /// The notes as lines to be shown behind the checks, without what the text that follows them says too; "" if there
    /// are none.
    std::string notes(const std::string& told = "") const;

    /// What expectations remember from one to the next; nobody else looks into it.
    expectation_memory& memory() { return *memory_; }

private:
    std::string lab_, worker_path_;
    std::string printed_in_, untimed_;  // notes
    std::vector<std::string> printed_;
    uint64_t vain_requests_ = 0;
    std::shared_ptr<worker_process> worker_, inspector_;
    std::unique_ptr<expectation_memory> memory_;
};

/// The session that expectations report to. Null before main() made one.
extern session* the_session;

/// The same; throws std::logic_error if there is none.
session& running_session();

}  // namespace check
