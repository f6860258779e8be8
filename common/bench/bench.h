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
    std::vector<std::string> kinds;     // of filters: "random", "gaussian"
    bool map = false;                   // every filter width with every height
    bool tables = true;                 // those of the lab, with a map
    bool serial = true;                 // the serial loop, where no methods are named
    bool pinned = false;                // host arrays of a call are page-locked
    int calls = 0;                      // of which the copies are timed; 0: as many as it takes anyway
    std::string block;                  // "16x16": what every launch must have; empty: any
    std::string build = "default";      // how the worker was compiled: a column of the file
    bool more = false;                  // other calls add rows: the file keeps its unfinished name
};

/// Returns the exit code: 0 if every result was right and every table complete, 1 if not. Throws
/// std::invalid_argument naming an option's value and what it must be.
int run(const options& asked, check::session& judged);

}  // namespace bench
