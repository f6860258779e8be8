// What a student sees of a run of the checks.
#pragma once
#include <set>
#include <string>
#include <vector>

#include "check/lab_result.h"

namespace check {

/// Text for people, piece by piece, so that it appears while the checks run.
class lab_result_text {
public:
    explicit lab_result_text(bool colour) : colour_(colour) {}

    /// "Lab 01  conv1d_basic  on the CPU backend (no GPU found)", and once what the
    /// program is not kept from.
    std::string header(const lab_result& what) const;
    /// One line if the check passed, at most 12 if it failed;
    /// trouble that was shown before is named, not repeated.
    std::string check(const check_result& what);
    /// "60 of 100 points" and what to do next.
    std::string footer(const lab_result& what) const;

private:
    std::string details(const check_result& what);
    std::vector<std::string> without_shown(const std::vector<std::string>& lines);
    std::string painted(const std::string& text, const char* colour) const;

    bool colour_;
    std::set<std::string> shown_;  // crashes, causes and findings
};

}  // namespace check
