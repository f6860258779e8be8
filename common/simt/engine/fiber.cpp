// Fiber switches: by hand on x86-64, where a switch saves six registers; by Boost.Context elsewhere.
#include "simt/engine/fiber.h"

#include <cstdint>

#if defined(__x86_64__) && !defined(SIMT_FIBER_BOOST)

// The System V ABI makes the caller of a function save everything
// but these six registers and the stack pointer. It ends in a return: processors foresee where returns go by the calls
// before them, and fibers mostly wait at the same place. After a jump they would be wrong of that return and all above.
asm(R"(
.text
.globl simt_switch_fiber
.type simt_switch_fiber, @function
.p2align 4
simt_switch_fiber:
    pushq %rbp
    pushq %rbx
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    movq %rsp, (%rdi)
    movq %rsi, %rsp
.globl simt_continue_fiber
simt_continue_fiber:
    popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %rbx
    popq %rbp
    ret
.size simt_switch_fiber, .-simt_switch_fiber
)");
extern "C" void simt_switch_fiber(void** from, void* to);

namespace simt {

constexpr int SAVED_REGISTERS = 6;

fiber make_fiber(void* top, size_t, void (*entry)()) {
    const uintptr_t aligned = reinterpret_cast<uintptr_t>(top) & ~uintptr_t{15};
    void** words = reinterpret_cast<void**>(aligned);
    *--words = nullptr;  // entry's return address: a debugger's backtrace ends here
    *--words = reinterpret_cast<void*>(entry);
    for (int i = 0; i < SAVED_REGISTERS; i++) {
        *--words = nullptr;
    }
    return words;
}

void switch_fiber(fiber& from, fiber to) {
    simt_switch_fiber(&from, to);
}

}  // namespace simt

#else

#include <boost/context/detail/fcontext.hpp>

namespace simt {

namespace context = boost::context::detail;

/// What make_fiber hands to a new fiber in a first visit.
struct first_visit {
    void (*entry)();
};

/// Whoever is continued learns only then where the one it came from was suspended, and notes it for that one.
static void note_origin(context::transfer_t transfer) {
    *static_cast<fiber*>(transfer.data) = transfer.fctx;
}

static void start(context::transfer_t transfer) {
    const first_visit visit = *static_cast<first_visit*>(transfer.data);
    note_origin(context::jump_fcontext(transfer.fctx, nullptr));
    visit.entry();
}

fiber make_fiber(void* top, size_t stack_bytes, void (*entry)()) {
    first_visit visit{entry};
    return context::jump_fcontext(context::make_fcontext(top, stack_bytes, start), &visit).fctx;
}

void switch_fiber(fiber& from, fiber to) {
    note_origin(context::jump_fcontext(to, &from));
}

}  // namespace simt

#endif
