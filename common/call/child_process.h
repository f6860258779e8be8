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
class child_process {
public:
    /// Throws std::runtime_error if no process can be made or confined.
    explicit child_process(const std::filesystem::path& executable);
    ~child_process();
    child_process(const child_process&) = delete;
    child_process& operator=(const child_process&) = delete;

    pid_t id() const { return process_; }
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
    uint64_t resident_bytes() const;
    /// Ends the whole group at once.
    void kill_group();

private:
    pid_t process_ = -1;
    descriptor socket_, output_, own_folder_;
    sandbox kind_{};
    bool reaped_ = false;
    int status_ = 0;
    std::string printed_;
    uint64_t printed_bytes_ = 0;
};

}  // namespace check
