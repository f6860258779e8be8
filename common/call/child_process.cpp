// Starts, watches and ends one worker process.
#include "call/child_process.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fstream>
#include <stdexcept>
#include <thread>
#include <utility>

#include "call/channel.h"
#include "call/plain_text.h"

namespace check {
namespace {

constexpr int CANNOT_START = 127;  // as a shell says it

/// A file descriptor that closes itself, moved out of the way of 0 to 3, which the child gives new meanings.
class descriptor {
public:
    explicit descriptor(int number) {
        if (number < 0)
            throw std::runtime_error(std::string("a worker cannot be started: ") + std::strerror(errno));
        number_ = fcntl(number, F_DUPFD_CLOEXEC, 10);
        close(number);
        if (number_ < 0) throw std::runtime_error("a worker cannot be started: too many open files");
    }
    ~descriptor() {
        if (number_ >= 0) close(number_);
    }
    descriptor(const descriptor&) = delete;
    descriptor& operator=(const descriptor&) = delete;

    int get() const { return number_; }
    int release() { return std::exchange(number_, -1); }

private:
    int number_ = -1;
};

void close_from(int first) {
#ifdef SYS_close_range
    if (syscall(SYS_close_range, unsigned(first), ~0u, 0u) == 0) return;
#endif
    for (int i = first; i < 4096; i++)
        close(i);
}

/// The child's side of fork: becomes the worker or ends. Only calls that are safe between fork and exec.
[[noreturn]] void become_worker(const char* executable, int input, int output, int socket, sandbox kind,
                                pid_t judge) {
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != judge) _exit(CANNOT_START);  // the judge ended before the line above
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
    for (const int signal : {SIGPIPE, SIGINT, SIGTERM, SIGCHLD, SIGALRM})
        ::signal(signal, SIG_DFL);

    const bool connected = dup2(input, 0) == 0 && dup2(output, 1) == 1 && dup2(output, 2) == 2 &&
                           dup2(socket, channel::DESCRIPTOR) == 3;
    close_from(channel::DESCRIPTOR + 1);
    if (!connected || !enter_sandbox(kind)) _exit(CANNOT_START);
    char* const arguments[] = {const_cast<char*>(executable), nullptr};
    execv(executable, arguments);
    _exit(CANNOT_START);
}

}  // namespace

child_process::child_process(const std::filesystem::path& executable) : kind_(sandbox_for(executable)) {
    int sockets[2], pipes[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sockets) != 0)
        throw std::runtime_error(std::string("no socket for a worker: ") + std::strerror(errno));
    descriptor judge_socket(sockets[0]), worker_socket(sockets[1]);
    if (pipe2(pipes, O_CLOEXEC) != 0)
        throw std::runtime_error(std::string("no pipe for a worker: ") + std::strerror(errno));
    descriptor read_end(pipes[0]), write_end(pipes[1]);
    descriptor nothing(open("/dev/null", O_RDONLY | O_CLOEXEC));
    fcntl(read_end.get(), F_SETFL, O_NONBLOCK);

    const std::string path = executable.string();
    const pid_t judge = getpid();
    process_ = fork();
    if (process_ < 0)
        throw std::runtime_error(std::string("no process for a worker: ") + std::strerror(errno));
    if (process_ == 0)
        become_worker(path.c_str(), nothing.get(), write_end.get(), worker_socket.get(), kind_, judge);
    setpgid(process_, process_);  // here too: whoever comes first
    socket_ = judge_socket.release();
    output_ = read_end.release();
}

child_process::~child_process() {
    kill_group();
    close(socket_);
    close(output_);
}

void child_process::wait_for_news(int milliseconds) {
    pollfd watched[] = {{socket_, POLLIN, 0}, {output_, POLLIN, 0}};
    if (poll(watched, 2, milliseconds) <= 0) return;
    // A closed end is news for ever; do not spin on it.
    const auto hung_up = [](const pollfd& one) { return one.revents != 0 && !(one.revents & POLLIN); };
    if (hung_up(watched[0]) || hung_up(watched[1])) std::this_thread::sleep_for(std::chrono::milliseconds(2));
}

void child_process::read_printed() {
    constexpr size_t KEPT_BYTES = 4000;
    // A program that prints without end must not keep the judge here: the rest waits for the next round.
    constexpr int ROUNDS = 64;
    char piece[65536];
    for (int i = 0; i < ROUNDS; i++) {
        const ssize_t got = read(output_, piece, sizeof piece);
        if (got <= 0) return;
        printed_bytes_ += uint64_t(got);
        printed_.append(piece, std::min(size_t(got), KEPT_BYTES - printed_.size()));
    }
}

std::string child_process::take_printed() {
    printed_bytes_ = 0;
    return plain_text(std::exchange(printed_, {}), true);
}

std::optional<int> child_process::status() {
    if (!reaped_) reaped_ = waitpid(process_, &status_, WNOHANG) == process_;
    return reaped_ ? std::optional<int>(status_) : std::nullopt;
}

uint64_t child_process::resident_bytes() const {
    std::ifstream file("/proc/" + std::to_string(process_) + "/statm");
    uint64_t all_pages = 0, resident_pages = 0;
    if (!(file >> all_pages >> resident_pages)) return 0;
    return resident_pages * uint64_t(sysconf(_SC_PAGESIZE));
}

void child_process::kill_group() {
    // Its number cannot go to another group before the process has been waited for. What it started and left
    // behind is in the same group: leaving it is forbidden (sandbox.h).
    if (process_ <= 0) return;
    ::kill(-process_, SIGKILL);
    if (!reaped_) ::kill(process_, SIGKILL);
    // A driver can hold a process for a while; a process
    // that never ends is not worth a judge that never ends.
    constexpr int ATTEMPTS = 2500;
    for (int i = 0; i < ATTEMPTS && !status(); i++)
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
}

}  // namespace check
