// What numbers of a report can be: it comes from a process that runs a student's code.
#pragma once
#include <string>

#include "inspect/report/report.h"

namespace inspect {

/// Throws std::runtime_error "not an inspector's report: trouble" for text whose brackets or values would take
/// the reader's memory before anything else can be said of it.
void require_possible_size(const std::string& text);

/// The same for launches that no device makes, counts beyond all counting, and lists whose lengths contradict
/// each other.
void require_possible(const report& what);

}  // namespace inspect
