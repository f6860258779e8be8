// Drawings of a page, as SVG in it: numbers of ours and no text of a student's.
#pragma once
#include <string>
#include <vector>

#include "report/graded.h"

namespace report {

/// Points as a bar; `share` of 0 to 1.
std::string share_bar(double share);

/// Which pixels are wrong, and what its colours mean. At most some 20 KB.
std::string drawing_of(const graded_picture& picture);

/// A bar for the count, and marks for what is right and for the most that passes.
std::string drawing_of(const graded_count& count);

}  // namespace report
