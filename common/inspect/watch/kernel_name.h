// Which instantiation runs, where a launch leaves template arguments to the compiler and so has no kernel's address.
#pragma once
#include <atomic>
#include <string>

#include "simt/engine/observer.h"

namespace inspect {

/// Functions that threads enter are still asked whether they are the kernel that was launched: so many more.
inline std::atomic<int> kernel_candidates = 0;

/// From here to the launch's end that kernel is looked for, if its address is not known.
void look_for_kernel(const simt::launch_info& launch);
/// A thread has entered the function around this instruction.
void consider_kernel(uintptr_t instruction);
/// The kernel's name with all its template arguments, or what the launch calls it if none was seen.
std::string kernel_name_of(const simt::launch_info& launch);

}  // namespace inspect
