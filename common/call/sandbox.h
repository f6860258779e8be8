// What a worker may do: limits that the kernel of the operating system keeps.
#pragma once
#include <sys/types.h>

#include <cstdint>
#include <filesystem>

namespace check {

/// A worker of the CPU backend needs memory and threads and nothing else, so its sandbox is narrow. A GPU's
/// driver needs address space, files and devices of its own: there only what protects the judge stays.
enum class sandbox { cpu_backend, gpu };

/// Reads the executable; throws std::runtime_error if that cannot be done.
sandbox sandbox_for(const std::filesystem::path& executable);

/// Called in the child between fork and exec: only calls
/// that are safe there. False if a limit could not be set.
bool enter_sandbox(sandbox kind);

/// Memory that a worker may have in use during a call whose arguments take `call_bytes`.
uint64_t memory_limit(sandbox kind, uint64_t call_bytes);
/// Sets the limits of a running worker for its next call.
void limit_call(pid_t worker, sandbox kind, uint64_t call_bytes);

/// Other processes of this user can no longer read this one's memory (references, seeds) or trace it.
void hide_this_process();

}  // namespace check
