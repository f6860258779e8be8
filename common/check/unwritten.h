// Outputs that are right where they were written: which part was not.
#pragma once
#include <span>
#include <string>

#include "check/compare.h"
#include "inspect/report.h"

namespace check {

/// One sentence if every wrong value is NaN and the right ones form a known pattern, else "".
std::string diagnose_unwritten(std::span<const float> out, const comparison& found, const shape& where,
                               int radius_x, int radius_y, const inspect::report& seen);

}  // namespace check
