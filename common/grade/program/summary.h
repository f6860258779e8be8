// What a person reads at the end: how each lab went, and whom to look at.
#pragma once
#include <string>
#include <vector>

#include "report/graded.h"

namespace grade {

/// One student and lab, and why a person should look at it; "" if nobody needs to.
struct row {
    report::graded_lab result;
    std::string look;
};

/// A histogram of the points for each lab, states beside it, and the list of those to look at.
std::string summary(const std::vector<row>& rows);

}  // namespace grade
