// What confines a worker, step by step; and its limits.
#include "call/sandbox.h"

#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <stdexcept>
#include <string>
#include <thread>

#include "call/call_filter.h"
#include "call/channel.h"
#include "call/refused_calls.h"

namespace check {
namespace {

constexpr uint64_t GIB = uint64_t(1) << 30, MIB = uint64_t(1) << 20;

/// Lowers a limit; one that is already lower stays.
bool lower_limit(decltype(RLIMIT_CORE) resource, rlim_t value) {
    rlimit limit{};
    if (getrlimit(resource, &limit) != 0) return false;
    limit.rlim_cur = std::min(limit.rlim_cur, value);
    limit.rlim_max = std::min(limit.rlim_max, value);
    return setrlimit(resource, &limit) == 0;
}

bool set_limits(sandbox kind) {
    // Only in case the judge is gone and nobody watches the clock; a whole check program takes minutes.
    constexpr rlim_t CPU_SECONDS = 3600;
    bool all_set = lower_limit(RLIMIT_CORE, 0) && lower_limit(RLIMIT_CPU, CPU_SECONDS);
    // Device memory of the CPU backend is a memory file, which counts as a file while it is made;
    // limit_call() lowers this to what a student may write.
    if (kind == sandbox::cpu_backend) all_set = all_set && lower_limit(RLIMIT_FSIZE, 8 * GIB);
    return all_set;
}

/// The driver may have to start a set-user-ID helper that makes its devices, once after the machine has
/// started. That needs privileges, and without them given up an ordinary user may not install a filter.
bool needs_privileges(sandbox kind) {
    return kind == sandbox::gpu && geteuid() != 0 && access("/dev/nvidia-uvm", F_OK) != 0;
}

}  // namespace

sandbox sandbox_for(const std::filesystem::path& executable) {
    std::ifstream file(executable, std::ios::binary);
    const std::string program{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    if (program.empty()) throw std::runtime_error(executable.string() + ": cannot be read");
    return program.find(channel::CPU_MARK) != std::string::npos ? sandbox::cpu_backend : sandbox::gpu;
}

std::string missing_protection(sandbox kind) {
    std::string missing;
    if (needs_privileges(kind)) {
        missing = "no system call filter (the driver has yet to make its devices)";
    } else if (const char* why = why_no_call_filter()) {
        missing = std::string("no system call filter (") + why + "): it can signal other processes";
    }
    const char* const why = kind == sandbox::cpu_backend ? why_no_file_ruleset() : nullptr;
    if (why != nullptr)
        missing += (missing.empty() ? "" : "; ") + std::string("no Landlock (") + why +
                   "): it can read files of this user";
    return missing.empty() ? "" : "this machine confines the program less than it should: " + missing;
}

confinement::confinement(const std::filesystem::path& worker) : kind_(sandbox_for(worker)) {
    if (kind_ == sandbox::cpu_backend && why_no_file_ruleset() == nullptr) files_.emplace(worker);
}

int confinement::limit_resources() const {
    if (!set_limits(kind_)) return errno;
    const bool gives_up = kind_ == sandbox::cpu_backend || (geteuid() != 0 && !needs_privileges(kind_));
    return gives_up && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ? errno : 0;
}

int confinement::limit_files() const {
    return files_ ? files_->enforce() : 0;
}

int confinement::limit_calls() const {
    if (needs_privileges(kind_) || why_no_call_filter() != nullptr) return 0;
    call_filter filter;
    if (kind_ == sandbox::cpu_backend)
        refuse_all_but_computing(filter);
    else
        refuse_reaching_others(filter);
    return filter.install();
}

uint64_t memory_limit(sandbox kind, uint64_t call_bytes) {
    // Copies of the arguments, their device memory, and what the inspector keeps about each word of it.
    constexpr uint64_t SHARE = 16;
    const uint64_t own = kind == sandbox::cpu_backend ? 2 * GIB : 8 * GIB;
    return own + SHARE * call_bytes;
}

void limit_call(pid_t worker, sandbox kind, uint64_t call_bytes) {
    if (kind != sandbox::cpu_backend || worker < 0) return;
    // Stacks of emulated threads count in full although little
    // of them is used: up to 2048 of 64 KB for each runner.
    const uint64_t stacks = 128 * MIB * std::max(1u, std::thread::hardware_concurrency());
    rlimit data{};
    if (prlimit(worker, RLIMIT_DATA, nullptr, &data) == 0) {
        // Only the soft limit: a larger call may come next.
        data.rlim_cur = std::min<rlim_t>(memory_limit(kind, call_bytes) + stacks, data.rlim_max);
        prlimit(worker, RLIMIT_DATA, &data, nullptr);
    }
    const rlimit files{64 * MIB, 64 * MIB};
    prlimit(worker, RLIMIT_FSIZE, &files, nullptr);
}

void hide_this_process() {
    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
}

}  // namespace check
