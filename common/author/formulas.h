// Formulas over recorded numbers: what a text quotes is one of them, or made of several.
#pragma once
#include <string>
#include <vector>

#include "author/recorded_data.h"

namespace author {

/// The values of a formula, one for each filter. A formula is numbers, references (recorded_data.h), + - * / and
/// brackets, all divided by spaces. "FORMULA for 3x3,7x33" is computed for each of these filters, which the
/// methods in it then leave out; "for 5x5..27x27" for the recorded ones between, squares if both ends are; "for all"
/// for every recorded one. A filter that one of its references lacks is left out of the last two. Throws
/// not_recorded if nothing is left or a number is missing, std::runtime_error naming what cannot be read.
std::vector<double> values_of(const std::string& formula, recorded_data& data);

}  // namespace author
