// Written questions of a class, marked anew by every run: nothing is kept.
#pragma once
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "grade/submissions.h"
#include "questions/question.h"
#include "report/graded_answers.h"

namespace grade {

/// By student and lab.
using class_answers = std::map<std::pair<std::string, std::string>, report::graded_answers>;

/// What came of an answers.txt, with the numbers of the name in it: a stranger's file, of which nothing is
/// run. One that cannot be read is "incomplete", none is "not_submitted", and gives no points of those there
/// are.
report::graded_answers marked_answers(const handed_file& file, const std::vector<questions::question>& asked);

/// Of every student and lab that has questions, but for labs of which nobody handed in any answer. Throws
/// std::runtime_error if questions cannot be read.
class_answers mark_class(const std::vector<submission>& submissions, const std::vector<std::string>& labs);

/// Sets `doubt` where a name in an answers.txt is not that of who handed it in, or may be another's: a word
/// of it is not in the student's name as the learning platform has it, two students have it, or another lab
/// has another name.
void doubt_names(class_answers& all);

/// An answer that waits for a person, and what that person needs to know.
struct kept_answer {
    std::string student, id, question, answer, model;  // the question with the student's numbers
    double of = 0;
};

/// Those of a class: all answers to a question together. Of `labs` as in mark_class().
std::vector<kept_answer> kept_answers(const class_answers& all, const std::vector<std::string>& labs);

}  // namespace grade
