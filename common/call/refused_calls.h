// Which system calls a worker has no business with.
#pragma once
#include "call/call_filter.h"

namespace check {

/// What would reach another process or a terminal. Holds for workers of either kind.
void refuse_reaching_others(call_filter& filter);

/// All else but computing: processes, files that are not only read, the network, scheduling, the machine. A
/// GPU's driver needs some of it.
void refuse_all_but_computing(call_filter& filter);

/// To become another program, or to run code that was not there at the start; a worker says so itself before the
/// student's code begins (worker/no_exec.cpp).
void refuse_other_programs(call_filter& filter);

}  // namespace check
