// Faults of kernels and of host code become findings with a line of source.
#pragma once

namespace simt {

/// Handles SIGSEGV and its kin from now on, once. A program that has device memory calls it early enough.
void catch_faults();

}  // namespace simt
