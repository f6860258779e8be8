// The worker stays the program that it is, and alone. The judge cannot see to that: to become the worker is an exec,
// and to have its device in a process of its own (two_processes.cpp) is a fork.
#include "worker/confine.h"

#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>

#include "call/call_filter.h"
#include "call/refused_calls.h"
#include "lab/backend.h"
#include "worker/host_memory.h"

#ifdef __CUCC__  // a GPU's driver may have to start a helper

extern "C" {
using constructor = void (*)();
extern const constructor __start_student_constructors[] __attribute__((weak));
extern const constructor __stop_student_constructors[] __attribute__((weak));
}

namespace worker {
namespace {

void install(check::call_filter& filter) {
    constexpr int CANNOT_START = 127;  // as a shell says it
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    if (filter.install() != 0) _exit(CANNOT_START);
}

void stay_this_program() {
    if (check::why_no_call_filter() != nullptr) return;  // the judge's report says so (call/sandbox.h)
    check::call_filter filter;
    check::refuse_other_programs(filter);
    install(filter);
}

// Before every constructor.
[[gnu::section(".preinit_array"), gnu::used]] void (*const before_all_else)() = stay_this_program;

}  // namespace

void stay_alone() {
    if (check::why_no_call_filter() != nullptr) return;
    check::call_filter filter;
    check::refuse_reaching_others(filter);
    check::refuse_processes(filter);
    install(filter);
}

void run_student_constructors() {
    fill_new_memory();
    std::for_each(__start_student_constructors, __stop_student_constructors,
                  [](constructor construct) { construct(); });
}

}  // namespace worker

#else

namespace worker {

void stay_alone() {}
void run_student_constructors() {}

}  // namespace worker

#endif
