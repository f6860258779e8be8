// One submission in the forms that other programs read. Every function gives the text of one file, in which
// whatever came from students is neutralised (escape.h). Where there is no mark because of the grader's own
// trouble, "" says that there is nothing to write: a file without points would be taken for a zero.
#pragma once
#include <string>
#include <vector>

#include "report/graded.h"

namespace grade {

/// results.json of Gradescope.
std::string gradescope_json(const report::graded_lab& lab);
/// The same of several labs: the checks of all of them. "" if one has no mark.
std::string gradescope_json(const std::vector<report::graded_lab>& labs);

/// What Classroom 50 says of a run and a report does not. Everything must be there.
struct classroom_run {
    std::string classroom, assignment, assignment_type, owner;
    std::string submission;               // a tag, "submit/..."
    std::string commit, release, review;  // addresses
    std::string datetime;                 // of the submission, UTC: 2026-06-01T14:33:11Z
};

/// For a submission that came another way: named by its lab, student, time and hash.
classroom_run local_run(const report::graded_lab& lab);

/// result.json of Classroom 50, "classroom50/result/v1". Its points are whole numbers, rounded down. Throws
/// std::invalid_argument naming what is missing in `run` or not as Classroom 50 wants it.
std::string classroom50_json(const report::graded_lab& lab, const classroom_run& run);

/// The page that Classroom 50 shows beside it (release-body.md).
std::string classroom50_page(const report::graded_lab& lab);

/// JUnit's XML: a suite with a case for every check, its points in the suite's properties. A state other than
/// "checked" is a case of its own. This one has a text for the grader's trouble too: an error.
std::string junit_xml(const report::graded_lab& lab);

/// The last line an autograder of Autolab prints: the points of one problem, which is named like the lab.
std::string autolab_line(const report::graded_lab& lab);

/// results.json of PrairieLearn, which wants a score of 0 to 1.
std::string prairielearn_json(const report::graded_lab& lab);

}  // namespace grade
