// Demo: every method of the lab on a photograph.
#pragma once
#include <string>
#include <vector>

#include "check/session.h"

namespace check {

struct demo_options {
    std::string image = "data/images/camera.png";
    std::string out = "build/demo";    // folder of pictures and results.csv
    std::vector<std::string> methods;  // only these; all if empty
    std::string date;                  // of the data, YYYY-MM-DD
};

/// Returns the exit code: 0 if all results are right, 1 if not.
int run_demo(const demo_options& options, session& run);

}  // namespace check
