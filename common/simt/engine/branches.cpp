// Where a kernel's calls by an address, and its computed jumps, may lead: to code of its own file. Elsewhere is what
// runs kernels, and functions of the C library that nothing counts. simtcc has g++ lead every such branch of a watched
// file through one of these thunks (-mindirect-branch=thunk-extern), which hold the target in a register. What it calls by
// name in other files goes through simt_call_outside, the target on the stack (build/outside_calls.sh), or is a kernel's
// to call: no more is left for host functions of the file, which a kernel may well reach.
#include <cstdint>

#include "simt/engine/report.h"
#include "simt/engine/runner.h"

#ifdef __x86_64__

// worker.sh puts a student's code there. Null where a program has no such section: then there is nothing to guard.
extern "C" {
extern const char __start_student_code[] __attribute__((weak));
extern const char __stop_student_code[] __attribute__((weak));
[[gnu::used]] const char* simt_code_begin = __start_student_code;
[[gnu::used]] const char* simt_code_end = __stop_student_code;

[[noreturn, gnu::used]] void simt_refuse_branch() {
    simt::report({"launch-error", true,
                  "a kernel calls a function that is none of this file's: on a GPU there is none", 0, 0,
                  true});
    simt::stop_launch(cudaErrorIllegalAddress);
}
}

// Nothing but the stack below may be changed: arguments may be in every other register. Host code goes where it likes.
asm(R"(
.text
.macro simt_thunk register
.globl __x86_indirect_thunk_\register
.type __x86_indirect_thunk_\register, @function
__x86_indirect_thunk_\register:
    pushq %\register
    jmp simt_branch
.size __x86_indirect_thunk_\register, .-__x86_indirect_thunk_\register
.endm
.irp register, rax, rbx, rcx, rdx, rsi, rdi, rbp, r8, r9, r10, r11, r12, r13, r14, r15
simt_thunk \register
.endr
simt_branch:
    pushfq
    pushq %rax
    movq _ZN4simt13current_blockE@gottpoff(%rip), %rax
    cmpq $0, %fs:(%rax)
    je 1f
    cmpq $0, simt_code_begin(%rip)
    je 1f
    movq 16(%rsp), %rax
    cmpq simt_code_begin(%rip), %rax
    jb 2f
    cmpq simt_code_end(%rip), %rax
    jae 2f
1:  popq %rax
    popfq
    ret
2:  andq $-16, %rsp
    call simt_refuse_branch

.globl simt_call_outside
.hidden simt_call_outside
simt_call_outside:
    movq _ZN4simt13current_blockE@gottpoff(%rip), %r11
    cmpq $0, %fs:(%r11)
    jne 2b
    ret
)");

#endif
