// Random programs whose values, counts and mistakes can be decided from their text.
#pragma once
#include "program.h"

namespace fuzz {

enum class wish { any, right };  // right: no planted mistake

/// The same program for the same seed. Statements keep to what every compiler counts alike: an array is loaded and
/// stored in one place between two barriers, in loops by the loop's variable, and every value reaches an output.
program generate(unsigned seed, int index, wish what);

}  // namespace fuzz
