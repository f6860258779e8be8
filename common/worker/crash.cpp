// The handler of signals that end the process.
#include "worker/crash.h"

#include <execinfo.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdint>

#include "call/channel.h"
#include "worker/source_line.h"

namespace worker {
namespace {

constexpr int FATAL_SIGNALS[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};

struct machine_state {
    uintptr_t program_counter = 0, stack_pointer = 0;
};

machine_state state_of(const void* context) {
    const auto& registers = static_cast<const ucontext_t*>(context)->uc_mcontext;
#if defined(__x86_64__)
    return {uintptr_t(registers.gregs[REG_RIP]), uintptr_t(registers.gregs[REG_RSP])};
#elif defined(__aarch64__)
    return {uintptr_t(registers.pc), uintptr_t(registers.sp)};
#else
    (void)registers;
    return {};
#endif
}

const char* meaning_of(int signal, const siginfo_t& details, const machine_state& at) {
    const auto address = reinterpret_cast<uintptr_t>(details.si_addr);
    constexpr uintptr_t NEAR_STACK = 64 * 1024;
    const bool near_stack = at.stack_pointer != 0 && address + NEAR_STACK > at.stack_pointer &&
                            address < at.stack_pointer + NEAR_STACK;
    switch (signal) {
        case SIGSEGV:
            return near_stack ? "stack overflow" : meaning_of_address(address);
        case SIGBUS:
            return "illegal address";
        case SIGFPE:
            return "integer division by zero";
        case SIGILL:
            return "illegal instruction";
        default:
            return "aborted";
    }
}

void say(channel::packet_kind kind, int signal, const char* text) {
    channel::packet message;
    message.kind = kind;
    message.value = uint32_t(signal);
    channel::set_text(message.text, sizeof message.text, text);
    channel::send(channel::DESCRIPTOR, message, -1, false);
}

/// Looks for the innermost line that is the student's: where it happened, then who called that.
void say_place(const machine_state& at) {
    char place[200];
    void* callers[64];
    const int depth = backtrace(callers, 64);
    // The first frames are this handler's own; those of the crashed code begin where it was interrupted.
    int first = 0;
    while (first < depth && uintptr_t(callers[first]) != at.program_counter)
        first++;
    if (first == depth) first = 0;
    for (int i = first; i < depth; i++) {
        // A return address belongs to the instruction before it, the place of the signal to itself.
        const uintptr_t address = uintptr_t(callers[i]) - (i == first ? 0 : 1);
        if (!find_student_line(address, place, sizeof place)) continue;
        say(channel::packet_kind::crash_place, 0, place);
        return;
    }
}

/// The judge asks where this thread is, which does not come to an end. The look-up is made here, as above.
void on_question(int, siginfo_t*, void* context) {
    static std::atomic_flag looking = ATOMIC_FLAG_INIT;  // libdw is for one thread at a time
    if (looking.test_and_set()) return;
    say_place(state_of(context));
    looking.clear();
}

void on_fatal_signal(int signal, siginfo_t* details, void* context) {
    static std::atomic_flag entered = ATOMIC_FLAG_INIT;
    std::signal(signal, SIG_DFL);
    if (!entered.test_and_set()) {
        const machine_state at = state_of(context);
        say(channel::packet_kind::crashed, signal, meaning_of(signal, *details, at));
        // Looking up a line allocates, which a signal handler must not do. The process is lost anyway and the
        // judge knows the main thing already, so it is worth a try; should it hang, the alarm ends it.
        constexpr unsigned LOOKUP_SECONDS = 3;
        std::signal(SIGALRM, SIG_DFL);
        alarm(LOOKUP_SECONDS);
        say_place(at);
    }
    raise(signal);
    _exit(128 + signal);
}

/// Runs before the constructors of the student's file and
/// of the CPU backend (101 is the first free priority).
[[gnu::constructor(101)]] void watch_for_crashes() {
    // A stack of its own, large enough for reading debug information: the usual one may be what overflowed.
    constexpr size_t STACK_BYTES = 1024 * 1024;
    void* memory = mmap(nullptr, STACK_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory != MAP_FAILED) {
        stack_t stack{};
        stack.ss_sp = memory;
        stack.ss_size = STACK_BYTES;
        sigaltstack(&stack, nullptr);
    }
    // The unwinder is loaded at its first use, which must not be in the handler.
    void* frame = nullptr;
    backtrace(&frame, 1);

    struct sigaction action {};
    action.sa_sigaction = on_fatal_signal;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
    sigemptyset(&action.sa_mask);
    for (const int signal : FATAL_SIGNALS)
        sigaction(signal, &action, nullptr);
    action.sa_sigaction = on_question;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
    sigaction(channel::ASKS_PLACE, &action, nullptr);
}

}  // namespace
}  // namespace worker
