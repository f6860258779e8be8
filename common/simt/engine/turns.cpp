// Turns on x86-64: stacks change without a call. Elsewhere threads in step wait in their fibers.
#include "simt/engine/turns.h"

__thread simt::step_state simt_step;

#if defined(__x86_64__) && !defined(SIMT_FIBER_BOOST)

// simt_barrier: a thread in its kernel, where the compiler keeps nothing in a register but %rbp and %rsp, jumps here
// and goes on at %rcx. What the assembler knows as numbers is checked below.
asm(R"(
.text
.globl simt_barrier
.type simt_barrier, @function
.p2align 4
simt_barrier:
    cmpq %rcx, %fs:simt_step@tpoff
    jne 4f
1:  movq %fs:simt_step@tpoff+8, %rax
    movq %rsp, (%rax)
    movq %rbp, 8(%rax)
    cmpq %fs:simt_step@tpoff+24, %rax
    je 3f
    addq $32, %rax
2:  movq %rax, %fs:simt_step@tpoff+8
    movl $0, %fs:simt_step@tpoff+40
    movups 16(%rax), %xmm0
    movups %xmm0, %fs:threadIdx@tpoff
    movq %fs:_ZN4simt13current_blockE@tpoff, %rdx
    movl 28(%rax), %esi
    movl %esi, 24(%rdx)
    movq (%rax), %rsp
    movq 8(%rax), %rbp
    jmp *%fs:simt_step@tpoff+32
3:  movq %rcx, %fs:simt_step@tpoff+32
    movq $0, %fs:simt_step@tpoff
    movb $1, %fs:simt_step@tpoff+44
    movq %fs:simt_step@tpoff+16, %rax
    jmp 2b
4:  movq %rsp, %rax
    subq $128, %rsp
    andq $-16, %rsp
    pushq %rax
    pushq %rcx
    movq %rcx, %rdi
    call simt_come_to_barrier
    popq %rcx
    popq %rsp
    testb %al, %al
    jne 1b
    jmp *%rcx
.size simt_barrier, .-simt_barrier

.globl simt_switch_turn
.type simt_switch_turn, @function
.p2align 4
simt_switch_turn:
    pushq %rbp
    pushq %rbx
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    movq %rsp, (%rdi)
    movq (%rsi), %rsp
    movq 8(%rsi), %rbp
    jmp *%fs:simt_step@tpoff+32
.size simt_switch_turn, .-simt_switch_turn

.globl simt_leave_turn
.type simt_leave_turn, @function
.p2align 4
simt_leave_turn:
    movq %rdx, (%rdi)
    movq %rcx, 48(%rdx)
    movq (%rsi), %rsp
    movq 8(%rsi), %rbp
    jmp *%fs:simt_step@tpoff+32
.size simt_leave_turn, .-simt_leave_turn

simt_back_to_kernel:
    movq %r15, %rsp
    jmp *%r14
)");

extern "C" void simt_continue_fiber();
extern "C" void simt_switch_turn(simt::turn* from, simt::turn* to);
extern "C" void simt_back_to_kernel() __attribute__((visibility("hidden")));

namespace simt {

static_assert(offsetof(turn, frame) == 8 && offsetof(turn, index) == 16 && offsetof(turn, thread) == 28 &&
              sizeof(turn) == 32);
static_assert(offsetof(step_state, now) == 8 && offsetof(step_state, first) == 16 &&
              offsetof(step_state, last) == 24 && offsetof(step_state, resume) == 32 &&
              offsetof(step_state, spins) == 40 && offsetof(step_state, all_begun) == 44);
static_assert(offsetof(block_context, thread) == 24);

void* where_fibers_continue() {
    return reinterpret_cast<void*>(simt_continue_fiber);
}

void switch_turn(turn& from, turn& to) {
    simt_switch_turn(&from, &to);
}

// By a jump: the processor expects all calls to return, in their order.
void leave_turn(turn& from, turn& to, fiber first, void (*entry)()) {
    asm volatile("jmp simt_leave_turn" : : "D"(&from), "S"(&to), "d"(first), "c"(entry) : "memory");
    __builtin_unreachable();
}

void wait_in_fiber(turn& waiting, void* place) {
    constexpr uintptr_t RED_ZONE = 128;  // below its stack pointer a function may keep values
    const auto stack = reinterpret_cast<uintptr_t>(waiting.stack);
    void** words = reinterpret_cast<void**>((stack - RED_ZONE) & ~uintptr_t{15});
    *--words = reinterpret_cast<void*>(simt_back_to_kernel);
    *--words = waiting.frame;  // %rbp
    *--words = nullptr;        // %rbx, %r12, %r13
    *--words = nullptr;
    *--words = nullptr;
    *--words = place;          // %r14
    *--words = waiting.stack;  // %r15
    waiting.stack = words;
}

}  // namespace simt

#else

#ifdef __x86_64__
asm(R"(
.text
.globl simt_barrier
simt_barrier:
    movq %rsp, %rax
    subq $128, %rsp
    andq $-16, %rsp
    pushq %rax
    pushq %rcx
    movq %rcx, %rdi
    call simt_come_to_barrier
    popq %rcx
    popq %rsp
    jmp *%rcx
)");
#endif

namespace simt {

void* where_fibers_continue() {
    return nullptr;
}
void switch_turn(turn& from, turn& to) {
    switch_fiber(from.stack, to.stack);
}
void leave_turn(turn& from, turn& to, fiber, void (*)()) {
    switch_fiber(from.stack, to.stack);
}
void wait_in_fiber(turn&, void*) {}

}  // namespace simt

#endif
