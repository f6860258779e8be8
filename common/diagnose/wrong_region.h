// How far the damage extends: which values of an output are wrong, in a few words.
#pragma once
#include <string>

#include "problem/compare.h"

namespace check {

/// "24 of 1000 are wrong: the last 24", "35 of 851 are wrong: the last 5
/// columns", "all 851 are wrong". Only what is exactly so is said: the words
/// name all wrong values and no right one, or else begin with "all of them in".
std::string wrong_region(const comparison& found, const shape& where);

}  // namespace check
