// What a student sees: a made-up lab is judged with a made-up worker, and every line of the text is compared.
// It has a main() of its own.
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>

#include "check/check.h"
#include "check/expectation_memory.h"
#include "check/lab_result_text.h"
#include "check/modes/check_mode.h"
#include "fake_worker.h"

using namespace check;

namespace {

enum class student {
    solves_all,
    knows_calls,
    misses_last_block,
    misses_often,
    launches_nothing,
    races,
    crashes,
    crashes_once,
    never_starts,
    hangs,
    is_slow,
    throws_in_judge,
    prints,
    launches_untimed,
    prints_evil
};
student now = student::solves_all;
int calls = 0;

inspect::report report_of(int n) {
    inspect::report seen;
    seen.inspected = true;
    inspect::launch launch;
    launch.kernel = "basic_kernel";
    launch.grid[0] = unsigned(n + 31) / 32, launch.grid[1] = launch.grid[2] = 1;
    launch.block[0] = 32, launch.block[1] = launch.block[2] = 1;
    launch.total.global.stores.lanes = n;
    launch.total.global.stores.bytes = 4 * n;
    inspect::line_traffic line{"labs/99_fake/fake.cu", 41, 9, "global", "load", "in", 4, {}};
    line.seen.lanes = 96, line.seen.requests = 3, line.seen.sectors = 96;
    launch.lines.push_back(line);
    seen.launches.push_back(launch);
    return seen;
}

call_result trouble(call_end how, const std::string& text) {
    call_result result;
    result.how = how;
    result.trouble = text;
    return result;
}

const method_1d basic("basic", [](worker_process&, const call_options& options, std::span<float> out,
                                  const problem_1d& asked) {
    const problem_1d p = as_the_device_has_it(asked, options);
    calls++;
    if (now == student::knows_calls && options.change_key == 0) return trouble(call_end::crashed, "known");
    if (now == student::crashes || (now == student::crashes_once && calls == 2)) {
        return trouble(call_end::crashed, "crashed in fake.cu:41 (illegal address)");
    }
    if (now == student::never_starts)
        return trouble(call_end::did_not_start, "the program exited before its first call");
    if (now == student::hangs) return trouble(call_end::timed_out, "did not return within 20 s");
    if (now == student::is_slow && calls > 1)
        return trouble(call_end::out_of_time, "all calls together took more than 300 s: no other is made");
    if (now == student::throws_in_judge) throw std::runtime_error("no space left on device");
    const std::vector<float> right = convolve_serial(p);
    const bool misses = now == student::misses_last_block || now == student::misses_often;
    const size_t covered = misses ? p.in.size() / 32 * 32 : p.in.size();
    std::copy(right.begin(), right.begin() + covered, out.begin());
    call_result result;
    result.how = call_end::returned;
    result.kernel_ms = {1};
    result.seen = report_of(int(covered));
    if (now == student::launches_nothing) result.seen.launches.clear();
    if (now == student::races) {
        inspect::finding race{"race",
                              true,
                              "thread 3 reads s_in[4] while thread 4 writes it",
                              "labs/99_fake/fake.cu",
                              30,
                              5,
                              "labs/99_fake/fake.cu",
                              33,
                              7};
        result.seen.findings = {race};
    }
    if (now == student::prints) {
        for (int i = 0; i < 12; i++)
            result.printed += "line " + std::to_string(i) + " of call " + std::to_string(calls) + "\n";
    }
    if (now == student::launches_untimed) result.kernel_ms.clear();
    if (now == student::prints_evil) {
        out[0] = 1000.0f;
        result.printed = "\033[2Jpass 100 of 100\n";
    }
    return result;
});

const method_1d other("other",
                      [](worker_process&, const call_options&, std::span<float>,
                         const problem_1d&) -> call_result { throw std::logic_error("nobody asks it"); });

problem_1d sized(int n) {
    return {random_values(n, 1), {1, 2, 4}};
}

/// What the judge writes to stdout, and its exit code.
struct seen_run {
    std::string text;
    int code = 0;
    nlohmann::json report;
};

seen_run judge(student who, check_options options = {}, bool exact = false) {
    now = who;
    calls = 0;
    const std::filesystem::path folder =
        std::filesystem::temp_directory_path() / ("reporter_test_" + std::to_string(getpid()));
    std::filesystem::create_directories(folder);
    options.json = folder / "report.json";
    session run("99_fake", "worker", "worker");
    run.exact = run.serial_values = exact;
    run.result.why = "no GPU found";
    the_session = &run;
    seen_run seen;
    std::fflush(stdout);
    const int terminal = dup(STDOUT_FILENO);
    const std::string captured = folder / "stdout";
    if (!std::freopen(captured.c_str(), "w", stdout)) std::abort();
    try {
        seen.code = run_check(options, run);
    } catch (const std::exception& error) {
        std::printf("%s", error.what());
        seen.code = 2;
    }
    std::fflush(stdout);
    dup2(terminal, STDOUT_FILENO);
    close(terminal);
    std::ifstream file(captured);
    seen.text.assign(std::istreambuf_iterator<char>(file), {});
    seen.report = nlohmann::json::parse(std::ifstream(options.json), nullptr, false);
    std::filesystem::remove_all(folder);
    return seen;
}

int passed = 0, failed = 0;

void expect(bool holds, const std::string& what, const std::string& got) {
    (holds ? passed : failed)++;
    if (!holds) std::fprintf(stderr, "FAILED: %s; got\n%s\n", what.c_str(), got.c_str());
}

void expect_text(const seen_run& seen, const std::string& expected, int code) {
    expect(seen.text == expected, "the text\n" + expected, seen.text);
    expect(seen.code == code, "exit code " + std::to_string(code), std::to_string(seen.code));
}

const std::string HEADER = "Lab 99  fake  on the CPU backend (no GPU found)\n\n";

void test_text() {
    expect_text(judge(student::solves_all),
                HEADER +
                    "  pass   60 of 60   arrays of every size\n"
                    "  pass   40 of 40   few loads\n"
                    "\n100 of 100 points\n",
                0);
    expect(judge(student::knows_calls).code == 0, "right kernels are asked by blind calls alone", "");
    expect_text(
        judge(student::misses_last_block),
        HEADER +
            "  FAIL    0 of 60   arrays of every size\n"
            "          basic: n = 70, filter 1 2 4, random values\n"
            "          element 64: expected -0.8108, got nan (never written?)\n"
            "          6 of 70 are wrong: the last 6\n"
            "          likely: the grid is too small: 2 x 32 = 64 threads for 70 elements; round the number "
            "of blocks up\n"
            "          and 1 more case\n"
            "  pass   40 of 40   few loads\n"
            "\nstart with: arrays of every size\n40 of 100 points\n"
            "stuck: make hint99; what the kernel does: make inspect99\n",
        1);
    expect_text(judge(student::races),
                HEADER +
                    "  pass   60 of 60   arrays of every size\n"
                    "  FAIL    0 of 40   few loads\n"
                    "          basic: n = 32, filter 1 2 4, random values\n"
                    "          inspector: fake.cu:30: thread 3 reads s_in[4] while thread 4 writes it (with "
                    "fake.cu:33)\n"
                    "\nstart with: few loads\n60 of 100 points\n"
                    "stuck: make hint99; what the kernel does: make inspect99\n",
                1);
}

void test_notes() {
    const seen_run printed = judge(student::prints);
    std::string lines;
    for (int i = 0; i < 10; i++)
        lines += "  printed: line " + std::to_string(i) + " of call 1" +
                 (i < 9 ? "\n" : "   (and 2 more lines)\n");
    expect_text(printed,
                HEADER +
                    "  pass   60 of 60   arrays of every size\n"
                    "  pass   40 of 40   few loads\n"
                    "\nprinted in basic: n = 32, filter 1 2 4, random values\n" +
                    lines + "\n100 of 100 points\n",
                0);
    expect_text(judge(student::launches_untimed),
                HEADER +
                    "  pass   60 of 60   arrays of every size\n"
                    "  pass   40 of 40   few loads\n"
                    "\nnot timed: basic: n = 32, filter 1 2 4, random values\n"
                    "  the launch stands outside of timed_launch: without it make bench and make plot have "
                    "no time to "
                    "show\n"
                    "\n100 of 100 points\n",
                0);
}

void test_unconfined() {
    expect(judge(student::solves_all).report["unconfined"] == "", "all is there", "");
    missing_on_fake_machine = "this machine confines the program less than it should: no Landlock";
    const seen_run seen = judge(student::solves_all);
    expect(seen.report["unconfined"] == missing_on_fake_machine, "in the report", seen.report.dump(1));
    const std::string note = "(no GPU found)\nnote: " + missing_on_fake_machine + "\n\n  pass";
    expect(seen.text.find(note) != std::string::npos, note, seen.text);
    missing_on_fake_machine.clear();
}

void test_notes_told() {
    session run("99_fake", "worker", "worker");
    run.subject = "basic: n = 7";
    call_result result;
    result.how = call_end::crashed;
    result.printed = "x 1\nx 2\n";
    run.note(result);
    const std::string note = "\nprinted in basic: n = 7\n  printed: x 1\n  printed: x 2\n";
    expect(run.notes() == note, "a note", run.notes());
    expect(run.notes("printed: x 1\n").ends_with(note), "all of a note", run.notes("printed: x 1\n"));
    const std::string told = "start with\n      printed: x 1\n      printed: x 2\n";
    expect(run.notes(told).empty(), "nothing twice", run.notes(told));
}

void test_often() {
    const seen_run seen = judge(student::misses_often);
    expect(seen.report["checks"][0]["failing"] == nlohmann::json{"basic"},
           "cases that are not tried fail nothing", seen.text);
    expect(seen.text.find("; others were not tried\n") != std::string::npos, "that they are not", seen.text);
}

void test_nothing_launched() {
    const seen_run idle = judge(student::launches_nothing);
    expect_text(idle,
                HEADER +
                    "  FAIL    0 of 60   arrays of every size\n"
                    "          basic: n = 32, filter 1 2 4, random values\n"
                    "          no kernel stored these values: none was launched\n"
                    "          and 2 more cases\n"
                    "  FAIL    0 of 40   few loads\n"
                    "          basic: n = 32, filter 1 2 4, random values\n"
                    "          no kernel stored these values: none was launched\n"
                    "\nstart with: arrays of every size\n0 of 100 points\n"
                    "stuck: make hint99; what the kernel does: make inspect99\n",
                1);
    expect(idle.report["state"] == "checked", "a student's fault, not the judge's", idle.report.dump());
}

void test_trouble() {
    const seen_run crash = judge(student::crashes);
    expect_text(crash,
                HEADER +
                    "  FAIL    0 of 60   arrays of every size\n"
                    "          basic: n = 32, filter 1 2 4, random values\n"
                    "          crashed in fake.cu:41 (illegal address)\n"
                    "          and 2 more cases\n"
                    "  FAIL    0 of 40   few loads\n"
                    "          again: crashed in fake.cu:41 (illegal address)\n"
                    "\nstart with: arrays of every size\n0 of 100 points\n"
                    "stuck: make hint99; what the kernel does: make inspect99\n",
                1);
    expect(crash.report["state"] == "crashed", "state crashed", crash.report.dump());
    const seen_run dead = judge(student::never_starts);
    expect_text(dead,
                HEADER +
                    "  FAIL    0 of 60   arrays of every size\n"
                    "          basic: n = 32, filter 1 2 4, random values\n"
                    "          the program exited before its first call\n"
                    "  FAIL    0 of 40   few loads\n"
                    "          again: the program exited before its first call\n"
                    "\nstart with: arrays of every size\n0 of 100 points\n"
                    "stuck: make hint99; what the kernel does: make inspect99\n",
                1);
    expect(calls == 1, "one call of a program that does not start", std::to_string(calls));
}

void test_json() {
    const seen_run all = judge(student::solves_all);
    expect(all.report["points"] == 100 && all.report["of"] == 100 && all.report["state"] == "checked",
           "a full report", all.report.dump());
    const seen_run some = judge(student::misses_last_block);
    const nlohmann::json& first = some.report["checks"][0];
    expect(first["name"] == "arrays of every size" && first["points"] == 0 && first["of"] == 60 &&
               first["how"] == "value" && first["messages"].size() == 2,
           "a failing check in the report", some.report.dump(1));
    expect(first["methods"] == nlohmann::json({"basic"}) && first["failing"] == nlohmann::json({"basic"}) &&
               some.report["checks"][1]["failing"].empty(),
           "the methods of a check", some.report.dump(1));
    expect(first["wrong_images"] == 2 && first["diagnoses"].size() == 1 &&
               first["diagnoses"][0]["id"] == "grid-rounded-down" &&
               first["diagnoses"][0]["from"] == "output" && first["diagnoses"][0]["cases"] == 2,
           "a diagnosis in the report", first.dump(1));
    const seen_run once = judge(student::crashes_once);
    expect(once.report["state"] == "checked" && once.report["checks"][0]["how"] == "crashed",
           "one crash among right calls", once.report.dump(1));
    expect(judge(student::hangs).report["state"] == "timed_out", "state timed_out", "");
    const seen_run slow = judge(student::is_slow);
    expect(slow.report["state"] == "timed_out" && slow.report["points"] == 0 &&
               slow.report["message"] == "all calls together took more than 300 s: no other is made",
           "calls that take too long together", slow.report.dump(1));
    const seen_run broken = judge(student::throws_in_judge);
    expect(broken.report["state"] == "infrastructure_error" && broken.code == 2,
           "trouble of the judge itself", broken.report.dump(1));
}

void test_options() {
    check_options options;
    options.only = "few";
    const seen_run few = judge(student::misses_last_block, options);
    expect_text(few, HEADER + "  pass   40 of 40   few loads\n\n40 of 40 points, 1 check not run\n", 0);
    expect(few.report["state"] == "incomplete" && few.report["message"] == "1 of 2 checks were run",
           "state incomplete", few.report.dump());
    options.only = "no such check";
    expect_text(judge(student::solves_all, options),
                "CHECK=no such check: no check has this in its name or is of this number, 1 to 2: "
                "arrays of every size, few loads",
                2);
    options = {};
    options.quiet = true;
    expect_text(judge(student::solves_all, options), "\n100 of 100 points\n", 0);
    options = {};
    options.first_loss = true;
    const seen_run lost = judge(student::misses_last_block, options);
    expect(lost.report["checks"][0]["how"] == "value" && lost.report["checks"][1]["ran"] == false &&
               lost.code == 1,
           "no check after the first loss", lost.report.dump(1));
    expect(judge(student::solves_all, options).report["points"] == 100, "all checks without a loss", "");
    options = {};
    options.all = false;
    expect_text(judge(student::crashes, options),
                HEADER +
                    "  FAIL    0 of 60   arrays of every size\n"
                    "  FAIL    0 of 40   few loads\n"
                    "\nstart with: arrays of every size\n"
                    "          basic: n = 32, filter 1 2 4, random values\n"
                    "          crashed in fake.cu:41 (illegal address)\n"
                    "          and 2 more cases\n"
                    "\n0 of 100 points\n"
                    "stuck: make hint99; what the kernel does: make inspect99; all else: ALL=1\n",
                1);
    options = {};
    options.only = "2";
    expect_text(judge(student::solves_all, options),
                HEADER + "  pass   40 of 40   few loads\n\n40 of 40 points, 1 check not run\n", 0);
    options = {};
    options.methods = {"basic"};
    const seen_run basic_only = judge(student::solves_all, options);
    expect(basic_only.text.ends_with("\n100 of 100 points, only METHODS=basic\n") && basic_only.code == 0 &&
               basic_only.report["state"] == "incomplete" &&
               basic_only.report["message"] == "2 of 2 checks were run (METHODS=basic)",
           "only some methods", basic_only.text + basic_only.report.dump(1));
    options.methods = {"fast"};
    expect_text(judge(student::solves_all, options),
                "METHODS=fast: none of this lab's, which are basic, other", 2);
    options.methods = {"other"};  // of which no check asks
    expect_text(judge(student::crashes, options),
                HEADER + "\n0 of 0 points, no check is of METHODS=other, 2 checks not run\n", 1);
    // 96 loads are few enough for a student and one too many for the reference solution.
    expect_text(judge(student::solves_all, {}, true),
                HEADER +
                    "  pass   60 of 60   arrays of every size\n"
                    "  FAIL    0 of 40   few loads\n"
                    "          basic: n = 32, filter 1 2 4, random values\n"
                    "          global loads of in: now 96, right is 94\n"
                    "          inspector: fake.cu:41: 96 loads of in, 32.00 sectors per request\n"
                    "\nstart with: few loads\n60 of 100 points\n"
                    "stuck: make hint99; what the kernel does: make inspect99\n",
                1);
}

void test_evil_text() {
    const seen_run evil = judge(student::prints_evil);
    expect(evil.text.find('\033') == std::string::npos, "no control characters of the student's", evil.text);
    expect(evil.text.find("printed: ?[2Jpass 100 of 100") != std::string::npos, "what was printed",
           evil.text);
}

void test_expectations() {
    session run("99_fake", "worker", "worker");
    the_session = &run;
    check_result check;
    run.current = &check;
    const auto fails = [&](auto expectation) {
        check.failures.clear();
        expectation();
        return !check.failures.empty();
    };
    const auto count = [&](double value, double right, double slack) {
        return fails([&] { expect_count("x", value, right, slack); });
    };
    const auto at_most = [&](double value, double right, double most) {
        return fails([&] { expect_at_most("x", value, right, most); });
    };
    expect(!count(100, 100, 1.05) && !count(105, 100, 1.05) && count(106, 100, 1.05) && count(99, 100, 1.05),
           "counts with a margin", "");
    expect(!count(0, 0, 1.05) && count(1, 0, 1.05) && count(NAN, 100, 1.05), "counts of nothing", "");
    expect(!at_most(4, 4, 8) && !at_most(8, 4, 8) && at_most(8.01, 4, 8) && !at_most(2, 4, 8),
           "ratios with a margin", "");
    expect(at_most(0, 4, 8) && !at_most(0, 0, 8) && at_most(NAN, 4, 8), "ratios of nothing", "");
    expect(!fails([] { expect_at_least("x", 4, 4); }) && fails([] { expect_at_least("x", 3, 4); }),
           "lower bounds", "");
    // Of an array that was not recognised only too many accesses are missed.
    run.memory().seen.guesses = {{"in", "the memory of 8 bytes from fake.cu:7"}};
    const auto loads = [&](const char* what, double value) {
        return fails([&] { expect_at_most(what, value, 4, 8); });
    };
    expect(
        !loads("global loads of in", 0) && !loads("global loads of in", 8) && loads("global loads of in", 9),
        "loads of what is taken for an array", "");
    expect(check.failures[0].lines.back() ==
               "inspector: in was not recognised on the device (changed on its way?): the memory of 8 bytes "
               "from fake.cu:7 is taken for it",
           "what is taken for it", check.failures[0].lines.back());
    expect(!loads("sectors per request of in", 9) && loads("sectors per request of filter", 9),
           "ratios of it", "");
    expect(!fails([] { expect_at_least("bytes loaded from in", 3, 4); }) &&
               fails([] { expect_at_least("bytes loaded from filter", 3, 4); }),
           "lower bounds of it", "");
    run.memory().seen = {};
    run.exact = run.serial_values = true;
    expect(!count(100, 100, 1.05) && count(101, 100, 1.05) && !at_most(4, 4, 8) && at_most(5, 4, 8) &&
               at_most(3, 4, 8),
           "exact counts", "");
}

void test_repetition() {
    lab_result_text text(false);
    check_result check = parse_check("[30] a");
    check.ran = true;
    check.failures.push_back(
        {"case 1", {"pixel 1", "likely: flipped", "inspector: x.cu:1: stray"}, call_end::wrong_values});
    const std::string first = text.check(check);
    expect(first.find("          likely: flipped\n          inspector: x.cu:1: stray\n") != std::string::npos,
           "a cause in full", first);
    const std::string again = text.check(check);
    expect(
        again == "  FAIL    0 of 30   a\n          case 1\n          pixel 1\n          likely: as above\n",
        "a cause told once", again);
    check.failures[0].lines.clear();
    for (int k = 0; k < 30; k++)
        check.failures[0].lines.push_back("line " + std::to_string(k));
    const std::string longest = text.check(check);
    expect(std::count(longest.begin(), longest.end(), '\n') == 12, "at most 12 lines", longest);
    expect(lab_result_text(true).check(check).find("\033[31mFAIL") != std::string::npos,
           "colour where it is wanted", "");
}

void test_cut() {
    session run("99_fake", "worker", "worker");
    check_result check = parse_check("[30] a");
    check.ran = true;
    run.current = &check;
    int made = 0;
    while (made < 100 && run.begin_case("basic", "n = " + std::to_string(made))) {
        run.fail(call_end::wrong_values, {"element 0"});
        made++;
    }
    expect(made == 6 && run.muted && check.cut, "who failed 6 times is not called again",
           std::to_string(made));
    expect(run.begin_case("other", "n = 0") && !run.muted, "another method is", "");
    run.fail(call_end::wrong_values, {"element 0"});
    const std::string told = lab_result_text(false).check(check);
    expect(told.ends_with("and 6 more cases; others were not tried\n"), "that it was cut", told);
    expect(run.begin_case("third", "n = 0"), "a third one is, too", "");
    expect(!run.begin_case("third", "n = 70000", true), "but not for what takes long: the check is lost", "");
    check_result next = parse_check("[30] b");
    run.current = &next;
    expect(run.begin_case("basic", "n = 0") && !next.cut, "in the next check it is called", "");
    expect(run.begin_case("third", "n = 70000", true), "and for what takes long, where nothing failed", "");
    run.count_requests(1'000'000'000);
    run.fail(call_end::wrong_values, {"element 0"});
    expect(run.begin_case("third", "n = 1"), "what was counted before it failed was not in vain", "");
    run.count_requests(1'000'000'000);
    expect(!run.begin_case("fourth", "n = 1") && next.cut, "a lost check ends when much was in vain", "");
    expect(std::ranges::find(next.methods, "fourth") == next.methods.end(), "that one was not called", "");
    run.every_case = true;
    expect(run.begin_case("fifth", "n = 70000", true), "unless every case is asked for", "");
    run.every_case = false;
    check_result last = parse_check("[40] c");
    run.current = &last;
    expect(run.begin_case("fourth", "n = 1"), "in a check that has not failed it is", "");
}

void test_names() {
    const auto refused = [](auto call) {
        try {
            call();
            return false;
        } catch (const std::invalid_argument&) {
            return true;
        }
    };
    const check_result check = parse_check("[30] images that do not fill their blocks");
    expect(check.of == 30 && check.name == "images that do not fill their blocks", "a name with points",
           check.name);
    for (const char* name : {"images", "[] images", "[x] images", "[30]images", "30 images", ""}) {
        expect(refused([&] { parse_check(name); }), std::string("no check is named ") + name, "");
    }
    const auto with = [](std::vector<std::string> titles) {
        std::vector<check_result> checks;
        for (const std::string& title : titles)
            checks.push_back(parse_check(title));
        return checks;
    };
    expect(!refused([&] { require_hundred_points(with({"[60] a", "[40] b"})); }), "a hundred points", "");
    expect(refused([&] { require_hundred_points(with({"[60] a", "[30] b"})); }), "not ninety", "");
    expect(refused([&] { require_hundred_points(with({"[60] a", "[40] a"})); }), "no name twice", "");
    expect(refused([&] { require_hundred_points(with({"[60] a", "[40] b, c"})); }), "no commas", "");
}

}  // namespace

TEST_CASE("[60] arrays of every size") {
    for (int n : {32, 70, 75})
        expect_right(basic, sized(n));
    if (now != student::misses_often) return;
    for (int n = 33; n < 50; n++)
        expect_right(basic, sized(n));
    REQUIRE(inspect_right(basic, sized(32)).launches.size() == 1);  // a case that is not tried any more
}

TEST_CASE("[40] few loads") {
    const inspect::report seen = inspect_right(basic, sized(32));
    expect_count("global loads of in", double(seen.lines().at(0).seen.lanes), double(valid_taps(32, 1)));
}

int main() {
    test_text();
    test_notes();
    test_notes_told();
    test_often();
    test_nothing_launched();
    test_unconfined();
    test_trouble();
    test_json();
    test_options();
    test_evil_text();
    test_expectations();
    test_repetition();
    test_cut();
    test_names();
    std::printf("%d passed, %d failed, 0 skipped\n", passed, failed);
    return failed == 0 ? 0 : 1;
}
