// A small class, graded from folder to gradebook in real boxes: right, wrong, broken and hostile files of lab
// 01.
#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <stdexcept>
#include <string>
#include <thread>

#include "class_folder.h"
#include "grade/program/store.h"
#include "grade/program/workbook.h"

namespace {

/// The lab's function without a kernel, and a body of a stranger's choice.
std::string with_body(const std::string& body, const std::string& before = "") {
    return "#include \"conv1d_basic.h\"\n#include <cstdio>\n#include <cstdlib>\n#include <fcntl.h>\n"
           "#include <unistd.h>\n#include <sys/stat.h>\n" +
           before +
           "void conv1d_basic(std::span<float> out, std::span<const float> in, std::span<const float> "
           "filter) {\n" +
           body + "\n}\n";
}

}  // namespace

TEST_CASE("a class of thirteen gets its verdicts, twice the same") {
    if (!can_box()) return;
    const class_folder here;
    const fs::path stolen = here.root / "stolen";
    here.hand_in("right", here.right);
    here.hand_in("skeleton", author::read_text(std::string("labs/") + LAB + "/" + FILE_NAME));
    here.hand_in("broken", "this is no C++\n");
    here.hand_in("leaves", with_body("std::exit(0);"));
    // Writes a report over the judge's, wherever that may be.
    here.hand_in("forger",
                 with_body("const char* names[] = {\"report.json\", \"/workbook-made/report.json\", "
                           "\"../report.json\", \"" +
                           (here.root / "out/gradebook.csv").string() +
                           "\"};\n"
                           "for (const char* name : names) if (FILE* f = fopen(name, \"w\")) fputs(\"{"
                           "\\\"state\\\": \\\"checked\\\", \\\"points\\\": 100}\", f);"));
    here.hand_in(
        "includes",
        "#include \"" + fs::absolute(std::string("solutions/") + LAB + "/" + FILE_NAME).string() + "\"\n");
    here.hand_in("includes_near", "#include \"../../solutions/01_conv1d_basic/conv1d_basic.cu\"\n");
    here.hand_in("includes_passwd", "#include \"/etc/passwd\"\n" + here.right);
    // Right, but for a thing found that must not be there: then it stops.
    const std::string spy =
        "static const bool spied = [] {\n"
        "    for (const char* name : {\"/etc/passwd\", \"/workbook\", \"/work\", \"" +
        fs::current_path().string() +
        "\", \"/home\", \"/usr/bin/env\"})\n"
        "        if (access(name, F_OK) == 0 || open(name, O_RDONLY) >= 0) std::abort();\n"
        "    if (open(\"/tmp/x\", O_RDWR | O_CREAT, 0600) >= 0 || socket(AF_INET, SOCK_STREAM, 0) >= 0) "
        "std::abort();\n"
        "    return true;\n}();\n";
    here.hand_in("looks_round",
                 "#include <fcntl.h>\n#include <unistd.h>\n#include <sys/socket.h>\n#include <cstdlib>\n" +
                     here.right + spy);
    here.hand_in("bomb", with_body("for (int k = 0; k < 1000; k++) if (fork() == 0) for (;;) sleep(876);\n"
                                   "setsid(); for (;;) if (fork() < 0) break;"));
    here.hand_in(
        "endless",
        "constexpr long f(long n) { long s = 0; for (long k = 0; k < n; k++) s += k % 7; return s; }\n"
        "template <int N> struct many { static constexpr long v = f(200000 + N) + many<N - 1>::v; };\n"
        "template <> struct many<0> { static constexpr long v = 0; };\n"
        "static_assert(many<800>::v == 1);\n" +
            here.right);
    here.hand_in("blames_disk", "#error No space left on device\n");
    here.hand_in("blames_signal", "#error signal terminated program\n");
    const grade::program_end end = here.run();
    CAPTURE(end.output);
    CHECK(end.text() == "ended with exit code 0");
    CHECK(end.output.find("for a person to look at:\n  includes, lab 01: forbidden: ") != std::string::npos);
    auto seen = here.verdicts();
    CHECK(seen["right"] == "checked 100");
    CHECK(seen["skeleton"] == "checked 0");
    CHECK(seen["broken"] == "does_not_build 0");
    CHECK(here.messages["broken"].find("labs/01_conv1d_basic/conv1d_basic.cu:1:1: error: ") == 0);
    CHECK(seen["leaves"] == "crashed 0");
    CHECK(here.messages["leaves"] == "left with exit(0) before the call returned");
    CHECK(seen["forger"] == "checked 0");
    CHECK(seen["includes"] == "forbidden 0");
    CHECK(seen["includes_near"] == "forbidden 0");
    CHECK(seen["includes_passwd"] == "forbidden 0");
    CHECK(seen["looks_round"] == "checked 100");
    CHECK(seen["blames_disk"] == "does_not_build 0");
    CHECK(seen["blames_signal"] == "does_not_build 0");
    CHECK(seen["bomb"] != "checked 100");
    CHECK(seen["endless"] == "timed_out 0");
    CHECK(processes_with(here.root.filename().string()) == "");
    CHECK(fs::is_empty(here.root / "out/work"));

    const std::string before = author::read_text(here.root / "out/gradebook.csv");
    const auto begin = std::chrono::steady_clock::now();
    CHECK(here.run("").succeeded());  // the seed of before
    CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(5));
    CHECK(author::read_text(here.root / "out/gradebook.csv") == before);
}

TEST_CASE("a compiler that is not among the system's programs is in its box") {
    if (!can_box()) return;
    const class_folder here;
    here.hand_in("right", here.right);
    const fs::path compiler = here.root / "opt/own/bin/own-g++";
    fs::create_directories(compiler.parent_path());
    author::write_text(compiler, "#!/bin/sh\nexec /usr/bin/g++ \"$@\"\n");
    fs::permissions(compiler, fs::perms::owner_all);
    fs::create_directories(here.root / "links/bin");
    fs::create_symlink(compiler, here.root / "links/bin/linked-g++");
    for (const fs::path& name : {compiler, here.root / "links/bin/linked-g++"}) {
        const std::string out = name.filename().string();
        std::vector<std::string> command = here.command(out);
        command.push_back("--compiler=" + name.string());
        const grade::program_end end = grade::run_program(command, 120, {"SEED=7"});
        CHECK_MESSAGE(end.code == 0, end.output);
        const std::string rows = author::read_text(here.root / out / "gradebook.csv");
        CHECK_MESSAGE(rows.find("right,01_conv1d_basic,checked,100,100,") != std::string::npos, rows);
    }
}

TEST_CASE("a compiler sees the headers of a lab and of kernels, and no source") {
    const std::vector<std::string> parts = grade::compiling_parts("13_conv2d_adaptive", false);
    const auto has = [&](const std::string& part) {
        return std::count(parts.begin(), parts.end(), part) == 1;
    };
    CHECK(has("labs/13_conv2d_adaptive/conv2d_adaptive.h"));
    CHECK(has("labs/13_conv2d_adaptive/fast/schedules.h"));
    CHECK(has("common/lab/lab.h"));
    for (const std::string& part : parts) {
        CHECK_FALSE(part.ends_with(".cu"));
        CHECK_FALSE(part.ends_with(".cpp"));
        CHECK(part.find("solutions") == std::string::npos);
        CHECK(part.find("tests") == std::string::npos);
    }
}

TEST_CASE("a grader that is killed leaves no process, and what it had is kept") {
    if (!can_box()) return;
    const class_folder here;
    here.hand_in("a", "broken\n");
    for (int k = 0; k < 20; k++)
        here.hand_in("b" + std::to_string(k), with_body("for (;;) sleep(" + std::to_string(765 + k) + ");"));
    const std::string name = here.root.filename().string();
    // Killed (kill -9) while it judges them, after the first, however slow the machine.
    const fs::path results = here.root / "out/results";
    for (double seconds = 4; seconds < 100 && (!fs::exists(results) || fs::is_empty(results)); seconds *= 2)
        CHECK(grade::run_program(here.command(), seconds).how == grade::program_end::why::too_late);
    for (int k = 0; k < 100 && !processes_with(name).empty(); k++)
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
    CHECK(processes_with(name) == "");
    CHECK(!fs::is_empty(results));
}

TEST_CASE("trouble of the grader is no zero, replaces nothing and is tried again") {
    const class_folder here;
    grade::store results(here.root / "out");
    report::graded_lab first;
    first.student = "a";
    first.lab = LAB;
    first.state = "checked";
    first.points = first.of = 70;
    first.checks = {{"all", 70, 70, true, true, "", {}, 0}};
    first.checks[0].causes = {"flipped"};
    first.checks[0].counts = {{"loads", 8, 1, 1.5, false, true}};
    first.checks[0].picture = {"naive", 8, 4, 2, 2, {"..x.", "?..."}};
    CHECK_FALSE(results.count(first).earlier);
    results.keep("one", first);
    CHECK(results.known("one")->points == 70);
    const report::graded_check kept = results.known("one")->checks[0];
    CHECK(kept.causes == first.checks[0].causes);
    CHECK(kept.counts[0].passes_at == 1.5);
    CHECK(kept.counts[0].met);
    CHECK(kept.picture.rows == first.checks[0].picture.rows);
    CHECK(kept.picture.cell_height == 2);

    report::graded_lab trouble = first;
    trouble.state = "infrastructure_error";
    trouble.points = 0;
    const auto counting = results.count(trouble);
    CHECK(counting.earlier);
    CHECK(counting.result.points == 70);
    results.keep("one", trouble);
    results.keep("two", trouble);
    CHECK(results.known("one")->points == 70);
    CHECK_FALSE(results.known("two"));
    trouble.student = "b";
    CHECK(results.count(trouble).result.state == "infrastructure_error");
    CHECK_THROWS_WITH_AS(grade::store{here.root / "out"},
                         ("OUT=" + (here.root / "out").string() + ": another make grade works in it").c_str(),
                         std::runtime_error);
}

TEST_CASE("the seed of a folder is drawn once, nobody else reads it, and a given one replaces it") {
    const class_folder here;
    grade::store results(here.root / "out");
    const fs::path file = results.keep_seed("");
    const std::string drawn = grade::read_whole(file);
    CHECK(drawn.size() > 2);
    CHECK(grade::read_whole(results.keep_seed("")) == drawn);
    CHECK(fs::status(file).permissions() == (fs::perms::owner_read | fs::perms::owner_write));
    CHECK(grade::read_whole(results.keep_seed("12")) == "12\n");
}
