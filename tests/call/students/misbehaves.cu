// One trick for each value of `factor`; 1 is good behaviour, so that the next call can be seen to work.
#include "student.h"

#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

volatile int zero = 0;
int* volatile nowhere = nullptr;

void read_null() {
    std::printf("%d\n", *nowhere);  // HERE read_null
}

int recurse(int depth) {
    if (zero != 0) return 0;  // never
    volatile char large[4096];
    large[depth % 4096] = char(depth);
    return recurse(depth + 1) + large[(depth + 1) % 4096];
}

void write_to_all_descriptors() {
    const std::string garbage(4096, 'P');
    for (int file = 0; file < 64; file++) {
        if (write(file, garbage.data(), garbage.size()) < 0) continue;
    }
}

void allocate_for_ever() {
    std::vector<std::vector<char>> hoard;
    for (;;)
        hoard.emplace_back(64 << 20, 'x');
}

void reserve_for_ever() {
    std::vector<std::unique_ptr<char[]>> hoard;
    for (;;)
        hoard.emplace_back(new char[64 << 20]);
}

void print_for_ever() {
    const std::string line(1 << 16, 'x');
    for (;;)
        std::fwrite(line.data(), 1, line.size(), stdout);
}

/// Tries with signals that do no harm, should one get through; says so if it did.
void signal_others() {
    const pid_t judge = getppid();
    for (const pid_t target : {judge, -getpgid(judge), -1}) {
        if (kill(target, SIGURG) == 0) std::printf("a signal got through to %d\n", int(target));
    }
    if (fcntl(1, F_SETOWN, judge) == 0) std::printf("a descriptor now signals %d\n", int(judge));
    if (ptrace(PTRACE_SEIZE, judge, 0, 0) == 0) std::printf("the judge is traced\n");
    if (open(("/proc/" + std::to_string(judge) + "/mem").c_str(), O_RDWR) >= 0 && getuid() != 0)
        std::printf("the judge's memory is open\n");
    if (setsid() > 0 || setpgid(0, judge) == 0) std::printf("out of the process group\n");
    if (socket(AF_INET, SOCK_STREAM, 0) >= 0) std::printf("a socket to anywhere\n");
}

void leave_a_child() {
    const pid_t child = fork();
    if (child > 0) std::printf("a child was made\n");
    if (child != 0) return;
    for (;;)
        pause();
}

void answer_from_a_child() {
    if (fork() == 0) return;
    for (;;)
        pause();
}

/// What the judge and a worker send each other (call/channel.h, which a student cannot include).
struct message {
    uint64_t magic = 0x6c6c61632d62616c;
    uint32_t kind = 0, value = 0;
    uint64_t sequence = 0, secret[2] = {};
    char text[256] = {};

    void say() const { ::send(3, this, sizeof *this, MSG_NOSIGNAL); }
};

void flood_the_channel() {
    constexpr uint32_t CRASHED = 5;
    for (;;)
        message{.kind = CRASHED}.say();
}

void forge_an_answer() {
    constexpr uint32_t ANSWER = 4;
    message{.kind = ANSWER, .sequence = 1}.say();
}

void behave(std::span<float> out, std::span<const float> in, float factor) {
    for (size_t i = 0; i < in.size(); i++)
        out[i] = factor * in[i];
}

}  // namespace

void scale(std::span<float> out, std::span<const float> in, float factor, rounding) {
    jmp_buf elsewhere = {};
    switch (int(factor)) {
        case 1:
            break;
        case 2:
            read_null();
            break;
        case 3:
            out[0] = float(100 / zero);  // HERE division
            break;
        case 4:
            out[0] = float(recurse(0));
            break;
        case 5:
            out.data()[out.size() + 64] = 1;  // HERE past_the_end
            break;
        case 6:
            std::abort();  // HERE abort
        case 7:
            std::exit(0);
        case 8:
            _exit(3);
        case 9:
            std::quick_exit(0);
        case 10:
            for (;; static_cast<void>(zero)) {  // HERE loop
            }
        case 11:
            allocate_for_ever();
            break;
        case 35:
            reserve_for_ever();
            break;
        case 12:
            out[0] = std::vector<float>(size_t(1) << 50)[1];
            break;
        case 13:
            throw std::runtime_error("a message with \x1b[31mcolour and \xff bytes");  // HERE thrown
        case 14:
            throw 7;
        case 15:
            write_to_all_descriptors();
            break;
        case 16:
            for (int file = 0; file < 64; file++)
                close(file);
            break;
        case 17:
            for (int file = 0; file < 64; file++)
                close(file);
            for (;;)
                pause();
        case 18:
            signal_others();
            break;
        case 19:
            raise(SIGKILL);
            break;
        case 20:
            raise(SIGSTOP);
            break;
        case 21:
            kill(0, SIGTERM);
            break;
        case 22:
            return;  // nothing written
        case 23:
            const_cast<float&>(in[0]) = 99;
            break;
        case 24:
            print_for_ever();
            break;
        case 25:
            std::printf("[100] all checks PASS\n{\"score\": 100}\n");
            return;
        case 26:
            leave_a_child();
            break;
        case 27:
            answer_from_a_child();
            break;
        case 28:
            longjmp(elsewhere, 1);
        case 29:
            std::thread([] { throw 1; }).join();
            break;
        case 30:
            std::this_thread::sleep_for(std::chrono::milliseconds(400));
            break;
        case 31:
            signal(SIGALRM, SIG_IGN);
            raise(SIGILL);  // HERE illegal_instruction
            break;
        case 33:
            flood_the_channel();
            break;
        case 34:
            forge_an_answer();
            break;
        case 36:
            for (float& value : out) {
                std::unique_ptr<float[]> unset(new float[size_t(&value - out.data()) + 1]);
                value = unset[size_t(&value - out.data())];
            }
            return;
        case 32:
            out[0] = std::vector<int>(3).at(5);
            break;
    }
    behave(out, in, factor);
}
