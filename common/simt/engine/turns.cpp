// Turns on x86-64: stacks change without a call. Elsewhere threads in step wait in their fibers.
#include "simt/engine/turns.h"

__thread simt::step_state simt_step;
__thread simt::kernel_words simt_kernel;

#if defined(__x86_64__) && !defined(SIMT_FIBER_BOOST)

// simt_begin_thread: the running thread begins, below what make_fiber wrote; when it returns, or goes on at
// simt_end_thread, the next one has its turn.
// simt_barrier: a thread in its kernel, where the compiler keeps nothing in a register but %rbp and %rsp, jumps here
// and goes on at %rcx. simt_converge: the same, at the place %edx of the text. What the assembler knows as numbers is
// checked below.
asm(R"(
.text
.globl simt_begin_fiber
.type simt_begin_fiber, @function
.p2align 4
simt_begin_fiber:
    .cfi_startproc
    .cfi_undefined %rip
    subq $56, %rsp
.globl simt_begin_thread
simt_begin_thread:
    movq %fs:simt_kernel@tpoff+8, %rdi
    movq %fs:simt_kernel@tpoff+16, %rsi
    call *%fs:simt_kernel@tpoff
.globl simt_end_thread
simt_end_thread:
    cmpb $0, %fs:simt_step@tpoff+42
    je 7f
5:  movq %fs:simt_step@tpoff+8, %rax
    cmpq %fs:simt_step@tpoff+24, %rax
    je 7f
    cmpb $0, %fs:simt_step@tpoff+40
    je 6f
    movq %rsp, (%rax)
    addq $32, %rax
    jmp simt_take_turn
6:  addq $32, %rax
    movq %rax, %fs:simt_step@tpoff+8
    movups 16(%rax), %xmm0
    movups %xmm0, %fs:threadIdx@tpoff
    jmp simt_begin_thread
7:  call simt_finish_thread
    testb %al, %al
    jne 5b
    jmp simt_begin_thread
    .cfi_endproc
.size simt_begin_fiber, .-simt_begin_fiber

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
simt_take_turn:
    movq %rax, %fs:simt_step@tpoff+8
    movups 16(%rax), %xmm0
    movups %xmm0, %fs:threadIdx@tpoff
    movq (%rax), %rsp
    movq 8(%rax), %rbp
    jmp *%fs:simt_step@tpoff+32
3:  movq %rcx, %fs:simt_step@tpoff+32
    movq $0, %fs:simt_step@tpoff
    movb $1, %fs:simt_step@tpoff+40
    movq %fs:simt_step@tpoff+16, %rax
    jmp simt_take_turn
4:  leaq simt_come_to_barrier(%rip), %rbx
    jmp 5f
.globl simt_converge
simt_converge:
    cmpq %rcx, %fs:simt_step@tpoff
    je 1b
    leaq simt_come_to_place(%rip), %rbx
5:  movq %rsp, %rax
    subq $128, %rsp
    andq $-16, %rsp
    pushq %rax
    pushq %rcx
    movq %rcx, %rdi
    movl %edx, %esi
    movq %rax, %rdx
    call *%rbx
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

simt_back_to_kernel:
    movq %r15, %rsp
    jmp *%r14
)");

extern "C" void simt_continue_fiber();
extern "C" void simt_begin_thread();
extern "C" void simt_end_thread();
extern "C" void simt_switch_turn(simt::turn* from, simt::turn* to);
extern "C" void simt_back_to_kernel() __attribute__((visibility("hidden")));

namespace simt {

static_assert(offsetof(turn, frame) == 8 && offsetof(turn, index) == 16 && offsetof(turn, thread) == 28 &&
              sizeof(turn) == 32);
static_assert(offsetof(step_state, now) == 8 && offsetof(step_state, first) == 16 &&
              offsetof(step_state, last) == 24 && offsetof(step_state, resume) == 32 &&
              offsetof(step_state, all_begun) == 40 && offsetof(step_state, finishing) == 42);
static_assert(offsetof(kernel_words, kernel) == 8 && offsetof(kernel_words, closure) == 16);

void* where_fibers_continue() {
    return reinterpret_cast<void*>(simt_continue_fiber);
}

void* where_threads_begin() {
    return reinterpret_cast<void*>(simt_begin_thread);
}

void switch_turn(turn& from, turn& to) {
    simt_switch_turn(&from, &to);
}

// What make_fiber wrote still lies there.
void leave_fiber(fiber& mine, fiber empty, fiber to) {
    mine = empty;
    fiber never_continued;
    switch_fiber(never_continued, to);
}

// Threads begin where make_fiber's words lie.
void end_thread(fiber empty) {
    asm volatile("movq %0, %%rsp\n\tjmp simt_end_thread" : : "r"(empty) : "memory");
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

extern "C" void simt_begin_fiber() {
    for (;;) {
        simt_kernel.call(simt_kernel.kernel, simt_kernel.closure);
        simt_finish_thread();
    }
}

#ifdef __x86_64__
asm(R"(
.text
.globl simt_barrier
simt_barrier:
    leaq simt_come_to_barrier(%rip), %rbx
    jmp 1f
.globl simt_converge
simt_converge:
    leaq simt_come_to_place(%rip), %rbx
1:  movq %rsp, %rax
    subq $128, %rsp
    andq $-16, %rsp
    pushq %rax
    pushq %rcx
    movq %rcx, %rdi
    movl %edx, %esi
    movq %rax, %rdx
    call *%rbx
    popq %rcx
    popq %rsp
    jmp *%rcx
)");
#endif

namespace simt {

void* where_fibers_continue() {
    return nullptr;
}
void* where_threads_begin() {
    return nullptr;
}
void switch_turn(turn& from, turn& to) {
    switch_fiber(from.stack, to.stack);
}
void leave_fiber(fiber& mine, fiber, fiber to) {
    switch_fiber(mine, to);
}
void end_thread(fiber) {
    refuse_kernel("inline PTX: exit is not on the CPU backend of this processor", 0);
}
void wait_in_fiber(turn&, void*) {}

}  // namespace simt

#endif
