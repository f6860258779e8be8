// What the runtime API's tests share: refused calls, host-side events, child processes.
#pragma once
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "../support/marks.h"
#include "simt/engine/observer.h"

/// The call succeeds.
#define EXPECT_OK(call) expect((call) == cudaSuccess, #call " to succeed")

/// Everything that `act` writes to stderr.
template <class action>
std::string stderr_of(const action& act) {
    fflush(stderr);
    const int kept = dup(2);
    const int file = memfd_create("stderr", 0);
    dup2(file, 2);
    act();
    fflush(stderr);
    dup2(kept, 2);
    close(kept);
    std::string text(size_t(lseek(file, 0, SEEK_END)), '\0');
    const ssize_t got = pread(file, text.data(), text.size(), 0);
    close(file);
    return got == ssize_t(text.size()) ? text : "";
}

inline bool is_one_line(const std::string& text) {
    return text.size() > 1 && text.find('\n') == text.size() - 1;
}

/// The call fails with exactly this error, says why in one line, and leaves the error for cudaGetLastError.
template <class action>
void expect_refused(cudaError_t wanted, const action& call, const char* what,
                    std::source_location where = std::source_location::current()) {
    cudaGetLastError();
    cudaError_t got = cudaSuccess;
    const std::string text = stderr_of([&] { got = call(); });
    const bool remembered = cudaGetLastError() == wanted;
    if (got == wanted && remembered && is_one_line(text)) return;
    expect(false,
           std::string(what) + " to give " + cudaGetErrorName(wanted) + " in one line, got " +
               cudaGetErrorName(got) + ", \"" + text + "\"",
           where);
}
#define EXPECT_REFUSED(error, call) \
    expect_refused(                 \
        error, [&] { return call; }, #call)

/// How a child process that runs `act` ended, and what it wrote to stderr.
struct child_end {
    int signal = 0, code = 0;
    std::string text;
};
template <class action>
child_end in_child(const action& act) {
    child_end end;
    int status = 0;
    end.text = stderr_of([&] {
        const pid_t child = fork();
        if (child == 0) {
            act();
            _exit(0);
        }
        waitpid(child, &status, 0);
    });
    end.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    end.code = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
    return end;
}

/// Host-side events, as an inspector gets them.
class host_events : public simt::observer {
public:
    struct event {
        std::string what;
        uintptr_t address;
        size_t bytes;
        bool operator==(const event&) const = default;
    };
    std::vector<event> events;
    std::vector<simt::allocation> allocations;
    std::vector<simt::trouble> findings;
    std::vector<size_t> fetched_bytes;
    std::vector<int> fetched_lines;

    host_events() { simt::the_observer = this; }
    ~host_events() override { simt::the_observer = nullptr; }
    void allocated(const simt::allocation& place) override {
        events.push_back({"allocated", place.begin, place.bytes});
        allocations.push_back(place);
    }
    void freed(const simt::allocation& place) override {
        events.push_back({"freed", place.begin, place.bytes});
    }
    void host_wrote(uintptr_t address, size_t bytes) override { events.push_back({"wrote", address, bytes}); }
    void host_read(uintptr_t address, size_t bytes) override { events.push_back({"read", address, bytes}); }
    void copied(uintptr_t to, uintptr_t, size_t bytes) override { events.push_back({"copied", to, bytes}); }
    void found(const simt::trouble& what) override { findings.push_back(what); }
    void texture_fetched(simt::block_context&, size_t bytes, uintptr_t site) override {
        simt::on_large_stack([&] {
            fetched_bytes.push_back(bytes);
            fetched_lines.push_back(simt::locate(site).line);
        });
    }
};

inline uintptr_t address_of(const void* pointer) {
    return reinterpret_cast<uintptr_t>(pointer);
}
