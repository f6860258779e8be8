// The handler of SIGSEGV and its kin: ends a launch, or explains what the host did and lets it die.
#include <signal.h>
#include <ucontext.h>
#include <unistd.h>

#include <cstdio>
#include <string>

#include "simt/engine/far_device.h"
#include "simt/engine/pool.h"
#include "simt/engine/report.h"
#include "simt/memory/arena.h"
#include "simt/memory/managed_guard.h"
#include "simt/memory/peers.h"

namespace simt {

namespace {

constexpr int SIGNALS[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};

/// What the handler found out, for the code that goes on after it.
struct fault {
    int signal = 0;
    uintptr_t address = 0;  // that was accessed
    uintptr_t site = 0;     // return address, as it were, of the innermost frame of the user's code
    bool writes = false;
    bool has_address = true;
};
constinit thread_local fault last_fault;

struct registers {
    uintptr_t program_counter = 0, stack_pointer = 0;
    bool writes = false;
};

#if defined(__x86_64__)
registers read_registers(const ucontext_t& context) {
    constexpr int PAGE_FAULT_WRITE = 2;
    return {uintptr_t(context.uc_mcontext.gregs[REG_RIP]), uintptr_t(context.uc_mcontext.gregs[REG_RSP]),
            (context.uc_mcontext.gregs[REG_ERR] & PAGE_FAULT_WRITE) != 0};
}
void continue_at(ucontext_t& context, void (*function)(), char* stack_top) {
    // As after a call: the stack pointer is 8 bytes off a multiple of 16.
    context.uc_mcontext.gregs[REG_RSP] = static_cast<greg_t>(reinterpret_cast<uintptr_t>(stack_top) - 64 - 8);
    context.uc_mcontext.gregs[REG_RIP] = static_cast<greg_t>(reinterpret_cast<uintptr_t>(function));
}
#elif defined(__aarch64__)
registers read_registers(const ucontext_t& context) {
    return {uintptr_t(context.uc_mcontext.pc), uintptr_t(context.uc_mcontext.sp), false};
}
void continue_at(ucontext_t& context, void (*function)(), char* stack_top) {
    context.uc_mcontext.sp = reinterpret_cast<uintptr_t>(stack_top) - 64;
    context.uc_mcontext.pc = reinterpret_cast<uintptr_t>(function);
}
#else
#error "fault handling knows x86-64 and aarch64; add the registers of this processor"
#endif

/// A fault in the C library's memcpy belongs to the line that called it.
uintptr_t faulty_line(uintptr_t program_counter) {
    const uintptr_t found = user_frame(program_counter);
    return found ? found : program_counter + 1;
}

std::string hexadecimal(uintptr_t value) {
    char text[32];
    snprintf(text, sizeof text, "0x%zx", size_t(value));
    return text;
}

// ---- in a kernel

/// Runs on the runner's large stack after the handler has returned, in place of the faulting thread.
void end_faulty_thread() {
    runner& self = *current_runner;
    const fault what = last_fault;
    const std::string who = thread_name(self.context, running_thread());
    trouble found;
    found.site = what.site;
    cudaError_t error = cudaErrorIllegalAddress;
    if (what.signal == SIGFPE) {
        found.kind = "launch-error";
        found.text = "integer division by zero (" + who + "); a GPU would go on with an undefined result";
        error = cudaErrorLaunchFailure;
    } else if (what.signal == SIGILL) {
        found.kind = "launch-error";
        found.text = "illegal instruction (" + who + ")";
        error = cudaErrorIllegalInstruction;
    } else if (self.is_guard_page(what.address)) {
        const size_t kilobytes = self.stack_bytes() / 1024;
        found.kind = "stack-overflow";
        found.text =
            "a thread's local variables and calls need more than " + std::to_string(kilobytes) +
            " KB of stack (" + who +
            "): no large local arrays, no deep recursion, or SIMT_STACK_KB=" + std::to_string(4 * kilobytes);
        error = cudaErrorLaunchOutOfResources;
    } else if (
        !what.has_address) {  // an instruction for aligned vectors, or an address that no memory can have
        found.kind = "misaligned";
        found.text = "an access at an address that is not a multiple of its bytes (" + who + ")";
        error = cudaErrorMisalignedAddress;
    } else if (const std::string why = why_not_reached(what.address); !why.empty()) {
        found.kind = "peer-access";
        found.text = std::string(what.writes ? "write" : "read") + " by " + who + ": " + why;
    } else {
        found.kind = "illegal-address";
        found.text = std::string(what.writes ? "write to" : "read of") + " address " +
                     hexadecimal(what.address) + ", which is no device memory (" + who + ")";
    }
    report(found);
    self.abandon(error);
}

// ---- in host code

std::string device_memory_name(uintptr_t address) {
    const allocation* memory = allocation_near(address);
    if (!memory) return "device memory";
    const std::string name =
        memory->label.empty() ? "allocation " + std::to_string(memory->serial) : "\"" + memory->label + "\"";
    return "device memory (" + name + ", byte offset " +
           std::to_string(static_cast<long long>(address - memory->begin)) + " of " +
           std::to_string(memory->bytes) + ")";
}

void explain_host_fault(fault what) {
    if (device_is_far()) return look_at_device<explain_host_fault>(what);
    const std::string verb = what.writes ? "writes to " : "reads ";
    trouble found;
    found.site = what.site;
    if (what.signal == SIGSEGV && is_device_address(what.address)) {
        found.kind = "device-pointer-on-host";
        found.text = "host code " + verb + device_memory_name(what.address) +
                     "; only kernels can, the host must copy it with cudaMemcpy";
    } else if (what.signal == SIGSEGV || what.signal == SIGBUS) {
        found.kind = "illegal-address";
        found.text = "host code " + verb + "address " + hexadecimal(what.address) + ", which is not mapped";
    } else {
        return;
    }
    complain(line_name(found.site) + ": " + found.kind + ": " + found.text);
    if (the_observer) the_observer->found(found);
}

struct sigaction previous[NSIG];

void handle(int signal, siginfo_t* info, void* context_pointer) {
    auto& context = *static_cast<ucontext_t*>(context_pointer);
    const registers at = read_registers(context);
    runner* self = current_runner;
    const bool from_system = info->si_code <= 0;  // kill(): nobody's fault here
    const auto address = reinterpret_cast<uintptr_t>(info->si_addr);
    if (!from_system)
        last_fault = {signal, address, faulty_line(at.program_counter), at.writes,
                      info->si_code != SI_KERNEL};
    if (!from_system && self && self->is_fiber_stack(at.stack_pointer)) {
        continue_at(context, end_faulty_thread, self->large_stack_top());
        return;
    }
    if (!from_system && signal == SIGSEGV && is_told_of_fault(address, at.writes, last_fault.site)) return;
    if (!from_system) explain_host_fault(last_fault);
    sigaction(signal, &previous[signal], nullptr);
    if (from_system) raise(signal);
    // Returning repeats the faulting instruction, and the process dies of the original signal.
}

void install() {
    struct sigaction action = {};
    action.sa_sigaction = handle;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigemptyset(&action.sa_mask);
    for (int signal : SIGNALS) {
        sigaction(signal, &action, &previous[signal]);
    }
    give_thread_a_signal_stack();
}

/// Before main: also a program that never launches may touch device memory.
const bool caught_early = (catch_faults(), true);

}  // namespace

void catch_faults() {
    static const bool installed = (install(), true);
    (void)installed;
}

}  // namespace simt
