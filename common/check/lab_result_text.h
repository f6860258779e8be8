// What a student sees of a run of the checks.
#pragma once
#include <set>
#include <string>
#include <vector>

#include "check/lab_result.h"
#include "check/steps.h"

namespace check {

/// Text for people, piece by piece, so that it appears while the checks run.
class lab_result_text {
public:
    /// `brief`: of what fails only what is to be mended first is explained, at the end.
    explicit lab_result_text(bool colour, bool brief = false, steps todos = {})
        : colour_(colour), brief_(brief), todos_(std::move(todos)) {}

    /// "Lab 01  conv1d_basic  on the CPU backend (no GPU found)", and once what the
    /// program is not kept from.
    std::string header(const lab_result& what) const;
    /// One line if the check passed, or waits for a TODO that is not begun, or in brief; else at most 12: trouble that was
    /// shown before is named, not repeated.
    std::string check(const check_result& what);
    /// What to mend first, "start with: NAME OF THE CHECK"; in brief with its message, as nothing else has one. "" if nothing
    /// fails.
    std::string start_with(const lab_result& what);
    /// The state of every TODO, "60 of 100 points" and what to do next.
    std::string footer(const lab_result& what);

private:
    std::string details(const check_result& what);
    std::vector<std::string> without_shown(const std::vector<std::string>& lines);
    std::string painted(const std::string& text, const char* colour) const;

    bool colour_, brief_;
    steps todos_;
    std::set<std::string> shown_;  // crashes, causes and findings
};

}  // namespace check
