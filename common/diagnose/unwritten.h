// Outputs that are right where they were written: which part was not.
#pragma once
#include <span>

#include "diagnose/diagnose.h"
#include "inspect/report/report.h"

namespace check {

/// A cause if every wrong value is NaN and the right ones form a known pattern, which nothing else than the
/// output must explain: where the launch is known, mistake_coverage.cpp says more.
diagnosis diagnose_unwritten(std::span<const float> out, const comparison& found, const shape& where,
                             const inspect::report& seen);

}  // namespace check
