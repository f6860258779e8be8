// The cases that selfcheck judges, written out of a lab's folder of solutions.
#pragma once
#include <filesystem>

#include "author/shard.h"

namespace author {

/// Writes into `folder`, where a case that changed or went is replaced or removed:
///   solution.cu, fast.cu      copies; the second only if there is one
///   skeleton.cu               what students start from
///   without_ID.cu             the solution without one region
///   upto_ID.cu                the solution with the regions up to this one alone
///   wrong_NAME.cu             as wrong.txt and wrong/ have them
///   wrong_NAME.only           the check that must catch it; empty where all are asked, for their diagnoses
///   right_NAME.cu             as right.txt and right/ have them
///   left_out.txt              which of the last four kinds are not of this part
/// Throws std::runtime_error as read_solution, known_wrong_in and known_right_in do.
void write_cases(const std::filesystem::path& solutions, const std::filesystem::path& folder,
                 const shard& part = {});

}  // namespace author
