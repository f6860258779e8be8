// Instructions of a system call filter.
#include "call/call_filter.h"

#include <linux/audit.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>

#include <cerrno>
#include <cstring>

namespace check {
namespace {

#if defined(__x86_64__)
constexpr uint32_t ARCHITECTURE = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr uint32_t ARCHITECTURE = AUDIT_ARCH_AARCH64;
#else
constexpr uint32_t ARCHITECTURE = 0;  // unknown: no filter
#endif

}  // namespace

call_filter::call_filter() {
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

void call_filter::refuse(long number, int error) {
    skip_unless_equal(0, uint32_t(number), 1);
    finish(SECCOMP_RET_ERRNO | uint32_t(error));
}

void call_filter::refuse_from(long first, values but, int error) {
    const auto count = uint8_t(but.size());
    append(BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, uint32_t(first), 0, uint8_t(count + 1)));
    uint8_t left = count;
    for (const uint32_t number : but)
        skip_unless_equal(left--, number, 0);
    finish(SECCOMP_RET_ERRNO | uint32_t(error));
}

// The three below: the call's number is left where it was found, for what comes next. Jumps count
// instructions from the one after them.

void call_filter::refuse_unless(long number, int argument, values allowed) {
    auto left = uint8_t(allowed.size());
    skip_unless_equal(0, uint32_t(number), uint8_t(left + 3));
    load_argument(argument);
    for (const uint32_t value : allowed)
        skip_unless_equal(left--, value, 0);
    finish(SECCOMP_RET_ERRNO | EPERM);
    load(offsetof(seccomp_data, nr));
}

void call_filter::refuse_if(long number, int argument, values refused) {
    auto left = uint8_t(refused.size());
    skip_unless_equal(0, uint32_t(number), uint8_t(left + 3));
    load_argument(argument);
    for (const uint32_t value : refused) {
        left--;
        skip_unless_equal(left, value, left == 0 ? 1 : 0);
    }
    finish(SECCOMP_RET_ERRNO | EPERM);
    load(offsetof(seccomp_data, nr));
}

void call_filter::refuse_without_bit(long number, int argument, uint32_t bit) {
    skip_unless_equal(0, uint32_t(number), 4);
    load_argument(argument);
    append(BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, bit, 1, 0));
    finish(SECCOMP_RET_ERRNO | EPERM);
    load(offsetof(seccomp_data, nr));
}

void call_filter::refuse_with_bits(long number, int argument, uint32_t bits) {
    skip_unless_equal(0, uint32_t(number), 4);
    load_argument(argument);
    append(BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, bits, 0, 1));
    finish(SECCOMP_RET_ERRNO | EPERM);
    load(offsetof(seccomp_data, nr));
}

int call_filter::install() {
    finish(SECCOMP_RET_ALLOW);
    if (full_) return E2BIG;
    const sock_fprog program{length_, code_};
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0 ? 0 : errno;
}

void call_filter::append(sock_filter instruction) {
    full_ |= length_ == MOST;
    if (!full_) code_[length_++] = instruction;
}

void call_filter::load(size_t offset) {
    append(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, uint32_t(offset)));
}

// Both processors are little-endian: the low half comes first.
void call_filter::load_argument(int argument) {
    load(offsetof(seccomp_data, args) + 8 * size_t(argument));
}

void call_filter::skip_unless_equal(uint8_t if_equal, uint32_t value, uint8_t otherwise) {
    append(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, if_equal, otherwise));
}

void call_filter::finish(uint32_t action) {
    append(BPF_STMT(BPF_RET | BPF_K, action));
}

const char* why_no_call_filter() {
    if (ARCHITECTURE == 0) return "not written for this processor";
    // No program at this address: a kernel that would take one says so (seccomp(2)).
    if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, nullptr) == 0 || errno == EFAULT) return nullptr;
    return std::strerror(errno);
}

}  // namespace check
