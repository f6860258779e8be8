// Lines that stand under a failed case: what the inspector
// found, where the traffic comes from, what was printed.
#pragma once
#include <string>
#include <vector>

#include "call/worker_process.h"
#include "check/expected_count.h"
#include "inspect/report/report.h"
#include "problem/problem.h"

namespace check {

void append(std::vector<std::string>& lines, const std::vector<std::string>& more);

/// What ended a call, the student's own line first: "threw: file.cu:41: the copy: ..." without the folder of that
/// file, nor a file of ours in its place.
std::string trouble_line(const call_result& result);

/// "conv1d_basic.cu:41: ", or "" where no line is known.
std::string location(const std::string& file, int line);

/// Tells a cell of the tile by row and column, too, in all findings of a call in which it is known where its rows lie:
/// "element 35 of dynamic shared memory (row 1, column 1 of the tile)".
void tell_tile_cells(inspect::report& seen, const problem_2d& problem);
inline void tell_tile_cells(inspect::report&, const problem_1d&) {}  // there a cell has no row

/// The first findings that are errors, "inspector: conv1d_basic.cu:41: read past the end of in ...".
std::vector<std::string> inspector_lines(const inspect::report& seen);

/// The source lines that cause most of a count.
std::vector<std::string> lines_behind(const counted_accesses& what, const inspect::report& seen);

/// The first lines of what the student's program wrote.
std::vector<std::string> printed_lines(const std::string& printed, size_t most = 3);

}  // namespace check
