// Answers that a person reads.
#pragma once
#include <string>
#include <vector>

#include "grade/program/marked_answers.h"

namespace grade {

/// A row an answer: student,question,points,of,answer,look for,asked. Points are left to fill in.
std::string kept_answers_csv(const std::vector<kept_answer>& all);

/// A page of the same, a question after the other, and of names that an instructor should look at.
std::string kept_answers_html(const std::vector<kept_answer>& all, const class_answers& marked);

}  // namespace grade
