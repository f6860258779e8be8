// Questions of a lab, in the terms in which every format tells of a lab.
#pragma once
#include <string>

#include "report/graded.h"

namespace grade {

/// The questions as a lab of their own, "05_conv2d_naive_questions": a check each, which did not run where an
/// answer is missing or waits for a person. `lab` has answers.
report::graded_lab question_lab(const report::graded_lab& lab);

/// "lab 05", or "lab 05, questions".
std::string title_of(const report::graded_lab& lab);

}  // namespace grade
