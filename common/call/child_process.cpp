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
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "call/channel.h"
#include "call/launcher.h"
#include "call/plain_text.h"

namespace check {
namespace {

constexpr int CANNOT_START = 127;                  // as a shell says it
constexpr int FAILURES = channel::DESCRIPTOR + 1;  // of the child, until exec

/// Moved out of the way of those that the child gives new meanings. Throws std::runtime_error.
descriptor moved(int number) {
    descriptor here(number);
    if (number < 0)
        throw std::runtime_error(std::string("a worker cannot be started: ") + std::strerror(errno));
    if (!here.move_away()) throw std::runtime_error("a worker cannot be started: too many open files");
    return here;
}

void close_from(int first) {
#ifdef SYS_close_range
    if (syscall(SYS_close_range, unsigned(first), ~0u, 0u) == 0) return;
#endif
    for (int i = first; i < 4096; i++)
        close(i);
}

/// What the child says through a pipe if it does not become a worker; exec closes the pipe in silence.
struct start_failure {
    const char* step = nullptr;  // the judge's own text: both processes have it at the same place
    int error = 0;
};

/// All that the child needs, made by the judge.
struct child_plan {
    const char* executable = nullptr;
    const char* box = nullptr;  // null: none
    char* const* environment = nullptr;
    const confinement* confined = nullptr;
    int input = -1, output = -1, socket = -1, failures = -1;
    pid_t judge = -1;
};

/// Goes through the steps; returns the one that failed.
start_failure prepare_child(const child_plan& plan) {
    // A session of its own: a group to be killed as a whole, and no terminal to type into.
    if (setsid() < 0) return {"its session", errno};
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) return {"its end with the judge", errno};
    if (getppid() != plan.judge) return {"its judge, which has ended", 0};
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
    for (const int signal : {SIGPIPE, SIGINT, SIGTERM, SIGCHLD, SIGALRM})
        ::signal(signal, SIG_DFL);

    // In a sandbox no box can be made: there the launcher enters it.
    const confinement* const confined = plan.box == nullptr ? plan.confined : nullptr;
    if (const int error = confined ? confined->limit_resources() : 0) return {"resource limits", error};
    if (const int error = confined ? confined->limit_files() : 0) return {"Landlock", error};
    const bool connected = dup2(plan.input, 0) == 0 && dup2(plan.output, 1) == 1 &&
                           dup2(plan.output, 2) == 2 &&
                           dup2(plan.socket, channel::DESCRIPTOR) == channel::DESCRIPTOR &&
                           dup3(plan.failures, FAILURES, O_CLOEXEC) == FAILURES;
    if (!connected) return {"its descriptors", errno};
    close_from(FAILURES + 1);
    if (const int error = confined ? confined->limit_calls() : 0) return {"the system call filter", error};
    const char* const program = plan.box == nullptr ? plan.executable : plan.box;
    char* const second = plan.box == nullptr ? nullptr : const_cast<char*>(plan.executable);
    char* const arguments[] = {const_cast<char*>(program), second, nullptr};
    execve(program, arguments, plan.environment);
    return {program, errno};
}

/// The child's side of fork: becomes the worker or ends. Only calls that are safe between fork and exec.
[[noreturn]] void become_worker(const child_plan& plan) {
    const start_failure failed = prepare_child(plan);
    // The pipe has its other number once all others are closed.
    const ssize_t told = write(plan.failures, &failed, sizeof failed);
    if (told < 0 && write(FAILURES, &failed, sizeof failed) < 0) _exit(CANNOT_START);
    _exit(CANNOT_START);
}

/// Waits until the child has become a worker. Throws std::runtime_error if it does not.
void await_start(int failures) {
    constexpr int START_MS = 20000;
    pollfd news{failures, POLLIN, 0};
    start_failure failed{"it did not start in time", 0};
    const int arrived = poll(&news, 1, START_MS);
    if (arrived > 0 && read(failures, &failed, sizeof failed) <= 0) return;
    const std::string why = failed.error == 0 ? "" : std::string(": ") + std::strerror(failed.error);
    throw std::runtime_error(std::string("a worker cannot be started: ") + failed.step + why);
}

/// The child's whole environment: PATH and language are always the same, and what the loader and the CPU
/// backend (or CUDA) look at is handed on. Nothing else of the user's is any business of a student's code.
/// A profiler of GPUs follows from process to process by variables of its own: where PROFILED is set, a GPU's
/// worker gets all there are.
std::vector<std::string> worker_environment(sandbox kind) {
    const bool is_profiled = kind == sandbox::gpu && std::getenv("PROFILED") != nullptr;
    std::vector<std::string> kept = {"PATH=/usr/bin:/bin", "LANG=C.UTF-8"};
    for (char** entry = environ; *entry != nullptr; entry++) {
        const std::string_view text = *entry;
        const auto begins = [&](std::string_view name) { return text.starts_with(name); };
        const bool for_gpu = kind == sandbox::gpu &&
                             (begins("CUDA_") || begins("NVIDIA_") || begins("HOME=") || begins("TMPDIR="));
        if (is_profiled || for_gpu || begins("LD_LIBRARY_PATH=") || begins("DEPS=") || begins("SIMT_"))
            kept.emplace_back(text);
    }
    return kept;
}

uint64_t resident_bytes_of(pid_t process) {
    std::ifstream file("/proc/" + std::to_string(process) + "/statm");
    uint64_t all_pages = 0, resident_pages = 0;
    if (!(file >> all_pages >> resident_pages)) return 0;
    return resident_pages * uint64_t(sysconf(_SC_PAGESIZE));
}

double busy_seconds_of(pid_t process) {
    std::ifstream file("/proc/" + std::to_string(process) + "/stat");
    std::string text;
    std::getline(file, text);
    std::istringstream fields(text.substr(std::min(text.size(), text.rfind(')') + 1)));
    constexpr int BEFORE_TIMES = 11;  // from the state on
    std::string skipped;
    for (int i = 0; i < BEFORE_TIMES; i++)
        fields >> skipped;
    double user = 0, system = 0;
    if (!(fields >> user >> system)) return 0;
    return (user + system) / double(sysconf(_SC_CLK_TCK));
}

/// The first process that this one has started; -1 if there is none.
pid_t child_of(pid_t parent) {
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator("/proc", error)) {
        const std::string name = entry.path().filename().string();
        if (name.find_first_not_of("0123456789") != std::string::npos) continue;
        std::ifstream file(entry.path() / "stat");
        std::string text;
        std::getline(file, text);  // nothing of a process that has just ended
        const size_t after_name =
            text.rfind(')');  // "12 (name) S 11 ...", where a name may hold all but this
        if (after_name == std::string::npos) continue;
        std::istringstream fields(text.substr(after_name + 1));
        std::string state;
        pid_t its_parent = -1;
        if (fields >> state >> its_parent && its_parent == parent) return pid_t(std::stol(name));
    }
    return -1;
}

}  // namespace

child_process::child_process(const std::filesystem::path& executable, const std::filesystem::path& box) {
    const confinement confined(executable);
    kind_ = confined.kind();
    int sockets[2], pipes[2], failures[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sockets) != 0)
        throw std::runtime_error(std::string("no socket for a worker: ") + std::strerror(errno));
    descriptor judge_socket = moved(sockets[0]), worker_socket = moved(sockets[1]);
    if (pipe2(pipes, O_CLOEXEC) != 0)
        throw std::runtime_error(std::string("no pipe for a worker: ") + std::strerror(errno));
    descriptor read_end = moved(pipes[0]), write_end = moved(pipes[1]);
    if (pipe2(failures, O_CLOEXEC) != 0)
        throw std::runtime_error(std::string("no pipe for a worker: ") + std::strerror(errno));
    descriptor failures_seen = moved(failures[0]), failures_told = moved(failures[1]);
    descriptor nothing = moved(open("/dev/null", O_RDONLY | O_CLOEXEC));
    fcntl(read_end.get(), F_SETFL, O_NONBLOCK);

    const std::string path = executable.string(), box_path = box.string();
    std::vector<std::string> variables = worker_environment(kind_);
    std::vector<char*> environment;
    for (std::string& variable : variables)
        environment.push_back(variable.data());
    environment.push_back(nullptr);
    const child_plan plan{path.c_str(),
                          box.empty() ? nullptr : box_path.c_str(),
                          environment.data(),
                          &confined,
                          nothing.get(),
                          write_end.get(),
                          worker_socket.get(),
                          failures_told.get(),
                          getpid()};
    if (!box.empty()) expect_launcher(judge_socket.get());
    process_ = worker_ = fork();
    if (process_ < 0)
        throw std::runtime_error(std::string("no process for a worker: ") + std::strerror(errno));
    if (process_ == 0) become_worker(plan);
    // What Landlock allows in there is known by the folder in memory: it stays there while this is open.
    own_folder_ = descriptor(open(("/proc/" + std::to_string(process_)).c_str(), O_PATH | O_CLOEXEC));
    // The child's ends are its own: else nobody would see them closed.
    failures_told = {};
    worker_socket = {};
    write_end = {};
    socket_ = std::move(judge_socket);
    output_ = std::move(read_end);
    try {
        await_start(failures_seen.get());
        if (!box.empty()) enter_box();
    } catch (const std::exception&) {
        kill_group();
        throw;
    }
}

/// Waits until the box stands; the worker is then who says so.
void child_process::enter_box() {
    constexpr int BOX_MS = 20000;
    const pid_t launcher = wait_for_launcher(socket(), BOX_MS);
    if (launcher > 0) {
        worker_ = launcher;
        return;
    }
    kill_group();
    read_printed();
    const std::string said = take_printed();
    throw std::runtime_error("no box for a worker: " + (said.empty() ? "it did not start in time" : said));
}

child_process::~child_process() {
    kill_group();
}

void child_process::wait_for_news(int milliseconds) {
    pollfd watched[] = {{socket_.get(), POLLIN, 0}, {output_.get(), POLLIN, 0}};
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
        const ssize_t got = read(output_.get(), piece, sizeof piece);
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
    if (!reaped_ && waitpid(process_, &status_, WNOHANG) == process_) {
        reaped_ = true;
        constexpr int SIGNALS = 128;  // in exit codes, as shells have them
        const int signal = has_box() && WIFEXITED(status_) ? WEXITSTATUS(status_) - SIGNALS : 0;
        if (signal > 0 && signal <= SIGRTMAX) status_ = signal;
    }
    return reaped_ ? std::optional<int>(status_) : std::nullopt;
}

pid_t child_process::host_id() {
    if (!host_) host_ = child_of(worker_);
    return *host_;
}

uint64_t child_process::resident_bytes() {
    return resident_bytes_of(worker_) + (host_.value_or(-1) > 0 ? resident_bytes_of(*host_) : 0);
}

double child_process::busy_seconds() {
    return busy_seconds_of(worker_) + (host_.value_or(-1) > 0 ? busy_seconds_of(*host_) : 0);
}

void child_process::ask_place(pid_t process) {
    std::error_code error;
    const std::string tasks = "/proc/" + std::to_string(process) + "/task";
    for (const auto& entry : std::filesystem::directory_iterator(tasks, error))
        syscall(SYS_tgkill, process, std::atoi(entry.path().filename().c_str()), channel::ASKS_PLACE);
}

void child_process::kill_group() {
    // Its number cannot go to another group before the process has been waited for. What it started and left
    // behind is in the same group: leaving it is forbidden (refused_calls.h).
    if (process_ <= 0) return;
    if (!reaped_ && has_box()) ::kill(worker_, SIGKILL);  // in a session of its own; a box ends with it
    ::kill(-process_, SIGKILL);
    if (!reaped_) ::kill(process_, SIGKILL);
    // A driver can hold a process for a while; a process
    // that never ends is not worth a judge that never ends.
    constexpr int ATTEMPTS = 2500;
    for (int i = 0; i < ATTEMPTS && !status(); i++)
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
}

}  // namespace check
