// What a judge can do: check, and show, time and inspect the lab's methods.
#pragma once
#include <string>
#include <vector>

#include "check/session.h"

namespace check {

inline constexpr char DEFAULT_GPU[] = "h200";  // of bounds, where there is no GPU

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
    // demo, bench: lists with commas, what is usual if empty
    std::string methods;  // "serial,naive"
    std::string lengths;  // bench: "1000,65536"
    std::string images;   // bench: "4096x4096,1920x1080"
    std::string filters;  // bench: "3,5,7x33", width x height
    bool map = false;     // bench: every filter width with every height
    // bench
    std::string date;                   // of the data, YYYY-MM-DD; today if not given
    std::vector<std::string> comments;  // header lines of the CSV file: driver, toolkit
    // inspect
    int width = 64, height = 37, radius = 1;
    std::string reference;         // the reference solution's inspected worker; empty where there is none
    std::string pictures;          // folder for the data of pictures; none if empty
    std::string gpu;               // key of data/gpus.csv; empty: the GPU that is here, else DEFAULT_GPU
    std::string registers;         // what nvcc -Xptxas -v printed of the kernels; empty where it is not known
    bool expected_counts = false;  // run all checks as well, for the verdicts on their counts
};

/// Each returns the exit code: 0 if everything asked for holds, 1 if not.
int run_check(const mode_options& options, session& run);
int run_demo(const mode_options& options, session& run);
int run_bench(const mode_options& options, session& run);
int run_inspect(const mode_options& options, session& run);

/// Runs all checks, silently, and returns the counts that they ask for.
std::vector<expected_count> expected_counts_of(session& run);

}  // namespace check
