// A worker that is no process: a test that includes this links it instead of the library's.
#pragma once
#include "call/worker_process.h"

namespace check {

struct worker_process::state {};
worker_process::worker_process(std::filesystem::path, std::filesystem::path) {}
worker_process::~worker_process() = default;
std::string worker_process::device() {
    return "CPU backend (2 threads)";
}
bool worker_process::has_gpu() {
    return false;
}
inline std::string missing_on_fake_machine;
std::string worker_process::missing_protection() {
    return missing_on_fake_machine;
}
void worker_process::draw_on(std::shared_ptr<time_budget>) {}

}  // namespace check
