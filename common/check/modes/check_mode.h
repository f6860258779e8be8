// Check: the lab's checks, shown as they end, and their report.
#pragma once
#include <string>
#include <vector>

#include "check/expectation_memory.h"
#include "check/session.h"

namespace check {

struct check_options {
    std::string only;                  // run only checks whose name contains this, or the one of this number
    std::vector<std::string> methods;  // call only these
    std::string source,
        steps;        // the student's file and its lab's steps.json, for the state of each TODO; may be empty
    bool all = true;  // explain every failing check, not only what to mend first
    std::string json;  // report file
    bool quiet = false;
    bool first_loss = false;  // run no further check once one has lost its points
};

/// Returns the exit code: 0 if everything asked for holds, 1 if not.
int run_check(const check_options& options, session& run);

/// Runs all checks, silently, and returns the counts that they ask for.
std::vector<expected_count> expected_counts_of(session& run);

/// The case of a check that is described so, "tiled (tile 4): n = 16, ...", without a call of anything.
posed_case find_case(const std::string& subject, session& run);

}  // namespace check
