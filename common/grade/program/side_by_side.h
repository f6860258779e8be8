// Files of a class that have much in common, as pages for a person to look at.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "grade/submissions.h"

namespace grade {

/// Writes FOLDER/05.html for every lab of which some do; the skeleton and the handout are no evidence.
/// Returns a line for each: how many pairs, and where.
std::string write_side_by_side(const std::vector<submission>& submissions,
                               const std::vector<std::string>& labs, const std::filesystem::path& folder);

}  // namespace grade
