// Turns a right program into a wrong one.
#pragma once
#include "program.h"
#include "random.h"

namespace fuzz {

/// Changes one thing; false if there is none of that kind, or if the model says that nothing is wrong with it.
/// Says in `planted` what.
bool plant(program& it, random_numbers& random);

}  // namespace fuzz
