// What a block has room for: the limits of a worker's device,
// and the registers that the compiler gave its kernels.
#include "check/modes/block_limits.h"

#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "call/channel.h"
#include "check/expectation_memory.h"

namespace check {

constexpr int64_t MOST = 1 << 24;  // of bytes, registers and threads, on any device to come

block_limits limits_of(worker_process& worker) {
    int64_t told[4] = {};
    const argument out{argument::kind::output, nullptr, told, sizeof told};
    const call_result result = worker.call(channel::BLOCK_LIMITS, {&out, 1}, {});
    if (!result.returned()) throw std::runtime_error("the limits of a block: " + result.trouble);
    for (const int64_t limit : told) {
        if (limit < 1 || limit > MOST)
            throw std::runtime_error("the limits of a block: " + std::to_string(limit) + " is none");
    }
    return {int(told[0]), int(told[1]), int(told[2]), int(told[3])};
}

block_limits expect_limits(worker_process& worker) {
    session& run = running_session();
    run.subject = "the limits of a block";
    try {
        return limits_of(worker);
    } catch (const std::runtime_error& error) {
        run.fail(call_end::broke_protocol, {error.what()});
    }
    stop_check();
}

std::vector<kernel_registers> compiled_registers(const session& run) {
    std::filesystem::path report = run.worker_path();
    std::ifstream file(report.replace_extension(".registers"));
    std::ostringstream text;
    text << file.rdbuf();
    return read_registers(text.str());
}

}  // namespace check
