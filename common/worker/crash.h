// Last words of a worker: which signal, and which line of the student's file.
//
// From before the first static constructor on, SIGSEGV, SIGBUS, SIGFPE, SIGILL and SIGABRT tell the judge
// before they end the process. The CPU backend puts its own handler in front a little later: it keeps the
// faults of kernels to itself and passes on those of host code.
#pragma once
#include <cstdint>

namespace worker {

/// What an illegal address is, in the words of the verdict:
/// "illegal address", "device memory used by host code".
const char* meaning_of_address(uintptr_t address);

}  // namespace worker
