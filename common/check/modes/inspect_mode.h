// Inspect: every method of the lab once under the inspector.
#pragma once
#include <string>
#include <vector>

#include "check/modes/inspect_problems.h"
#include "check/session.h"

namespace check {

inline constexpr char DEFAULT_GPU[] = "h200";  // of bounds, where there is no GPU

struct inspect_options {
    int width = 64, height = 37, radius = 1;  // where no sizes are asked for
    inspect_wishes asked;
    std::string failed;            // report.json with the case to run; none if empty
    bool all = false;              // everything; else at most two screens
    std::string csv;               // counts of every launch; none if empty
    std::string reference;         // the reference solution's inspected worker; empty where there is none
    std::string pictures;          // folder for the data of pictures; none if empty
    std::string gpu;               // key of data/gpus.csv; empty: the GPU that is here, else DEFAULT_GPU
    std::string registers;         // what nvcc -Xptxas -v printed of the kernels; empty where it is not known
    bool expected_counts = false;  // run all checks as well, for the verdicts on their counts
};

/// Whether the text of another method fits behind what was told, on two screens of 80 columns with what comes last and
/// the names of pictures.
bool fits_on_screens(const std::string& told, const std::string& text, const std::string& last);

/// Which methods are told in full, of so many texts: the first that is wrong, then others from the first on, `most` at
/// the most and as long as they fit. In order.
std::vector<size_t> told_in_full(const std::vector<std::string>& texts, const std::vector<bool>& right,
                                 size_t most, const std::string& last);

/// Returns the exit code: 0 if all results are right and nothing was found, 1 if not.
int run_inspect(const inspect_options& options, session& run);

}  // namespace check
