// The benchmark: methods of the lab over sizes and filters, checked before and after they are timed.
#pragma once
#include <string>
#include <vector>

#include "check/session.h"

namespace bench {

/// What is usual where a list is empty.
struct options {
    std::string csv;                    // results file
    std::string date;                   // of the data, YYYY-MM-DD
    std::vector<std::string> comments;  // header lines of the CSV file: driver, toolkit
    std::vector<std::string> methods;   // "serial", "naive"
    std::vector<std::string> lengths;   // "1000", "65536"
    std::vector<std::string> images;    // "4096x4096", "1920x1080"
    std::vector<std::string> filters;   // "3", "7x33", width x height
    bool map = false;                   // every filter width with every height
};

/// Returns the exit code: 0 if every result was right and every table complete, 1 if not. Throws
/// std::invalid_argument naming an option's value and what it must be.
int run(const options& asked, check::session& judged);

}  // namespace bench
