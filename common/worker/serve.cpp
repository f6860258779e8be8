// Calls in one process: the judge's memory is mapped before and after the student's function, never while it runs.
#include "worker/serve.h"

#include <unistd.h>

#include <cstring>

#include "worker/call.h"
#include "worker/call_file.h"
#include "worker/device.h"

namespace worker {
namespace {

question read_question(int file) {
    const call_file memory(file);
    question asked;
    asked.header = memory.header();
    for (size_t i = 0; i < memory.records().size(); i++) {
        const std::span<std::byte> bytes = memory.argument(i);
        asked.kinds.push_back(memory.records()[i].kind);
        if (asked.kinds[i] == channel::argument_kind::output)
            asked.arrays.emplace_back(bytes.size());
        else
            asked.arrays.emplace_back(bytes.data(), bytes.size());
    }
    return asked;
}

void write_answer(int file, const question& asked, answer& given) {
    const call_file memory(file);
    for (size_t i = 0; i < asked.kinds.size(); i++) {
        if (asked.kinds[i] == channel::argument_kind::output && asked.arrays[i].size() > 0)
            std::memcpy(memory.argument(i).data(), asked.arrays[i].data(), asked.arrays[i].size());
    }
    memory.write(given, "");
}

/// False if this process can serve no other call.
bool serve_call(int file) {
    const pid_t self = getpid();
    const question asked = read_question(file);
    answer given = answer_question(asked);
    forget_host_memory();
    if (getpid() != self) _exit(0);  // a child that the student's code forked has nothing to say
    flush_output();
    write_answer(file, asked, given);
    if (!send_answer(asked.header)) _exit(channel::EXIT_CUT_OFF);
    return given.header.retire == 0;
}

}  // namespace

void serve_calls() {
    for (;;) {
        const int file = next_call_file();
        if (file < 0) return;
        const bool can_go_on = serve_call(file);
        close(file);
        if (!can_go_on) return;
    }
}

}  // namespace worker
