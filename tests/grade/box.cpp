// The box's command line, and the box itself where this machine allows one.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "grade/box.h"
#include "grade/run_program.h"

namespace {

using words = std::vector<std::string>;

bool has(const words& line, const words& part) {
    return std::search(line.begin(), line.end(), part.begin(), part.end()) != line.end();
}

/// True if a box can be made; says why not.
bool can_box() {
    const std::string why = grade::why_no_box();
    if (!why.empty()) MESSAGE("skipped: " << why);
    return why.empty();
}

/// What a shell in a box with programs says; exit code 0 is asked for unless `may_fail`.
std::string in_box(const std::string& lines) {
    grade::box_contents what;
    what.programs = true;
    what.environment = {"PATH=/usr/bin:/bin"};
    what.scratch_bytes = 1 << 20;
    const grade::program_end end = grade::run_program(grade::boxed(what, {"/bin/sh", "-c", lines}), 20);
    return end.output;
}

}  // namespace

TEST_CASE("a box has namespaces of its own, no capability and what is named") {
    grade::box_contents what;
    what.read_only = {{"/a b", "/worker"}};
    what.writable = {{"/out", "/work"}};
    what.environment = {"NAME=a=b"};
    what.scratch_bytes = 4096;
    const words line = grade::boxed(what, {"/worker", "x"});
    for (const char* option : {"--unshare-all", "--die-with-parent", "--new-session", "--clearenv"})
        CHECK(has(line, {option}));
    CHECK(has(line, {"--cap-drop", "ALL"}));
    CHECK(has(line, {"--size", "4096", "--tmpfs", "/tmp"}));
    CHECK(has(line, {"--ro-bind", "/a b", "/worker"}));
    CHECK(has(line, {"--bind", "/out", "/work"}));
    CHECK(has(line, {"--setenv", "NAME", "a=b"}));
    CHECK(has(line, {"--", "/worker", "x"}));
    CHECK_FALSE(has(line, {"--ro-bind", "/usr", "/usr"}));
    CHECK_FALSE(has(line, {"/etc"}));
}

TEST_CASE("packages that the system lacks are in the box, and bwrap may be one of them") {
    const char* const before = std::getenv("DEPS");
    const std::string kept = before ? before : "";
    const std::filesystem::path deps = std::filesystem::absolute("build/tmp/box-deps");
    setenv("DEPS", deps.c_str(), 1);
    CHECK(grade::boxed({}, {"x"})[0] == "bwrap");
    std::filesystem::create_directories(deps / "lib");
    const words without_bwrap = grade::boxed({}, {"x"});
    CHECK(without_bwrap[0] == "bwrap");
    CHECK(has(without_bwrap, {"--ro-bind", deps.string(), deps.string(), "--setenv", "DEPS", deps.string()}));
    std::filesystem::create_directories(deps / "bin/bwrap");
    CHECK(grade::boxed({}, {"x"})[0] == (deps / "bin/bwrap").string());
    // The judge, a program of the grader's, boxes workers.
    CHECK(grade::run_program({"sh", "-c", "echo $DEPS"}, 10).output == deps.string() + "\n");
    std::filesystem::remove_all(deps);
    before ? setenv("DEPS", kept.c_str(), 1) : unsetenv("DEPS");
}

TEST_CASE("the loader finds in the box what LD_LIBRARY_PATH names") {
    const char* const before = std::getenv("LD_LIBRARY_PATH");
    const std::string kept = before ? before : "";
    const std::filesystem::path libraries = std::filesystem::absolute("build/tmp/box-libraries");
    std::filesystem::create_directories(libraries);
    const std::string workbook = std::filesystem::current_path().string();
    setenv("LD_LIBRARY_PATH", (workbook + ":/nowhere:" + libraries.string()).c_str(), 1);
    const words line = grade::boxed({}, {"x"});
    CHECK(has(line, {"--ro-bind", libraries.string(), libraries.string(), "--setenv", "LD_LIBRARY_PATH",
                     libraries.string() + ":"}));
    CHECK_FALSE(has(line, {"--ro-bind", workbook, workbook}));
    if (can_box())
        CHECK(in_box("cd " + libraries.string() + " && echo $LD_LIBRARY_PATH") == libraries.string() + ":\n");
    before ? setenv("LD_LIBRARY_PATH", kept.c_str(), 1) : unsetenv("LD_LIBRARY_PATH");
    std::filesystem::remove_all(libraries);
}

TEST_CASE("in a box there is nothing of the host, and nothing can be written but /tmp") {
    if (!can_box()) return;
    CHECK(in_box("cat /etc/passwd 2>&1; ls /home /root /work 2>&1 | grep -c cannot") ==
          "cat: /etc/passwd: No such file or directory\n3\n");
    // Of root's files in /proc/sys one alone could make the machine run a program.
    for (const char* place : {"/x", "/usr/x", "/dev/x", "/dev/shm/x", "/proc/sys/kernel/core_pattern"})
        CHECK(in_box(std::string("(: >>") + place + ") 2>/dev/null || echo refused") == "refused\n");
    CHECK(in_box("echo a >/tmp/x && cat /tmp/x") == "a\n");
    CHECK(in_box("head -c 2000000 /dev/zero 2>&1 >/tmp/x").find("No space left") != std::string::npos);
    CHECK(in_box("ls -d /proc/[0-9]* | wc -l").size() == 2);  // a number of one digit
    CHECK(in_box("mount -o remount,rw /proc 2>/dev/null || echo refused") == "refused\n");
    CHECK(in_box("env | grep -v -e ^PATH= -e ^DEPS= -e ^PWD= -e ^_=") == "");
}

TEST_CASE("beside a GPU a program names its threads in /proc, and changes nothing else there") {
    if (!can_box()) return;
    grade::box_contents what;
    what.programs = true;
    what.devices = {"/dev/null"};
    const auto said = [&](const std::string& script) {
        return grade::run_program(grade::boxed(what, {"/bin/sh", "-c", script}), 10).output;
    };
    CHECK(said("printf name >/proc/self/task/$$/comm && cat /proc/$$/comm") == "name\n");
    for (const char* place :
         {"sys/kernel/core_pattern", "sysrq-trigger", "irq/default_smp_affinity", "1/mem"})
        CHECK(said(std::string("(: >>/proc/") + place + ") 2>/dev/null || echo refused") == "refused\n");
    const std::string others = "find /proc -path '/proc/[0-9]*' -prune -o -type f -print";
    CHECK(said("for f in $(" + others + "); do (: >>$f) 2>/dev/null && echo $f; done; echo looked") ==
          "looked\n");
}

TEST_CASE("nothing of a program outlives its time, its output is cut and its start is told") {
    CHECK(grade::run_program({"sleep", "20"}, 0.2).how == grade::program_end::why::too_late);
    CHECK(grade::run_program({"yes"}, 0.2).output.size() == 65536);
    CHECK(grade::run_program({"sh", "-c", "seq 100000; echo why"}, 5).ending.ends_with("\n100000\nwhy\n"));
    CHECK(grade::run_program({"echo", "all"}, 5).ending == "");
    CHECK(grade::run_program({"no such program"}, 5).how == grade::program_end::why::not_started);
    CHECK(grade::run_program({"sh", "-c", "exit 3"}, 5).text() == "ended with exit code 3");
    CHECK(grade::run_program({"sh", "-c", "kill -9 $$"}, 5).text() == "was killed by signal 9");
    CHECK(grade::run_program({"cat"}, 5, {}, "words").output == "words");
    CHECK(grade::run_program({"sh", "-c", "echo $NAME$HOME"}, 5, {"NAME=n"}).output == "n\n");
    if (!can_box()) return;
    // A daemon in a box, with a session of its own: gone when the box is.
    grade::box_contents what;
    what.programs = true;
    const words daemon = {"/bin/sh", "-c", "setsid sleep 987.6 & echo started"};
    CHECK(grade::run_program(grade::boxed(what, daemon), 10).succeeded());
    CHECK(grade::run_program({"pgrep", "-f", "sleep 987[.]6"}, 5).output == "");
}
