// How a call of a student's function ended: the one vocabulary of worker, judge and reports.
#pragma once
#include <cstdint>
#include <string_view>

namespace check {

enum class call_end : uint32_t {
    // What the worker answers. After the first five its process goes on.
    returned = 1,
    threw,        // std::runtime_error: what a contract asks for where a call of CUDA fails
    threw_other,  // what no contract asks for
    refused,      // threw std::invalid_argument: what a contract asks for beyond a limit
    damaged,      // returned, but a kernel failed afterwards or wrote outside its buffer
    out_of_memory,
    not_callable,  // the lab offers no function of this name
    // What the judge sees where there is no answer.
    crashed,
    exited,
    timed_out,
    out_of_time,  // all calls of the run together
    broke_protocol,
    did_not_start,
    // What a check makes of a call that returned.
    wrong_values,
    missed_counts,
    found_errors,  // by the inspector
    // What a check says where there was no call.
    not_run,  // known to end in the trouble of earlier ones
    judge_failed
};

/// Its word in reports; a report tells less than there is to know.
constexpr std::string_view to_text(call_end how) {
    switch (how) {
        case call_end::returned:
            return "returned";
        case call_end::threw:
        case call_end::threw_other:
        case call_end::refused:
        case call_end::damaged:
            return "threw";
        case call_end::out_of_memory:
            return "out_of_memory";
        case call_end::crashed:
            return "crashed";
        case call_end::exited:
            return "exited";
        case call_end::timed_out:
        case call_end::out_of_time:
            return "timed_out";
        case call_end::broke_protocol:
            return "broke_protocol";
        case call_end::not_callable:
        case call_end::did_not_start:
            return "did_not_start";
        case call_end::wrong_values:
            return "value";
        case call_end::missed_counts:
            return "count";
        case call_end::found_errors:
            return "finding";
        case call_end::not_run:
            return "not_run";
        case call_end::judge_failed:
            return "judge";
    }
    return "";
}

/// The process can serve another call.
constexpr bool goes_on(call_end how) {
    return how >= call_end::returned && how <= call_end::damaged;
}

/// The process was lost, or never came so far as to call the function.
constexpr bool is_lost(call_end how) {
    return how >= call_end::out_of_memory && how <= call_end::did_not_start;
}

/// No call of this worker will ever begin.
constexpr bool never_begins(call_end how) {
    return how == call_end::not_callable || how == call_end::did_not_start;
}

/// It took its time and did not end, or is not tried again because of that.
constexpr bool is_late(call_end how) {
    return how == call_end::timed_out || how == call_end::out_of_time || how == call_end::not_run;
}

/// The call returned, and what it gave was judged.
constexpr bool is_judged(call_end how) {
    return how == call_end::returned || (how >= call_end::wrong_values && how <= call_end::found_errors);
}

/// True for a report's word for a call or check that came to no judgement.
constexpr bool is_word_of_trouble(std::string_view word) {
    for (call_end how = call_end::returned; how <= call_end::judge_failed;
         how = call_end(uint32_t(how) + 1)) {
        if (!is_judged(how) && to_text(how) == word) return true;
    }
    return false;
}

}  // namespace check
