// What people read of questions.
#pragma once
#include <string>
#include <vector>

#include "questions/question.h"

namespace questions {

/// The questions with a student's numbers, 80 columns wide.
std::string pages_for(const std::vector<question>& all, const std::string& name);

/// An answers.txt without answers.
std::string skeleton(const std::vector<question>& all);

/// Questions, keys, reasons, typical mistakes and model answers of all labs: Markdown for instructors.
std::string instructors_page(const std::vector<std::filesystem::path>& files);

}  // namespace questions
