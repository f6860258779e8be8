// What a worker may do: limits that the kernel of the operating system keeps.
#pragma once
#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "call/landlock.h"

namespace check {

/// A worker of the CPU backend needs memory and threads and nothing else, so its sandbox is narrow: it reads
/// itself and its libraries, writes nothing, starts nothing (refused_calls.h, landlock.h). A GPU's driver
/// needs address space, files and devices of its own: there only what protects the judge, other processes
/// and the terminal stays, and files can be read and written as by any program of this user.
enum class sandbox { cpu_backend, gpu };

/// Reads the executable; throws std::runtime_error if that cannot be done.
sandbox sandbox_for(const std::filesystem::path& executable);

/// What this machine's kernel cannot keep a worker from, as a sentence; empty if nothing.
std::string missing_protection(sandbox kind);

/// How a child confines itself on its way to becoming a worker. Whatever this kernel has must work: a step
/// that fails is told, and then there is no worker.
class confinement {
public:
    /// In the judge. Throws std::runtime_error.
    explicit confinement(const std::filesystem::path& worker);
    sandbox kind() const { return kind_; }

    // In the child, between fork and exec: only calls that are safe there. 0, or an error number.
    int limit_resources() const;
    int limit_files() const;
    int limit_calls() const;  // the last: it refuses what the others need

private:
    sandbox kind_;
    std::optional<file_ruleset> files_;
};

/// Memory that a worker may have in use during a call whose arguments take `call_bytes`.
uint64_t memory_limit(sandbox kind, uint64_t call_bytes);
/// Sets the limits of a running worker for its next call.
void limit_call(pid_t worker, sandbox kind, uint64_t call_bytes);

/// Other processes of this user can no longer read this one's memory (references, seeds) or trace it.
void hide_this_process();

}  // namespace check
