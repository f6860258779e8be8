// From an address in this process to a line of the student's file.
#pragma once
#include <cstddef>
#include <cstdint>

namespace worker {

/// Writes "file.cu:41" if the instruction comes from a source file that is neither the system's nor ours;
/// calls that were inlined are looked through, innermost first. False if there is no such line, or the worker
/// was built without libdw.
bool find_student_line(uintptr_t address, char* place, size_t place_bytes);

/// Does what the first look-up would do: reads where this process has its code. Holds for processes that it forks.
void prepare_source_lines();

}  // namespace worker
