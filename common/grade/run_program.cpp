// A child process, its time and its output.
#include "grade/run_program.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <stdexcept>

#include "call/plain_text.h"

namespace grade {

namespace {

using clock = std::chrono::steady_clock;

constexpr size_t KEPT_BYTES = 64 << 10, ENDING_BYTES = 4 << 10;
constexpr int CANNOT_START = 127;
constexpr char DEFAULT_PATH[] = "/usr/local/bin:/usr/bin:/bin";

/// Throws unless the call gave a number.
int checked(int number, const char* what) {
    if (number < 0) throw std::runtime_error(std::string(what) + ": " + std::strerror(errno));
    return number;
}

class descriptor {
public:
    descriptor(int number, const char* what) : number_(checked(number, what)) {}
    ~descriptor() { close_now(); }
    descriptor(const descriptor&) = delete;
    descriptor& operator=(const descriptor&) = delete;
    int get() const { return number_; }
    void close_now() {
        if (number_ >= 0) close(number_);
        number_ = -1;
    }

private:
    int number_;
};

/// Pointers to words that stay where they are, ended as exec wants them.
std::vector<char*> pointers_to(const std::vector<std::string>& words) {
    std::vector<char*> pointers;
    for (const std::string& word : words)
        pointers.push_back(const_cast<char*>(word.c_str()));
    pointers.push_back(nullptr);
    return pointers;
}

/// The child's side of fork: only calls that are safe there. Exit code 127 with a closed `told` is the
/// program's own, one byte in `told` says that it never began.
[[noreturn]] void become(char* const* words, char* const* environment, int input, int output, int told,
                         pid_t parent) {
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
    for (const int signal : {SIGPIPE, SIGINT, SIGTERM, SIGCHLD})
        ::signal(signal, SIG_DFL);
    const bool connected = dup2(input, 0) == 0 && dup2(output, 1) == 1 && dup2(output, 2) == 2;
    if (connected && getppid() == parent) execvpe(words[0], words, environment);
    const char failed = 1;
    if (write(told, &failed, 1) != 1) _exit(CANNOT_START + 1);
    _exit(CANNOT_START);
}

/// What was written so far; what is between the beginning and the ending is read and forgotten. False at the
/// end.
bool read_some(int pipe, program_end& seen) {
    char piece[16384];
    const ssize_t got = read(pipe, piece, sizeof piece);
    if (got < 0) return errno == EINTR || errno == EAGAIN;
    const size_t fits = std::min(size_t(got), KEPT_BYTES - seen.output.size());
    seen.output.append(piece, fits);
    seen.ending.append(piece + fits, size_t(got) - fits);
    if (seen.ending.size() > ENDING_BYTES) seen.ending.erase(0, seen.ending.size() - ENDING_BYTES);
    return got > 0;
}

/// A running child, ended with all of its process group at the latest when this goes away.
class child {
public:
    explicit child(pid_t process) : process_(process) {}
    ~child() { end(); }
    child(const child&) = delete;
    child& operator=(const child&) = delete;

    bool has_ended() {
        if (!reaped_) reaped_ = waitpid(process_, &status_, WNOHANG) == process_;
        return reaped_;
    }
    /// What it started goes with it.
    void end() {
        kill(-process_, SIGKILL);
        if (!reaped_) waitpid(process_, &status_, 0);
        reaped_ = true;
    }
    int status() const { return status_; }

private:
    pid_t process_;
    int status_ = 0;
    bool reaped_ = false;
};

/// A memory file with the input, or nothing.
int open_input(const std::string& input) {
    if (input.empty()) return open("/dev/null", O_RDONLY | O_CLOEXEC);
    const int file = memfd_create("input", MFD_CLOEXEC);
    if (file < 0) return file;
    if (write(file, input.data(), input.size()) != ssize_t(input.size())) {
        close(file);
        return -1;
    }
    lseek(file, 0, SEEK_SET);
    return file;
}

/// Reads until the end of the output, of the process or of its time. True if it was in time.
bool follow(child& running, int pipe, double most_seconds, program_end& seen) {
    constexpr int LOOK_EVERY_MS = 20, NEAR_ITS_END_MS = 1;
    const auto deadline = clock::now() + std::chrono::duration<double>(most_seconds);
    bool open = true;
    while (!running.has_ended()) {
        if (clock::now() >= deadline) return false;
        pollfd watched{pipe, POLLIN, 0};
        if (poll(&watched, open ? 1 : 0, open ? LOOK_EVERY_MS : NEAR_ITS_END_MS) > 0)
            open = read_some(pipe, seen);
    }
    return true;
}

}  // namespace

std::string program_end::text() const {
    switch (how) {
        case why::exited:
            return "ended with exit code " + std::to_string(code);
        case why::signalled:
            return "was killed by signal " + std::to_string(code);
        case why::too_late:
            return "took too long";
        case why::not_started:
            break;
    }
    return "could not be started";
}

program_end run_program(const std::vector<std::string>& command, double seconds,
                        const std::vector<std::string>& environment, const std::string& input) {
    int out[2], tell[2];
    checked(pipe2(out, O_CLOEXEC), "no pipe");
    descriptor read_end(out[0], ""), write_end(out[1], "");
    checked(pipe2(tell, O_CLOEXEC), "no pipe");
    descriptor told(tell[0], ""), teller(tell[1], "");
    const descriptor given(open_input(input), "no input");
    fcntl(read_end.get(), F_SETFL, O_NONBLOCK);

    std::vector<std::string> variables = environment;
    const char* const path = std::getenv("PATH");
    variables.push_back(std::string("PATH=") + (path != nullptr ? path : DEFAULT_PATH));
    for (const std::string name : {"LD_LIBRARY_PATH", "DEPS"})
        if (const char* const value = std::getenv(name.c_str())) variables.push_back(name + "=" + value);
    const std::vector<char*> words = pointers_to(command), values = pointers_to(variables);
    const auto begin = clock::now();
    const pid_t parent = getpid();
    const pid_t process = checked(fork(), "no process");
    if (process == 0) become(words.data(), values.data(), given.get(), write_end.get(), teller.get(), parent);
    setpgid(process, process);
    child running(process);
    write_end.close_now();
    teller.close_now();

    program_end end;
    const bool in_time = follow(running, read_end.get(), seconds, end);
    running.end();
    // Bounded: what wrote has ended, or left its group and writes on.
    constexpr int ROUNDS = 64;
    for (int k = 0; k < ROUNDS && read_some(read_end.get(), end); k++) {
    }
    end.seconds = std::chrono::duration<double>(clock::now() - begin).count();
    char failed = 0;
    if (read(told.get(), &failed, 1) == 1) return end;
    end.how = !in_time                      ? program_end::why::too_late
              : WIFEXITED(running.status()) ? program_end::why::exited
                                            : program_end::why::signalled;
    end.code = WIFEXITED(running.status()) ? WEXITSTATUS(running.status()) : WTERMSIG(running.status());
    return end;
}

std::string last_line(std::string text) {
    while (!text.empty() && text.back() == '\n')
        text.pop_back();
    return check::plain_text(text.substr(text.rfind('\n') + 1), false);
}

}  // namespace grade
