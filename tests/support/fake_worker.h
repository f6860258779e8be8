// A worker that is no process: a test that includes this links it instead of the library's.
#pragma once
#include <stdexcept>

#include "call/worker_process.h"
#include "check/blind_call.h"
#include "problem/problem.h"

namespace check {

struct worker_process::state {};
worker_process::worker_process(std::filesystem::path, std::filesystem::path) {}
worker_process::~worker_process() = default;
std::string worker_process::device() {
    return "CPU backend (2 threads)";
}
bool worker_process::is_for_gpu() const {
    return false;
}
void worker_process::require_gpu() {}
inline std::string missing_on_fake_machine;
std::string worker_process::missing_protection() {
    return missing_on_fake_machine;
}
void worker_process::draw_on(std::shared_ptr<time_budget>) {}
call_result worker_process::call(const std::string& function, std::span<const argument>,
                                 const call_options&) {
    throw std::logic_error(function + ": a made-up method asks no worker");
}

/// What a made-up kernel computes with: in a blind call (check/blind_call.h) another input than the host's.
inline problem_1d as_the_device_has_it(problem_1d problem, const call_options& options) {
    return options.change_key == 0 ? problem : as_on_device(std::move(problem), options.change_key);
}

}  // namespace check
