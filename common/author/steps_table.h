// The table in a handout of what the steps to a lab's fastest version brought, made from their recorded
// times.
#pragma once
#include <string>

namespace author {

/// The text with `inside` between the two markers, which are lines of their own. Throws std::runtime_error
/// "WHO: the markers .. are missing" if they are not there in this order.
std::string with_inside(const std::string& text, const std::string& opening, const std::string& closing,
                        const std::string& inside, const std::string& who);

/// Milliseconds of every step for every filter, how many times faster than the step before, and the last
/// step's share of the roofline: a table in Markdown. `csv` is the text of a file by
/// common/bench/staircase.sh. Throws std::runtime_error naming a column that it does not have.
std::string steps_table(const std::string& csv);

/// A handout with the table of FILE between its lines `<!-- steps FILE: make readme -->` and `<!-- /steps
/// -->`, or with a sentence if there is no such file, and with peers_table of three files between its lines
/// `<!-- peers STEPS MEASURED PUBLISHED: make readme -->` and `<!-- /peers -->`; unchanged if it has no such
/// lines.
std::string handout_with_tables(const std::string& handout);

}  // namespace author
