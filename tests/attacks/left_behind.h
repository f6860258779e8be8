// What hostile programs may have left on this machine: processes, files, shared memory, descriptors. Attacks name all
// that they leave by MARK or KEY.
#pragma once
#include <mqueue.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/prctl.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

namespace attacks {

inline constexpr char MARK[] = "attack-left";
inline constexpr key_t KEY = 0x41747461;

/// From its making on, orphans of this process's descendants become its own children, where they can be counted.
class left_behind {
public:
    left_behind() : descriptors_(open_descriptors()) { prctl(PR_SET_CHILD_SUBREAPER, 1); }
    ~left_behind() { prctl(PR_SET_CHILD_SUBREAPER, 0); }
    left_behind(const left_behind&) = delete;
    left_behind& operator=(const left_behind&) = delete;

    /// One entry for each thing found.
    std::vector<std::string> look(const std::vector<std::filesystem::path>& folders) const {
        std::vector<std::string> found;
        if (has_children()) found.push_back("a process: " + children());
        if (open_descriptors() != descriptors_) found.emplace_back("a descriptor");
        if (shmget(KEY, 0, 0) >= 0) found.emplace_back("shared memory");
        if (semget(KEY, 0, 0) >= 0) found.emplace_back("semaphores");
        if (msgget(KEY, 0) >= 0) found.emplace_back("a queue of messages");
        const std::string queue = std::string("/") + MARK;
        if (mq_open(queue.c_str(), O_RDONLY) >= 0) found.emplace_back("a POSIX queue of messages");
        for (const std::filesystem::path& folder : folders)
            look_in(folder, found);
        return found;
    }

private:
    const size_t descriptors_;

    static size_t open_descriptors() {
        const std::filesystem::directory_iterator all("/proc/self/fd");
        return size_t(std::distance(begin(all), end(all)));
    }

    /// Every box that was killed has left one that has ended. What is killed takes a moment to be gone.
    static bool has_children() {
        constexpr int ROUNDS = 100;
        for (int k = 0; k < ROUNDS; k++) {
            pid_t ended;
            while ((ended = waitpid(-1, nullptr, WNOHANG)) > 0) {
            }
            if (ended < 0 && errno == ECHILD) return false;
            std::this_thread::sleep_for(std::chrono::milliseconds(50));
        }
        return true;
    }

    static std::string children() {
        std::string all, number;
        std::ifstream list("/proc/self/task/" + std::to_string(getpid()) + "/children");
        while (list >> number) {
            std::ifstream file("/proc/" + number + "/cmdline");
            std::string line;
            std::getline(file, line);
            std::replace(line.begin(), line.end(), '\0', ' ');
            all += number + " " + line + "; ";
        }
        return all;
    }

    static void look_in(const std::filesystem::path& folder, std::vector<std::string>& found) {
        std::error_code error;
        for (const auto& entry : std::filesystem::directory_iterator(folder, error))
            if (entry.path().filename().string().starts_with(MARK)) found.push_back(entry.path().string());
    }
};

}  // namespace attacks
