// What came of a student's labs, on one page for reading and printing.
#pragma once
#include <string>
#include <vector>

#include "report/graded.h"

namespace report {

/// A picture that stands in the page itself. `type` is "image/svg+xml" or "image/png".
struct figure {
    std::string caption, type, bytes;
};

/// Of all labs, and of each of them in turn: none, or as many as there are labs.
struct page_figures {
    std::vector<figure> of_all = {};
    std::vector<std::vector<figure>> of_labs = {};
};

/// One file that loads and runs nothing. It tells of the grader's trouble too. Throws std::invalid_argument
/// if there are figures of more or fewer labs.
std::string student_html(const std::string& student, const std::vector<graded_lab>& labs,
                         const page_figures& figures = {});

}  // namespace report
