// Runs another program for a limited time, and says how it ended.
#pragma once
#include <string>
#include <vector>

namespace grade {

struct program_end {
    enum class why { exited, signalled, too_late, not_started };
    why how = why::not_started;
    int code = 0;        // exit code, or signal
    double seconds = 0;  // by the clock
    std::string output;  // stdout and stderr, the first 64 KB
    std::string ending;  // the last 4 KB of what did not fit

    bool succeeded() const { return how == why::exited && code == 0; }
    /// "ended with exit code 2", ...
    std::string text() const;
};

/// Runs `command`, found by PATH, with nothing to read but `input`; after so many seconds it is killed. Of
/// the environment it gets only PATH, LD_LIBRARY_PATH, DEPS and what `environment` ("NAME=value") adds. It ends when
/// the calling thread does. Nothing of it is left when this returns, but what has left its process group (boxed programs
/// cannot). Throws std::runtime_error if no process can be made.
program_end run_program(const std::vector<std::string>& command, double seconds,
                        const std::vector<std::string>& environment = {}, const std::string& input = "");

/// The last line of what a program said, fit to be shown; "" if it said nothing.
std::string last_line(std::string text);

}  // namespace grade
