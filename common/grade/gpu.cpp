// GPUs as nvidia-smi(1) tells of them. The lock is flock(2) on the device's node, which is one for all users.
#include "grade/gpu.h"

#include <fcntl.h>
#include <sys/file.h>

#include <chrono>
#include <cstdlib>
#include <sstream>
#include <stdexcept>
#include <thread>

#include "call/landlock.h"
#include "grade/run_program.h"

namespace grade {

namespace fs = std::filesystem;

namespace {

/// One value a line. Throws std::runtime_error with what it said instead.
std::vector<std::string> ask_driver(const std::vector<std::string>& question) {
    constexpr double SECONDS = 30;
    std::vector<std::string> command = {"nvidia-smi", "--format=csv,noheader,nounits"};
    command.insert(command.end(), question.begin(), question.end());
    const program_end end = run_program(command, SECONDS);
    if (!end.succeeded()) throw std::runtime_error("nvidia-smi " + end.text() + ": " + last_line(end.output));
    std::vector<std::string> answers;
    std::istringstream lines(end.output);
    for (std::string line; std::getline(lines, line);)
        if (!line.empty()) answers.push_back(line);
    return answers;
}

uint64_t number_in(const std::vector<std::string>& answers) {
    std::istringstream text(answers.empty() ? "" : answers.front());
    uint64_t number = 0;
    if (!(text >> number)) throw std::runtime_error("nvidia-smi does not tell a number");
    return number;
}

std::string of_gpu(int number) {
    return "--id=" + std::to_string(number);
}

uint64_t memory_used(int number) {
    return number_in(ask_driver({of_gpu(number), "--query-gpu=memory.used"}));
}

fs::path node_of(int number, const fs::path& nodes) {
    return nodes / ("nvidia" + std::to_string(number));
}

constexpr char DRIVER_LIBRARY[] = "libcuda.so.1";

/// Folders with the driver's library: by LD_LIBRARY_PATH, and by the loader's own list, whose lines are
/// "libcuda.so.1 (...) => /a/folder/libcuda.so.1".
std::vector<fs::path> driver_folders() {
    constexpr double SECONDS = 10;
    std::vector<fs::path> folders = check::named_library_folders();
    std::erase_if(folders, [](const fs::path& folder) { return !fs::exists(folder / DRIVER_LIBRARY); });
    const program_end end = run_program({"/sbin/ldconfig", "-p"}, SECONDS);
    std::istringstream lines(end.output);
    for (std::string line; std::getline(lines, line);) {
        const size_t arrow = line.find("=> ");
        if (arrow != std::string::npos && line.find(std::string(DRIVER_LIBRARY) + " ") != std::string::npos)
            folders.push_back(fs::path(line.substr(arrow + 3)).parent_path());
    }
    return folders;
}

bool is_systems(const fs::path& folder) {
    const std::string path = folder.string() + "/";
    return path.starts_with("/usr/lib") || path.starts_with("/lib");
}

}  // namespace

gpu_parts parts_of_gpu(int number, const fs::path& nodes) {
    gpu_parts parts;
    for (const fs::path& node : {node_of(number, nodes), nodes / "nvidiactl", nodes / "nvidia-uvm",
                                 nodes / "nvidia-uvm-tools", nodes / "dxg"})
        if (fs::exists(node)) parts.devices.push_back(node);
    for (const fs::path& folder : driver_folders())
        if (!is_systems(folder)) parts.libraries.push_back(folder);
    return parts;
}

gpu_lease::gpu_lease(const fs::path& nodes) {
    constexpr auto LOOK_EVERY = std::chrono::milliseconds(50);
    const std::vector<std::string> all = ask_driver({"--query-gpu=index"});
    if (all.empty()) throw std::runtime_error("nvidia-smi lists no GPU");
    for (;; std::this_thread::sleep_for(LOOK_EVERY)) {
        for (const std::string& one : all) {
            number_ = int(number_in({one}));
            const fs::path node = node_of(number_, nodes);
            lock_ = check::descriptor(open(node.c_str(), O_RDONLY | O_CLOEXEC));
            if (lock_.get() < 0) throw std::runtime_error(node.string() + ": cannot be opened");
            if (flock(lock_.get(), LOCK_EX | LOCK_NB) != 0) continue;
            used_before_ = memory_used(number_);
            return;
        }
    }
}

void gpu_lease::require_clean(double seconds) const {
    using clock = std::chrono::steady_clock;
    constexpr uint64_t NOISE_MIB = 16;  // the driver's own goes up and down
    constexpr auto LOOK_EVERY = std::chrono::milliseconds(200);
    const auto deadline = clock::now() + std::chrono::duration<double>(seconds);
    for (;; std::this_thread::sleep_for(LOOK_EVERY)) {
        const uint64_t used = memory_used(number_);
        const bool is_clean = used <= used_before_ + NOISE_MIB &&
                              ask_driver({of_gpu(number_), "--query-compute-apps=pid"}).empty();
        if (is_clean) return;
        if (clock::now() >= deadline)
            throw std::runtime_error(
                "GPU " + std::to_string(number_) + " is not as it was before: " + std::to_string(used) +
                " MiB are taken, " + std::to_string(used_before_) + " were; nvidia-smi tells who has them");
    }
}

}  // namespace grade
