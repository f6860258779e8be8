// Many at a time, each file once, and a line that says how far it is.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "grade/program/grade_one.h"
#include "grade/program/store.h"

namespace grade {

/// One file to be judged, for one lab; students who handed in the same bytes share it.
struct job {
    std::string lab, source;
    std::string hash;  // of the lab, the file, the workbook and the seed
    std::string who;   // the first student who handed it in, fit to be shown
    report::graded_lab result;
};

/// Fills in the results that are kept in the store; returns the other jobs.
std::vector<job*> still_open(std::vector<job>& jobs, const store& results);

/// Fills in the results: those that are kept in the store, and what comes of judging the others, `at_once` at
/// a time. The grader's own trouble is tried a second time. Says on the terminal how far it is and how long
/// it will take, elsewhere a line for each.
void run_jobs(std::vector<job>& jobs, const grading& how, const store& results, unsigned at_once);

}  // namespace grade
