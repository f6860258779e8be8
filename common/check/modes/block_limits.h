// What a block has room for: the limits of a worker's device,
// and the registers that the compiler gave its kernels.
#pragma once
#include <string>
#include <vector>

#include "check/modes/bound.h"
#include "check/session.h"

namespace check {

/// What a block may have on a device, as its cudaDeviceProp says.
struct block_limits {
    int shared_bytes = 0;           // without asking
    int shared_bytes_opted_in = 0;  // with cudaFuncAttributeMaxDynamicSharedMemorySize
    int registers = 0, threads = 0;
};
/// Asks the worker itself, not the student's functions.
/// Throws std::runtime_error saying why there is no answer.
block_limits limits_of(worker_process& worker);
/// The same for a check, which ends where there is no answer: a program that does not start, say.
block_limits expect_limits(worker_process& worker);

/// What ptxas said of the kernels in the session's active worker, from NAME.registers beside NAME.worker.
/// Empty where there is no such file: nobody has compiled for a GPU, and registers are unknown.
std::vector<kernel_registers> compiled_registers(const session& run);

}  // namespace check
