// A running worker as an operating system sees it: a session, a socket, and what it prints.
#pragma once
#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "call/descriptor.h"
#include "call/sandbox.h"

namespace check {

/// Starts the executable in a session and sandbox of its own; the destructor kills whatever is left of
/// the group. Nothing here waits for longer than a few seconds, whatever the process does.
/// With a box, that program is started, is told the executable's name, and starts it in turn, in a sandbox of
/// this kind (launcher.h). It ends when the executable does, with its exit code or 128 + its signal.
class child_process {
public:
    /// Throws std::runtime_error if no process can be made or confined.
    explicit child_process(const std::filesystem::path& executable, const std::filesystem::path& box = {});
    ~child_process();
    child_process(const child_process&) = delete;
    child_process& operator=(const child_process&) = delete;

    pid_t id() const { return worker_; }  // of the worker itself, in a box or not
    /// Of the process that an inspected worker has for the student's host code (worker/two_processes.h), once it
    /// stands ready; -1 if it has none.
    pid_t host_id();
    int socket() const { return socket_.get(); }
    sandbox kind() const { return kind_; }

    /// Sleeps until a packet or text arrives, for at most this long.
    void wait_for_news(int milliseconds);
    /// Takes what has been printed so far; only the first 4000 bytes since take_printed() are kept.
    void read_printed();
    std::string take_printed();
    uint64_t printed_bytes() const { return printed_bytes_; }  // since take_printed(), kept or not

    /// The status as waitpid() gives it, once the process has ended.
    std::optional<int> status();
    /// Memory in use, in bytes; 0 if unknown.
    uint64_t resident_bytes();
    /// Processor time that the worker has used, in seconds; 0 if unknown.
    double busy_seconds();
    /// Asks every thread of one of its processes for the line where it is; the answers are packets.
    void ask_place(pid_t process);
    /// Ends the whole group at once.
    void kill_group();

private:
    void enter_box();
    bool has_box() const { return worker_ != process_; }

    pid_t process_ = -1;  // the child: the worker, or the box around it
    pid_t worker_ = -1;
    std::optional<pid_t> host_;
    descriptor socket_, output_, own_folder_;
    sandbox kind_{};
    bool reaped_ = false;
    int status_ = 0;
    std::string printed_;
    uint64_t printed_bytes_ = 0;
};

}  // namespace check
