// boxed WORKER - starts a worker in a box (box.h) for its judge (call/launcher.h).
// Outside it becomes bwrap, inside, as `boxed --inside`, the worker.
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include "call/launcher.h"
#include "call/sandbox.h"
#include "grade/box.h"
#include "grade/gpu.h"

namespace {

constexpr char LAUNCHER[] = "/boxed", WORKER[] = "/worker", INSIDE[] = "--inside";

/// Returns only if it cannot be done.
void become(const std::vector<std::string>& command) {
    std::vector<char*> words;
    for (const std::string& word : command)
        words.push_back(const_cast<char*>(word.c_str()));
    words.push_back(nullptr);
    execvp(words[0], words.data());
    throw std::runtime_error(command[0] + ": " + std::strerror(errno));
}

/// The GPU that the grader has chosen.
void add_gpu(grade::box_contents& what) {
    const char* const number = std::getenv("CUDA_VISIBLE_DEVICES");
    if (number == nullptr) throw std::runtime_error("CUDA_VISIBLE_DEVICES does not say which GPU");
    const grade::gpu_parts parts = grade::parts_of_gpu(std::atoi(number));
    what.devices = parts.devices;
    what.libraries = parts.libraries;
    // Of the devices in the box it is the only one.
    what.environment.insert(what.environment.end(), {"CUDA_VISIBLE_DEVICES=0", "CUDA_CACHE_DISABLE=1"});
}

void make_box(const std::string& worker) {
    grade::box_contents what;
    what.read_only = {{std::filesystem::read_symlink("/proc/self/exe"), LAUNCHER}, {worker, WORKER}};
    // How many threads emulate a GPU: the grader has several workers at once.
    if (const char* threads = std::getenv("SIMT_THREADS"))
        what.environment.push_back(std::string("SIMT_THREADS=") + threads);
    if (check::sandbox_for(worker) == check::sandbox::gpu) add_gpu(what);
    become(grade::boxed(what, {LAUNCHER, INSIDE}));
}

void require(int error, const char* step) {
    if (error != 0) throw std::runtime_error(std::string(step) + ": " + std::strerror(error));
}

void enter() {
    const check::confinement confined(WORKER);
    // What Landlock allows in there is known by the folder in memory: it stays there while this is open.
    if (open("/proc/self", O_PATH) < 0) throw std::runtime_error("/proc is not there");
    if (!check::announce_launcher()) throw std::runtime_error("its judge is gone");
    require(confined.limit_resources(), "resource limits");
    require(confined.limit_files(), "Landlock");
    require(confined.limit_calls(), "the system call filter");
    become({WORKER});
}

}  // namespace

int main(int argc, char** argv) try {
    if (argc != 2) throw std::invalid_argument("usage: boxed WORKER");
    if (std::strcmp(argv[1], INSIDE) == 0)
        enter();
    else
        make_box(argv[1]);
} catch (const std::exception& error) {
    std::fprintf(stderr, "boxed: %s\n", error.what());
    return 127;
}
