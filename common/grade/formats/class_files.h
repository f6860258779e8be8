// The results of a class as files: all of its forms at once.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "report/graded.h"

namespace grade {

/// One row a student and lab: student,lab,state,points,of,message,seconds,source_hash. Points are empty where
/// there is no mark. Questions have a row of their own (formats/question_lab.h).
std::string results_csv(const std::vector<report::graded_lab>& all);

/// One row a student: student,lab01,...,total. Empty cells: nothing was graded there, or there is no mark;
/// with one of the latter there is no total either. Behind the total of the code: questions01,...,questions
/// and to_read, the points that wait for a person, if there are answers. Throws std::invalid_argument if a
/// student has a lab twice.
std::string gradebook_csv(const std::vector<report::graded_lab>& all);

/// A student's labs, and the name of his page: html/FILE.html.
struct class_row {
    std::string student, file;
    std::vector<report::graded_lab> labs;
};

/// A page for instructors, with a link to each student's.
std::string class_html(const std::vector<class_row>& rows);

/// Writes the tables as results.csv and gradebook.csv, class_html() as students.html,
/// and every form of formats/formats.h below `folder`:
/// html/STUDENT.html and, for every student and lab, gradescope/STUDENT/05.json, classroom50/STUDENT/05.json
/// and .md, junit/STUDENT/05.xml, autolab/STUDENT/05.txt, prairielearn/STUDENT/05.json, and each once more
/// for questions, 05-questions.json. STUDENT is made fit for a file's name, and unique. The folder is made
/// beside and takes the old one's place when it is whole. Throws std::runtime_error naming the file that
/// cannot be written, std::invalid_argument as gradebook_csv().
void write_formats(const std::vector<report::graded_lab>& all, const std::filesystem::path& folder);

}  // namespace grade
