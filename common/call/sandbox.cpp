// Resource limits and a system call filter for workers.
#include "call/sandbox.h"

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <fstream>
#include <stdexcept>
#include <string>
#include <thread>

#include "call/channel.h"

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

#if defined(__x86_64__)
constexpr uint32_t ARCHITECTURE = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr uint32_t ARCHITECTURE = AUDIT_ARCH_AARCH64;
#else
constexpr uint32_t ARCHITECTURE = 0;  // unknown: no filter
#endif

/// A filter program, built without allocating: it is needed between fork and exec, and names the process.
/// libseccomp would allocate there, and its rules compare an argument once: kill() is allowed three values.
class call_filter {
public:
    call_filter() {
        load(offsetof(seccomp_data, arch));
        skip_unless_equal(1, ARCHITECTURE, 0);
        finish(SECCOMP_RET_KILL_PROCESS);
        load(offsetof(seccomp_data, nr));
#ifdef __x86_64__
        // The same calls under other numbers (x32); nobody here uses them.
        constexpr uint32_t X32_CALLS = 0x40000000;
        append(BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, X32_CALLS, 0, 1));
        finish(SECCOMP_RET_ERRNO | ENOSYS);
#endif
    }

    /// The system call fails with this error number.
    void refuse(long number, int error = EPERM) {
        skip_unless_equal(0, uint32_t(number), 1);
        finish(SECCOMP_RET_ERRNO | uint32_t(error));
    }
    /// The system call fails unless its argument has one of the three values.
    void refuse_unless(long number, int argument, uint32_t a, uint32_t b, uint32_t c) {
        skip_unless_equal(0, uint32_t(number), 6);
        load_argument(argument);
        skip_unless_equal(2, a, 0);
        skip_unless_equal(1, b, 0);
        skip_unless_equal(0, c, 1);
        // Jumps count instructions: the three above end here or one further.
        skip(1);
        finish(SECCOMP_RET_ERRNO | EPERM);
        load(offsetof(seccomp_data, nr));
    }
    /// The system call fails if its argument has the value.
    void refuse_if(long number, int argument, uint32_t value) {
        skip_unless_equal(0, uint32_t(number), 4);
        load_argument(argument);
        skip_unless_equal(0, value, 1);
        finish(SECCOMP_RET_ERRNO | EPERM);
        load(offsetof(seccomp_data, nr));
    }
    /// The system call fails unless its argument has the bit.
    void refuse_without_bit(long number, int argument, uint32_t bit) {
        skip_unless_equal(0, uint32_t(number), 4);
        load_argument(argument);
        append(BPF_STMT(BPF_ALU | BPF_AND | BPF_K, bit));
        skip_unless_equal(0, 0, 1);
        finish(SECCOMP_RET_ERRNO | EPERM);
        load(offsetof(seccomp_data, nr));
    }

    bool install() {
        finish(SECCOMP_RET_ALLOW);
        const sock_fprog program{length_, code_};
        return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
    }

private:
    void append(sock_filter instruction) {
        code_[length_++] = instruction;
    }
    void load(size_t offset) {
        append(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, uint32_t(offset)));
    }
    // The low half of an argument, which is all of an int; both processors are little-endian.
    void load_argument(int argument) {
        load(offsetof(seccomp_data, args) + 8 * size_t(argument));
    }
    void skip(uint8_t instructions) {
        append(BPF_STMT(BPF_JMP | BPF_JA, instructions));
    }
    void skip_unless_equal(uint8_t if_equal, uint32_t value, uint8_t otherwise) {
        append(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, if_equal, otherwise));
    }
    void finish(uint32_t action) {
        append(BPF_STMT(BPF_RET | BPF_K, action));
    }

    sock_filter code_[160];
    unsigned short length_ = 0;
};

/// Signals reach only the worker itself, nobody is traced, and all that it starts stays in its process group.
void protect_other_processes(call_filter& filter) {
    const uint32_t self = uint32_t(getpid());
    filter.refuse_unless(SYS_kill, 0, self, 0, uint32_t(-getpid()));
    filter.refuse_unless(SYS_tgkill, 0, self, self, self);
    filter.refuse_unless(SYS_rt_tgsigqueueinfo, 0, self, self, self);
    filter.refuse_unless(SYS_rt_sigqueueinfo, 0, self, self, self);
    filter.refuse(SYS_tkill);
    filter.refuse(SYS_pidfd_send_signal);
    filter.refuse(SYS_pidfd_getfd);
    filter.refuse(SYS_ptrace);
    filter.refuse(SYS_process_vm_readv);
    filter.refuse(SYS_process_vm_writev);
    filter.refuse(SYS_setsid);
    filter.refuse(SYS_setpgid);
    // A descriptor can be told to send a signal to any process of the user.
    filter.refuse_if(SYS_fcntl, 1, F_SETOWN);
    filter.refuse_if(SYS_fcntl, 1, F_SETOWN_EX);
    filter.refuse_if(SYS_fcntl, 1, F_SETSIG);
}

/// Threads yes; no processes and no network.
void forbid_processes(call_filter& filter) {
#ifdef SYS_fork
    filter.refuse(SYS_fork);
    filter.refuse(SYS_vfork);
#endif
    filter.refuse_without_bit(SYS_clone, 0, CLONE_THREAD);
    filter.refuse(SYS_clone3,
                  ENOSYS);  // its flags are in memory, out of a filter's reach; libc then takes clone
    filter.refuse(SYS_socket);
}

bool filter_calls(sandbox kind) {
    if (ARCHITECTURE == 0) return true;
    // The driver may have to start a set-user-ID helper that makes its devices, once after the machine has
    // started. That needs privileges, and without them given up an ordinary user may not install a filter.
    const bool driver_is_ready = access("/dev/nvidia-uvm", F_OK) == 0;
    if (kind == sandbox::gpu && geteuid() != 0 && !driver_is_ready) return true;
    if (kind == sandbox::cpu_backend || geteuid() != 0) {
        if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return false;
    }
    call_filter filter;
    protect_other_processes(filter);
    if (kind == sandbox::cpu_backend) forbid_processes(filter);
    // No filters here (EINVAL) or a stricter sandbox around us: the process group and the clock remain.
    filter.install();
    return true;
}

}  // namespace

sandbox sandbox_for(const std::filesystem::path& executable) {
    std::ifstream file(executable, std::ios::binary);
    const std::string program{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    if (program.empty()) throw std::runtime_error(executable.string() + ": cannot be read");
    return program.find(channel::CPU_MARK) != std::string::npos ? sandbox::cpu_backend : sandbox::gpu;
}

bool enter_sandbox(sandbox kind) {
    return set_limits(kind) && filter_calls(kind);
}

uint64_t memory_limit(sandbox kind, uint64_t call_bytes) {
    // Copies of the arguments, their device memory, and what the inspector keeps about each word of it.
    constexpr uint64_t SHARE = 16;
    const uint64_t own = kind == sandbox::cpu_backend ? 2 * GIB : 8 * GIB;
    return own + SHARE * call_bytes;
}

void limit_call(pid_t worker, sandbox kind, uint64_t call_bytes) {
    if (kind != sandbox::cpu_backend) return;
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
