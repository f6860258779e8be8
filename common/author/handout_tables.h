// The tables of recorded times in handouts: written between two lines of the handout that say what they show.
#pragma once
#include <string>

namespace author {

/// The text with `inside` between the two markers, which are lines of their own. Throws std::runtime_error
/// "WHO: the markers .. are missing" if they are not there in this order.
std::string with_inside(const std::string& text, const std::string& opening, const std::string& closing,
                        const std::string& inside, const std::string& who);

/// A handout with its tables made anew. A table stands between `<!-- KIND WORDS: make readme -->` and
/// `<!-- /KIND -->`, which are lines of their own:
///   steps FILE                                         steps_table, or a sentence if there is no such file
///   peers STEPS MEASURED PUBLISHED                     peers_table
///   times MEASURED WIDTHxHEIGHT FILTERS LAB/METHOD..   times_table; FILTERS as in 3x3,7x33
/// Unchanged if it has no such lines. Throws std::runtime_error if the second line is missing.
std::string handout_with_tables(const std::string& handout);

}  // namespace author
