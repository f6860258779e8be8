// The counts of a launch as one row of a table, under the names of the hardware counters they must equal.
#pragma once
#include <string>

#include "inspect/report/report.h"

namespace inspect {

/// The first row: subject, kernel, grid, block and the names that
/// common/bench/counters.txt gives to hardware counters.
std::string counters_header();

/// `subject` says whose launch it is: "07_conv2d_tiled/tiled_8". Ends without a line break.
std::string counters_row(const std::string& subject, const launch& one);

}  // namespace inspect
