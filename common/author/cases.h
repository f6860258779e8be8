// The cases that selfcheck judges, written out of a lab's folder of solutions.
#pragma once
#include <filesystem>

namespace author {

/// Writes into `folder`, where a case that changed or went is replaced or removed:
///   solution.cu, fast.cu      copies; the second only if there is one
///   skeleton.cu               what students start from
///   without_ID.cu             the solution without one region; not `all`: one region of three
///   upto_ID.cu                the solution with the regions up to this one alone; not `all`: the one in the middle
///   wrong_NAME.cu             as wrong.txt and wrong/ have them; not `all`: of some checks the first
///   wrong_NAME.only           the check that must catch it; empty where all are asked, for their diagnoses: that is done
///                             if `all`
///   right_NAME.cu             as right.txt and right/ have them; not `all`: the first few
///   left_out.txt              which of without_ID, wrong_NAME and right_NAME were not written
/// Throws std::runtime_error as read_solution, known_wrong_in and known_right_in do.
void write_cases(const std::filesystem::path& solutions, const std::filesystem::path& folder,
                 bool all = true);

}  // namespace author
