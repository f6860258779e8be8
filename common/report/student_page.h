// What came of a student's labs, on one page for reading and printing.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "report/graded.h"
#include "report/graded_answers.h"

namespace report {

/// A picture that stands in the page itself. `type` is "image/svg+xml" or "image/png".
struct figure {
    std::string caption, type, bytes;
};

/// What stands on the page beside a lab's result.
struct beside_lab {
    std::optional<graded_answers> answers = {};
    std::vector<figure> figures = {};
};

/// Of all labs, and of each of them in turn: none, or as many as there are labs.
struct page_extras {
    std::vector<figure> figures = {};
    std::vector<beside_lab> labs = {};
};

/// One file that loads and runs nothing. It tells of the grader's trouble too. Throws std::invalid_argument if there are
/// extras of more or fewer labs.
std::string student_html(const std::string& student, const std::vector<graded_lab>& labs,
                         const page_extras& extras = {});

}  // namespace report
