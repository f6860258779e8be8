// What a judge can do: check, and show, time and inspect the lab's methods.
#pragma once
#include <string>
#include <vector>

#include "check/session.h"

namespace check {

/// Options of all modes; each mode reads its own.
struct mode_options {
    // check
    std::string only;  // run only checks whose name contains this
    std::string json;  // report file
    bool quiet = false;
    // demo
    std::string image = "data/images/camera.png";
    std::string out = "build/demo";  // folder of pictures and results.csv
    // bench: results file; inspect: counts of every launch, none if empty
    std::string csv;
    // bench
    std::string date;                   // of the data, YYYY-MM-DD; today if not given
    std::vector<std::string> comments;  // header lines of the CSV file: driver, toolkit
    // inspect
    int width = 64, height = 37, radius = 1;
};

/// Each returns the exit code: 0 if everything asked for holds, 1 if not.
int run_check(const mode_options& options, session& run);
int run_demo(const mode_options& options, session& run);
int run_bench(const mode_options& options, session& run);
int run_inspect(const mode_options& options, session& run);

}  // namespace check
