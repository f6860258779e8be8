// One call of a student's function in this process: question, answer, and what lies between.
#pragma once
#include <string>
#include <vector>

#include "call/channel.h"
#include "worker/host_array.h"

namespace worker {

/// The judge's question, copied into memory of our own.
struct question {
    channel::call_header header;
    std::vector<channel::argument_kind> kinds;
    std::vector<host_array> arrays;  // one for each kind; an output's is filled with 0xff
};

/// What the function did. `header` lacks what the judge's memory has of its own: sequence, secret and sizes.
struct answer {
    channel::answer_header header;
    std::vector<double> kernel_ms;
    std::string trouble;
};

/// Calls the function; nothing that it throws gets past here.
answer answer_question(const question& asked);

/// The names of the function's parameters; none if the lab offers nothing of this name.
std::vector<std::string> parameters_of(const std::string& function);

/// What a student's program has printed so far must reach the judge before the answer does.
void flush_output();

}  // namespace worker
