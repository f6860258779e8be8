// What an inspected call did wrong although its values are right, in lines for the student.
#pragma once
#include <string>
#include <vector>

#include "inspect/report/report.h"
#include "problem/compare.h"

namespace check {

/// "no kernel stored these values: ..." where they are the host's work; "" if kernels stored them, or if nobody
/// watched.
std::string not_from_kernels(const inspect::report& seen, const shape& where);

/// "no threads side by side stored these values: ..." where one thread after the other did, although blocks of so many
/// threads, and rows as long as a warp, are room for more (not of an image of one row); "" if not.
std::string one_by_one(const inspect::report& seen, const shape& where, int block);

/// The findings of stores that went beside the memory they were meant for; nothing if there are none.
std::vector<std::string> stray_store_lines(const inspect::report& seen);

}  // namespace check
