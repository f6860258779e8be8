// Which system calls a worker has no business with.
#pragma once
#include "call/call_filter.h"

namespace check {

/// What would reach another process or a terminal; names the calling process. Holds for workers of either kind.
void refuse_reaching_others(call_filter& filter);

/// All else but computing: files that are not only read, the network, the machine. A GPU's driver needs some of it.
void refuse_all_but_computing(call_filter& filter);

// What a worker of the CPU backend says itself before the student's code begins (worker/confine.cpp): to become another
// program, or to run code that was not there at the start; to make other processes, or to change how this one is
// scheduled.
void refuse_other_programs(call_filter& filter);
void refuse_processes(call_filter& filter);

}  // namespace check
