// The pictures that a student's own runs left in build/.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "report/student_page.h"

namespace report {

/// What make inspectNN drew of this lab's kernels, then make plotNN's chart, then the same chart from recorded data
/// (make plots). Those that are not there are left out. `build`: the folder that they are in.
std::vector<figure> figures_of_lab(const std::filesystem::path& build, const std::string& lab);

/// make staircase's chart, if it is there.
std::vector<figure> figures_of_all(const std::filesystem::path& build);

}  // namespace report
