// What the helpers note down while a function of a lab runs; the worker sends it to the judge.
#pragma once
#include <string>
#include <vector>

namespace lab {

/// One call: how often launches are to run, and what was measured. Outside a worker the defaults hold.
struct call_record {
    int warmups = 0;                // launches inside timed_launch that are not recorded
    int repeats = 1;                // launches that are
    std::vector<double> kernel_ms;  // one for each recorded launch
    double copy_ms = 0;             // sum over timed_copy
    std::string damage;             // first guard zone found overwritten, a sentence; empty if there is none
};

/// The record of the call in progress. Host code is single-threaded here:
/// timed_launch and timed_copy are not reentrant.
call_record& current_call();

}  // namespace lab
