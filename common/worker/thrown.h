// Where the last exception of this thread was thrown.
#pragma once
#include <cstddef>

namespace worker {

/// Writes "file.cu:41", the innermost line of the student's that led to the throw; "" if there is none.
void place_of_throw(char* place, size_t place_bytes);

}  // namespace worker
