// Files to be judged elsewhere: a list of lines "HASH NN_name", and beside it HASH.cu of each.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "grade/program/jobs.h"

namespace grade {

/// Throws std::runtime_error if it cannot be written.
void write_work_list(const std::filesystem::path& list, const std::vector<const job*>& jobs);

/// Judges what a list names, as run_jobs() does, in another process than the one that wrote it. The grader's
/// own trouble with a file goes to trouble_file(). Throws std::runtime_error if the workbook here is not the
/// one for which the list was written.
void judge_work_list(const std::filesystem::path& list, const std::filesystem::path& out, grading how,
                     unsigned at_once);

/// Where the sentence about it is, if there is one.
std::filesystem::path trouble_file(const std::filesystem::path& list, const std::string& hash);

}  // namespace grade
