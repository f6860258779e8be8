// Students that crash, hang, leave, lie or attack: each gets its verdict, and the next call works.
#include <doctest/doctest.h>

#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "student_workers.h"

using check::call_end;
using check::call_result;

namespace {

const std::vector<float> INPUT = {1, 2, 3, 4, 5};

/// The call with one trick of students/misbehaves.cu; then one without: it must work.
struct tricked {
    call_result result;
    std::vector<float> out = std::vector<float>(INPUT.size(), -1);

    explicit tricked(int trick, double timeout_seconds = 10) {
        check::worker_process worker(student_worker("misbehaves"));
        check::call_options options;
        options.timeout_seconds = options.busy_seconds = timeout_seconds;
        result = CALL(worker, options, scale, out, INPUT, float(trick), rounding::none);
        CHECK(result.trouble.empty() == result.returned());

        std::vector<float> next(INPUT.size());
        check::call_options again;
        again.try_endless = true;
        const call_result after = CALL(worker, again, scale, next, INPUT, 1.0f, rounding::none);
        CHECK(after.trouble == "");
        CHECK(next == INPUT);
    }

    bool left_out_alone() const { return out == std::vector<float>(INPUT.size(), -1); }
};

std::string place_of(const std::string& mark) {
    return marked_place("misbehaves.cu", mark);
}

void check_verdict(int trick, call_end how, const std::string& trouble, double timeout_seconds = 10) {
    CAPTURE(trick);
    const tricked seen(trick, timeout_seconds);
    CHECK(seen.result.how == how);
    CHECK(seen.result.trouble == trouble);
    CHECK(seen.left_out_alone());
}

}  // namespace

TEST_CASE("crashes of host code name the line") {
    check_verdict(2, call_end::crashed, "crashed in " + place_of("read_null") + " (illegal address)");
    check_verdict(3, call_end::crashed, "crashed in " + place_of("division") + " (integer division by zero)");
    check_verdict(5, call_end::crashed, "crashed in " + place_of("past_the_end") + " (illegal address)");
    check_verdict(6, call_end::crashed, "crashed in " + place_of("abort") + " (aborted)");
    check_verdict(31, call_end::crashed,
                  "crashed in " + place_of("illegal_instruction") + " (illegal instruction)");
    const tricked overflow(4);
    CHECK(overflow.result.how == call_end::crashed);
    CHECK(overflow.result.trouble.find("(stack overflow)") != std::string::npos);
}

TEST_CASE("leaving early is a verdict whatever the exit code") {
    check_verdict(7, call_end::exited, "left with exit(0) before the call returned");
    check_verdict(8, call_end::exited, "left with exit(3) before the call returned");
    check_verdict(9, call_end::exited, "left with exit(0) before the call returned");
    CHECK_FALSE(tricked(28).result.returned());  // longjmp
}

TEST_CASE("a worker that leaves before main began gives a verdict each time") {
    check::worker_process worker(student_worker("leaves_at_start"));
    std::vector<float> out(INPUT.size());
    for (int i = 0; i < 2; i++) {
        const call_result result = CALL(worker, {}, scale, out, INPUT, 1.0f, rounding::none);
        CHECK(result.how == call_end::exited);
        CHECK(result.trouble == "left with exit(0) before main() began its work (a static constructor?)");
    }
    CHECK(worker.device().find("no device: left with exit(0)") == 0);
}

TEST_CASE("what does not end is ended") {
    const tricked loop(10, 0.5), stopped(20, 0.5), child(27, 0.5);
    CHECK(loop.result.how == call_end::timed_out);
    CHECK(loop.result.trouble == "did not return within 0.5 s: an endless loop at " + place_of("loop") + "?");
    CHECK(stopped.result.how == call_end::timed_out);
    CHECK(child.result.trouble != "");
    CHECK(loop.left_out_alone());
}

TEST_CASE("who computes all the while gets less time than who waits, and is not called again") {
    check::worker_process worker(student_worker("misbehaves"));
    std::vector<float> out(INPUT.size());
    check::call_options options;
    options.busy_seconds = 0.3;
    const call_result waits = CALL(worker, options, scale, out, INPUT, 30.0f, rounding::none);
    CHECK(waits.trouble == "");  // 0.4 s
    const call_result turns = CALL(worker, options, scale, out, INPUT, 10.0f, rounding::none);
    CHECK(turns.how == call_end::timed_out);
    CHECK(turns.trouble.starts_with("did not return within 0.3 s: "));
    const call_result again = CALL(worker, options, scale, out, INPUT, 1.0f, rounding::none);
    CHECK(again.how == call_end::not_run);
    CHECK(again.trouble == "not run: scale did not end before");
}

TEST_CASE("calls that each return in time have a limit together") {
    const auto budget = std::make_shared<check::time_budget>(check::time_budget{1});
    check::worker_process one(student_worker("misbehaves")), other(student_worker("misbehaves"));
    one.draw_on(budget);
    other.draw_on(budget);
    std::vector<float> out(INPUT.size());
    const auto slow = [&](check::worker_process& worker) {
        return CALL(worker, {}, scale, out, INPUT, 30.0f, rounding::none);
    };
    CHECK(slow(one).trouble == "");
    CHECK(slow(other).trouble == "");
    for (check::worker_process* worker : {&one, &other, &one}) {
        const call_result late = slow(*worker);
        CHECK(late.how == call_end::out_of_time);
        CHECK(late.trouble == "all calls together took more than 1 s: no other is made");
    }
    CHECK(budget->spent < 1.5);
}

TEST_CASE("memory that nobody has set is no 0 by chance") {
    for (const float value : tricked(36).out)
        CHECK(value > 1e38f);
}

TEST_CASE("memory has a limit") {
    constexpr double SECONDS = 60;  // two gigabytes of fresh pages take a busy machine a while
    CHECK(tricked(11, SECONDS).result.trouble == "used more than 2 GB of memory");
    check_verdict(35, call_end::out_of_memory, "used more than 2 GB of memory", SECONDS);
    check_verdict(12, call_end::out_of_memory, "used more than 2 GB of memory", SECONDS);
}

TEST_CASE("exceptions are told and the worker goes on") {
    check_verdict(13, call_end::threw, "threw: a message with ?[31mcolour and ? bytes");
    check_verdict(14, call_end::threw_other, "threw: something that is not a std::exception");
    const tricked past_the_end(32);
    CHECK(past_the_end.result.trouble.find("threw: vector::_M_range_check") == 0);
    CHECK(past_the_end.result.place == "");  // the library throws within itself
    CHECK(tricked(13).result.place == place_of("thrown"));
    CHECK(tricked(1).result.place == "");
    CHECK(tricked(29).result.how == call_end::crashed);  // in a thread of its own
}

TEST_CASE("garbage on every descriptor is no answer") {
    check_verdict(15, call_end::broke_protocol, "sent something that is not an answer");
    check_verdict(16, call_end::broke_protocol, "closed the files through which it answers");
    check_verdict(17, call_end::broke_protocol, "closed the files through which it answers");
}

TEST_CASE("forged packets are no answer and do not stop the clock") {
    check_verdict(34, call_end::broke_protocol, "sent something that is not an answer");
    const tricked flood(33, 0.5);
    CHECK_FALSE(flood.result.returned());
}

TEST_CASE("signals reach the worker alone") {
    const tricked others(18);
    CHECK(others.result.returned());
    CHECK(others.result.printed == "");
    const tricked itself(19), group(21);
    CHECK(itself.result.how == call_end::crashed);
    CHECK(itself.result.trouble == "was killed by signal 9 (Killed) before the call returned");
    CHECK(group.result.how == call_end::crashed);
}

TEST_CASE("outputs that were not written are NaN") {
    const tricked seen(22);
    CHECK(seen.result.returned());
    for (const float value : seen.out)
        CHECK(std::isnan(value));
}

TEST_CASE("the judge's inputs are its own") {
    const tricked seen(23);
    CHECK(seen.result.returned());
    CHECK(INPUT[0] == 1);
}

TEST_CASE("what is printed is kept up to 4000 bytes and decides nothing") {
    const tricked endless(24, 2);
    CHECK_FALSE(endless.result.returned());
    CHECK(endless.result.printed.size() == 4000);
    const tricked forged(25);
    CHECK(forged.result.returned());
    CHECK(forged.result.printed == "[100] all checks PASS\n{\"score\": 100}\n");
    CHECK(std::isnan(forged.out[0]));
}

TEST_CASE("no process outlives its worker") {
    const tricked forked(26);
    CHECK(forked.result.returned());
    CHECK(forked.result.printed == "");
}

TEST_CASE("a GPU's worker that cannot begin is the machine's trouble, no student's result") {
    namespace fs = std::filesystem;
    const fs::path program = fs::absolute("build/tmp/no-gpu-" + std::to_string(getpid()));
    std::ofstream(program) << "#!/bin/sh\nexit 1\n";
    fs::permissions(program, fs::perms::owner_all);
    check::worker_process worker(program);
    CHECK(worker.is_for_gpu());
    CHECK_THROWS_AS(worker.require_gpu(), std::runtime_error);
    fs::remove(program);
    check::worker_process on_the_cpu(student_worker("misbehaves"));
    CHECK_FALSE(on_the_cpu.is_for_gpu());
    CHECK_NOTHROW(on_the_cpu.require_gpu());
}
