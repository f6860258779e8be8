// Where an exception was thrown.
#pragma once
#include <cstddef>

namespace worker {

/// Writes "file.cu:41", the innermost line of the student's that led to the last throw of this thread, if it threw
/// this object; "" for another, as the C++ library's own exceptions are, and where no line is known.
void place_of_throw(const void* object, char* place, size_t place_bytes);

}  // namespace worker
