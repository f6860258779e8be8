// The device's process answers the judge; the host's process calls the student's functions.
#include "worker/two_processes.h"

#include "lab/backend.h"

#ifdef __CUCC__  // a GPU's device is no process

#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <optional>
#include <stdexcept>
#include <thread>

#include "call/landlock.h"
#include "simt/engine/far_device.h"
#include "simt/engine/host_news.h"
#include "simt/engine/observer.h"
#include "simt/engine/symbols.h"
#include "simt/memory/arena.h"
#include "simt/memory/sent_bytes.h"
#include "worker/call.h"
#include "worker/call_file.h"
#include "worker/confine.h"
#include "worker/device.h"
#include "worker/inspection.h"
#include "worker/ready.h"
#include "worker/source_line.h"

namespace worker {
namespace {

// ---- what the host asks of the device's process

std::string device_name;  // of the device's process

/// The call in progress.
struct open_call {
    explicit open_call(int file) : memory(file) {}
    call_file memory;
    check::leftovers before;
};
std::unique_ptr<open_call> current;

void tell_ready() {
    if (!say_ready(device_name)) _exit(channel::EXIT_CUT_OFF);
}

std::vector<uint32_t> words_of(std::span<const std::byte> bytes) {
    std::vector<uint32_t> words(bytes.size() / sizeof(uint32_t));
    if (!words.empty()) std::memcpy(words.data(), bytes.data(), words.size() * sizeof(uint32_t));
    return words;
}

/// What the device gets as other words: of the input that the judge has chosen, if it asks for that.
std::vector<simt::word_change> changes_of_input() {
    const channel::call_header& header = current->memory.header();
    if (header.change_key == 0) return {};
    uint64_t inputs = 0;
    std::vector<uint32_t> chosen, others;
    for (size_t i = 0; i < current->memory.records().size(); i++) {
        const channel::argument_kind kind = current->memory.records()[i].kind;
        if (kind == channel::argument_kind::output) continue;
        const std::vector<uint32_t> words = words_of(current->memory.argument(i));
        const bool is_chosen = kind == channel::argument_kind::input && inputs++ == header.changed_input;
        std::vector<uint32_t>& to = is_chosen ? chosen : others;
        to.insert(to.end(), words.begin(), words.end());
    }
    const check::changed_words changed(header.change_key, others);
    std::vector<simt::word_change> changes;
    for (const uint32_t word : chosen)
        if (const uint32_t other = changed.of(word); other != word) changes.push_back({word, other});
    return changes;
}

/// What the host may tell the device without having computed it, in calls with such changes.
simt::byte_list told_to_host() {
    simt::byte_list told;
    if (current->memory.header().change_key == 0) return told;
    for (size_t i = 0; i < current->memory.records().size(); i++) {
        const std::span<const std::byte> bytes = current->memory.argument(i);
        if (current->memory.records()[i].kind != channel::argument_kind::output)
            told.insert(told.end(), bytes.begin(), bytes.end());
    }
    return told;
}

/// The judge's next question; empty if there will be none.
simt::byte_list next_call() {
    if (current) throw std::out_of_range("a call before the last one is answered");
    const int file = next_call_file();
    if (file < 0) return {};
    current = std::make_unique<open_call>(file);
    close(file);
    const channel::call_header& header = current->memory.header();
    draw_inspection(header.draw != 0);
    sample_blocks(header.one_of_blocks);
    double_products(header.double_products != 0);
    simt::wire_writer to;
    channel::call_header told = header;
    told.secret = {};
    told.change_key = 0;
    told.double_products = 0;
    simt::change_words(changes_of_input());
    simt::watch_for_news(told_to_host());
    to.put(told);
    for (size_t i = 0; i < current->memory.records().size(); i++) {
        const channel::argument_record& record = current->memory.records()[i];
        to.put(record);
        if (record.kind != channel::argument_kind::output) to.put_bytes(current->memory.argument(i));
    }
    current->before = in_use();
    return to.take();
}

/// Things of the host are counted by the host, which may miscount them; memory and textures are not.
check::leftovers left_of(const check::leftovers& of_host) {
    check::leftovers left = check::left_over(current->before, in_use());
    left.streams = of_host.streams;
    left.events = of_host.events;
    left.host_pieces = of_host.host_pieces;
    left.plans = of_host.plans;
    return left;
}

host_arrays arrays_of(channel::argument_kind kind, const std::vector<simt::byte_list>& arrays) {
    host_arrays found;
    for (size_t i = 0; i < arrays.size(); i++) {
        if (current->memory.records()[i].kind == kind) found.emplace_back(arrays[i]);
    }
    return found;
}

/// The bytes of all arguments: inputs as the device had them, outputs as the host gives them.
std::vector<simt::byte_list> all_arguments(simt::wire_reader& from) {
    std::vector<simt::byte_list> arrays;
    for (size_t i = 0; i < current->memory.records().size(); i++) {
        const std::span<const std::byte> bytes = current->memory.argument(i);
        if (current->memory.records()[i].kind == channel::argument_kind::output) {
            const std::span<const std::byte> given = from.get_bytes();
            if (given.size() != bytes.size()) throw std::out_of_range("an output of another size");
            arrays.emplace_back(given.begin(), given.end());
        } else {
            arrays.push_back(simt::as_on_device(bytes));
        }
    }
    return arrays;
}

/// A kernel's failure is no matter of what the host says.
void look_at_device(answer& given) {
    const device_state state = settle_device();
    given.header.retire |= state.lost ? 1 : 0;
    if (given.header.how != check::call_end::returned || state.trouble.empty()) return;
    given.header.how = check::call_end::damaged;
    given.trouble = state.trouble;
}

/// Returns whether another call can follow.
bool take_answer(std::span<const std::byte> bytes) {
    if (!current) throw std::out_of_range("an answer without a call");
    simt::wire_reader from(bytes);
    answer given;
    given.header = from.get<channel::answer_header>();
    given.trouble = from.get_text();
    const std::span<const std::byte> times = from.get_bytes();
    given.kernel_ms.resize(times.size() / sizeof(double));
    if (!given.kernel_ms.empty())
        std::memcpy(given.kernel_ms.data(), times.data(), given.kernel_ms.size() * sizeof(double));
    const std::vector<simt::byte_list> arrays = all_arguments(from);
    const std::vector<std::string> names = parameters_of(current->memory.header().function);
    for (size_t i = 0; i < arrays.size(); i++) {
        if (current->memory.records()[i].kind != channel::argument_kind::output) continue;
        if (!arrays[i].empty())
            std::memcpy(current->memory.argument(i).data(), arrays[i].data(), arrays[i].size());
        if (i < names.size()) simt::show_host_range(names[i], arrays[i]);
    }

    look_at_device(given);
    given.header.left = left_of(given.header.left);
    given.header.changes = {simt::words_changed(), simt::words_changed_in_arguments(), simt::bytes_of_news()};
    simt::watch_for_news({});  // the answer itself, all outputs of it, tells the device nothing
    current->memory.write(given, take_inspection(arrays_of(channel::argument_kind::output, arrays),
                                                 arrays_of(channel::argument_kind::input, arrays)));
    forget_host_memory();
    const channel::call_header header = current->memory.header();
    current.reset();
    if (!send_answer(header)) _exit(channel::EXIT_CUT_OFF);
    return given.header.retire == 0;
}

// ---- the host's process

std::optional<question> ask_for_call() {
    const simt::byte_list bytes = simt::ask_device<next_call>();
    if (bytes.empty()) return std::nullopt;
    simt::wire_reader from(bytes);
    std::optional<question> asked(std::in_place);
    asked->header = from.get<channel::call_header>();
    for (uint64_t i = 0; i < asked->header.arguments; i++) {
        const auto record = from.get<channel::argument_record>();
        asked->kinds.push_back(record.kind);
        if (record.kind == channel::argument_kind::output) {
            asked->arrays.emplace_back(record.size);
        } else {
            const std::span<const std::byte> given = from.get_bytes();
            asked->arrays.emplace_back(given.data(), given.size());
        }
    }
    return asked;
}

/// Returns whether another call can follow.
bool give_answer(const question& asked, const answer& given) {
    simt::wire_writer to;
    to.put(given.header);
    to.put_bytes(simt::bytes_of(given.trouble));
    to.put_bytes(std::as_bytes(std::span(given.kernel_ms)));
    for (size_t i = 0; i < asked.kinds.size(); i++) {
        if (asked.kinds[i] != channel::argument_kind::output) continue;
        to.put_bytes({static_cast<const std::byte*>(asked.arrays[i].data()), asked.arrays[i].size()});
    }
    return simt::ask_device<take_answer>(std::span<const std::byte>(to.bytes()));
}

/// Of files: the device's process shows itself in /proc as this one was allowed to see.
void read_nothing() {
    if (check::why_no_file_ruleset() == nullptr && check::read_facts_only() != 0)
        _exit(channel::EXIT_CUT_OFF);
}

[[noreturn]] void be_the_host(int stream, pid_t device) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != device) _exit(channel::EXIT_CUT_OFF);
    const rlimit files{0, 0};  // this process makes none, not even in memory
    setrlimit(RLIMIT_FSIZE, &files);
    simt::leave_device_memory();
    simt::use_far_device(stream);
    read_nothing();
    stay_alone();
    run_student_constructors();
    simt::ask_device<tell_ready>();
    while (const std::optional<question> asked = ask_for_call()) {
        const answer given = answer_question(*asked);
        flush_output();
        if (!give_answer(*asked, given)) break;
    }
    // Destructors of the student's statics have no say any more.
    _exit(0);
}

// ---- the device's process

/// The last words of a host that crashed are for the judge.
void hand_on_last_words(int words) {
    channel::packet packet;
    int file = -1;
    while (channel::receive(words, packet, file, false) == channel::received::packet) {
        if (file >= 0) close(file);
        const bool is_crash =
            packet.kind == channel::packet_kind::crashed || packet.kind == channel::packet_kind::crash_place;
        if (is_crash) channel::send(channel::DESCRIPTOR, packet, -1, false);
    }
}

/// Ends as the host has ended. One that only closed its stream gets the time that a crash needs to find its line.
[[noreturn]] void end_like(pid_t host, int words) {
    constexpr int WAITS = 400;
    constexpr auto WAIT = std::chrono::milliseconds(10);
    int status = 0;
    for (int i = 0; waitpid(host, &status, WNOHANG) == 0; i++) {
        hand_on_last_words(words);
        if (i == WAITS) {
            kill(host, SIGKILL);
            _exit(channel::EXIT_CUT_OFF);
        }
        std::this_thread::sleep_for(WAIT);
    }
    hand_on_last_words(words);
    if (WIFSIGNALED(status)) {
        std::signal(WTERMSIG(status), SIG_DFL);
        raise(WTERMSIG(status));
    }
    _exit(WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
}

[[noreturn]] void be_the_device(int stream, int words, pid_t host) {
    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
    stay_alone();
    if (simt::serve_far_host(stream)) end_like(host, words);
    kill(host, SIGKILL);
    channel::packet nonsense;
    nonsense.kind = channel::packet_kind::failed;
    channel::send(channel::DESCRIPTOR, nonsense, -1, true);
    _exit(channel::EXIT_CUT_OFF);
}

}  // namespace

void serve_in_two_processes(const std::string& device) {
    device_name = device;
    // What the host could not look up any more: Landlock shows a process nothing but itself.
    simt::function_begin(0);
    prepare_source_lines();
    int stream[2], words[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, stream) != 0 ||
        socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, words) != 0)
        throw std::runtime_error(std::string("no sockets within a worker: ") + std::strerror(errno));
    const pid_t self = getpid(), host = fork();
    if (host < 0) throw std::runtime_error(std::string("no second process: ") + std::strerror(errno));
    if (host == 0) {
        close(stream[0]);
        close(words[0]);
        dup2(words[1], channel::DESCRIPTOR);  // a crash is told here (crash.cpp)
        close(words[1]);
        be_the_host(stream[1], self);
    }
    close(stream[1]);
    close(words[1]);
    be_the_device(stream[0], words[0], host);
}

}  // namespace worker

#else

namespace worker {

void serve_in_two_processes(const std::string&) {
    std::abort();
}

}  // namespace worker

#endif
