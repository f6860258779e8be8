// The table in a handout of what the steps to a lab's fastest version brought, made from their recorded
// times.
#pragma once
#include <string>

namespace author {

/// Milliseconds of every step for every filter, how many times faster than the step before, and the last
/// step's share of the roofline: a table in Markdown. `csv` is the text of a file by
/// common/bench/staircase.sh. Throws std::runtime_error naming a column that it does not have.
std::string steps_table(const std::string& csv);

}  // namespace author
