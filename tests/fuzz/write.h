// Programs as CUDA C++.
#pragma once
#include <string>
#include <vector>

#include "program.h"

namespace fuzz {

/// One translation unit for tests/fuzz/harness.h. Sets the lines of all statements.
std::string source_of(std::vector<program>& programs);

}  // namespace fuzz
