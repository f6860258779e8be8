// The worker stays the program that it is. The judge cannot see to that: to become the worker is an exec.
#include <sys/prctl.h>
#include <unistd.h>

#include "call/call_filter.h"
#include "call/refused_calls.h"
#include "lab/backend.h"

#ifndef __CUDA_RUNTIME_H__  // the include guard of NVIDIA's header: its driver may have to start a helper

namespace worker {
namespace {

void stay_this_program() {
    if (check::why_no_call_filter() != nullptr) return;  // the judge's report says so (call/sandbox.h)
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    check::call_filter filter;
    check::refuse_other_programs(filter);
    constexpr int CANNOT_START = 127;  // as a shell says it
    if (filter.install() != 0) _exit(CANNOT_START);
}

// Before every constructor, the student's own included.
[[gnu::section(".preinit_array"), gnu::used]] void (*const before_all_else)() = stay_this_program;

}  // namespace
}  // namespace worker

#endif
