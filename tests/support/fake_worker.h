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

}  // namespace check
