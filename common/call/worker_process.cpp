// The judge's side of a call: writes the question, reads the answer, and believes none of it.
#include "call/worker_process.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>
#include <algorithm>
#include <chrono>
#include <cstring>
#include <optional>
#include <random>
#include <set>
#include <stdexcept>

#include "call/call_memory.h"
#include "call/channel.h"
#include "call/child_process.h"
#include "call/descriptor.h"
#include "call/plain_text.h"
#include "call/wait.h"

namespace check {
namespace {

constexpr double START_SECONDS = 20;
constexpr double GPU_START_SECONDS = 60;  // a context takes seconds, on a busy machine many
constexpr char CUT_OFF[] = "closed the files through which it answers";

channel::token random_token() {
    static std::random_device source;
    channel::token secret{};
    for (uint64_t& word : secret)
        word = uint64_t(source()) << 32 | source();
    return secret;
}

std::string crash_text(const wait_result& seen) {
    const std::string place = seen.crash_place.empty() ? "" : " in " + seen.crash_place;
    return fmt::format("crashed{} ({})", place, plain_text(seen.crash->text, false));
}

/// The verdict on a process that ended before it answered.
void judge_end(call_result& result, const wait_result& seen, const std::string& before_what) {
    if (seen.crash) {
        result.how = call_end::crashed;
        result.trouble = crash_text(seen);
    } else if (WIFEXITED(seen.status) && WEXITSTATUS(seen.status) == channel::EXIT_CUT_OFF) {
        result.how = call_end::broke_protocol;
        result.trouble = CUT_OFF;
    } else if (WIFEXITED(seen.status)) {
        result.how = call_end::exited;
        result.trouble = fmt::format("left with exit({}) before {}", WEXITSTATUS(seen.status), before_what);
    } else {
        result.how = call_end::crashed;
        const int signal = WTERMSIG(seen.status);
        result.trouble =
            fmt::format("was killed by signal {} ({}) before {}", signal, strsignal(signal), before_what);
    }
}

/// The verdict on anything but a packet.
void judge_silence(call_result& result, const wait_result& seen, const std::string& before_what,
                   uint64_t most_memory) {
    using why = wait_result::why;
    switch (seen.reason) {
        case why::ended:
            judge_end(result, seen, before_what);
            break;
        case why::hung_up:
            result.how = call_end::broke_protocol;
            result.trouble = CUT_OFF;
            break;
        case why::late:
            result.how = call_end::timed_out;
            result.trouble = fmt::format("did not return within {:g} s (an endless loop?)", seen.limit);
            break;
        case why::too_much_memory:
            result.how = call_end::out_of_memory;
            result.trouble = fmt::format("used more than {} of memory", memory_text(most_memory));
            break;
        case why::too_much_text:
            result.how = call_end::broke_protocol;
            result.trouble = "printed more than " + memory_text(MOST_PRINTED);
            break;
        case why::garbage:
        case why::packet:
            result.how = call_end::broke_protocol;
            result.trouble = "sent something that is not an answer";
            break;
    }
}

/// Takes over what the worker says about a call; outputs only if it returned or refused.
void judge_answer(call_result& result, const call_memory& memory, std::span<const argument> arguments,
                  uint64_t most_memory) {
    const std::optional<call_memory::answer> given = memory.read_answer();
    if (!given) {
        result.how = call_end::broke_protocol;
        result.trouble = "sent something that is not an answer";
        return;
    }
    result.kernel_ms = given->kernel_ms;
    result.copy_ms = given->copy_ms;
    result.block = given->block;
    result.call_ms = given->call_ms;
    result.left = given->left;
    result.changes = given->changes;
    result.seen = given->seen;
    const std::string text = plain_text(given->trouble, false);
    result.place = plain_text(given->place, false);
    result.how = given->how;
    switch (result.how) {
        case call_end::returned:
            memory.copy_outputs(arguments);
            break;
        case call_end::refused:
            memory.copy_outputs(arguments);
            [[fallthrough]];
        case call_end::threw:
        case call_end::threw_other:
            result.trouble = "threw: " + text;
            break;
        case call_end::damaged:
            result.trouble = text;
            break;
        case call_end::out_of_memory:
            result.trouble = fmt::format("used more than {} of memory", memory_text(most_memory));
            break;
        default:  // not_callable: read_answer() lets nothing else through
            result.trouble = "cannot be called: " + text;
            break;
    }
}

/// While a judge calls a worker, worker.sh puts no other in its place: the file stays locked while this is open.
/// Not open for a worker that worker.sh has not made.
descriptor lock_of(const std::filesystem::path& executable) {
    descriptor file(open((executable.string() + ".lock").c_str(), O_RDONLY | O_CLOEXEC));
    if (file.get() >= 0) flock(file.get(), LOCK_SH);
    return file;
}

}  // namespace

struct worker_process::state {
    state(std::filesystem::path worker, std::filesystem::path its_box)
        : executable(std::move(worker)),
          box(std::move(its_box)),
          kind(sandbox_for(executable)),
          lock(lock_of(executable)) {}

    std::filesystem::path executable, box;
    sandbox kind;
    descriptor lock;
    std::unique_ptr<child_process> child;
    uint64_t calls = 0;
    std::string device;
    std::shared_ptr<time_budget> budget;
    std::set<std::string> endless;  // functions that did not end in time
    std::optional<call_result>
        hopeless;  // the verdict on a start that took all its time: not worth another try

    call_result start();
    call_result call(const std::string& function, std::span<const argument> arguments,
                     const call_options& options);
    call_result call_in_budget(const std::string& function, std::span<const argument> arguments,
                               call_options options);
    bool is_idle();
};

/// True if the process is there and has said nothing since its last answer.
bool worker_process::state::is_idle() {
    if (!child || child->status()) return false;
    channel::packet packet;
    int file = -1;
    const channel::received got = channel::receive(child->socket(), packet, file, false);
    if (file >= 0) close(file);
    return got == channel::received::nothing;
}

/// Starts a worker unless one is waiting; "returned" means that it stands ready.
call_result worker_process::state::start() {
    call_result result;
    if (is_idle()) {
        result.how = call_end::returned;
        return result;
    }
    if (hopeless) return *hopeless;
    child.reset();
    child = std::make_unique<child_process>(executable, box);
    const uint64_t most_memory = memory_limit(child->kind(), 0);
    const double seconds = child->kind() == sandbox::gpu ? GPU_START_SECONDS : START_SECONDS;
    const wait_result seen = wait_for_packet(*child, {seconds, seconds, most_memory});
    if (seen.reason == wait_result::why::packet && seen.packet.kind == channel::packet_kind::ready) {
        child->host_id();  // known from now on
        device = plain_text(seen.packet.text, false);
        result.how = call_end::returned;
        return result;
    }
    if (seen.reason == wait_result::why::packet && seen.packet.kind == channel::packet_kind::failed) {
        result.trouble = "cannot start: " + plain_text(seen.packet.text, false);
    } else {
        judge_silence(result, seen, "main() began its work (a static constructor?)", most_memory);
    }
    result.printed = child->take_printed();
    if (result.how == call_end::timed_out) hopeless = result;
    child.reset();
    return result;
}

call_result worker_process::state::call(const std::string& function, std::span<const argument> arguments,
                                        const call_options& options) {
    call_result result;
    if (!options.try_endless && endless.count(function) > 0) {
        result.how = call_end::not_run;
        result.trouble = "not run: " + function + " did not end before";
        return result;
    }
    result = start();
    if (!result.returned()) return result;
    result.how = call_end::did_not_start;

    const channel::token secret = random_token();
    const call_memory memory(function, arguments, options, ++calls, secret);
    const uint64_t most_memory = memory_limit(child->kind(), memory.argument_bytes());
    for (const pid_t process : {child->id(), child->host_id()})
        limit_call(process, child->kind(), memory.argument_bytes());

    channel::packet request;
    request.kind = channel::packet_kind::call;
    request.sequence = calls;
    channel::send(child->socket(), request, memory.file(), false);  // whether it arrived shows below
    const wait_result seen =
        wait_for_packet(*child, {options.timeout_seconds, options.busy_seconds, most_memory});
    const bool answered = seen.reason == wait_result::why::packet && !seen.crash &&
                          seen.packet.kind == channel::packet_kind::answer && seen.packet.sequence == calls &&
                          seen.packet.secret == secret;
    if (answered) {
        judge_answer(result, memory, arguments, most_memory);
    } else {
        judge_silence(result, seen, "the call returned", most_memory);
    }
    if (result.how == call_end::timed_out) {
        endless.insert(function);
        const std::string place = where_it_turns(*child);
        if (!place.empty())
            result.trouble =
                fmt::format("did not return within {:g} s: an endless loop at {}?", seen.limit, place);
    }
    child->read_printed();
    result.printed = child->take_printed();
    if (!goes_on(result.how) || memory.must_retire()) child.reset();
    return result;
}

/// The same, if time is left for it, and no longer than that.
call_result worker_process::state::call_in_budget(const std::string& function,
                                                  std::span<const argument> arguments, call_options options) {
    if (!budget) return call(function, arguments, options);
    call_result result;
    const bool is_cut = budget->left() < options.timeout_seconds;
    if (budget->left() > 0) {
        options.timeout_seconds = std::min(options.timeout_seconds, budget->left());
        const auto begin = std::chrono::steady_clock::now();
        result = call(function, arguments, options);
        budget->spent += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        if (!is_cut || result.how != call_end::timed_out) return result;
    }
    result.how = call_end::out_of_time;
    result.trouble =
        fmt::format("all calls together took more than {:g} s: no other is made", budget->seconds);
    return result;
}

worker_process::worker_process(std::filesystem::path executable, std::filesystem::path box) {
    if (!std::filesystem::is_regular_file(executable))
        throw std::runtime_error(executable.string() + ": no such worker; make builds it");
    if (access(executable.c_str(), X_OK) != 0)
        throw std::runtime_error(executable.string() + ": is not a program");
    hide_this_process();
    state_ = std::make_unique<state>(std::move(executable), std::move(box));
}

worker_process::~worker_process() = default;

call_result worker_process::call(const std::string& function, std::span<const argument> arguments,
                                 const call_options& options) {
    return state_->call_in_budget(function, arguments, options);
}

std::string worker_process::device() {
    const call_result started = state_->start();
    return started.returned() ? state_->device : "no device: " + started.trouble;
}

bool worker_process::is_for_gpu() const {
    return state_->kind == sandbox::gpu;
}

void worker_process::require_gpu() {
    if (!is_for_gpu()) return;
    const call_result started = state_->start();
    if (started.how == call_end::did_not_start || started.how == call_end::exited)
        throw std::runtime_error(state_->executable.string() + ": " + started.trouble);
}

std::string worker_process::missing_protection() {
    return check::missing_protection(state_->kind);
}

void worker_process::draw_on(std::shared_ptr<time_budget> budget) {
    state_->budget = std::move(budget);
}

}  // namespace check
