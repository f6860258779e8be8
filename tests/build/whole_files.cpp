// Tests of the scripts that stand between a file and its verdict, with pretended compilers and judges: what is written is
// whole, a worker is what its sources are, a report says how its run ended.
#include <doctest/doctest.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "pretended.h"

namespace fs = std::filesystem;

namespace {

struct scripts : pretended_workbook {
    explicit scripts(std::initializer_list<const char*> files) : pretended_workbook("whole_files", files) {}

    /// The exit code of a line for sh, as a shell says it.
    int sh(const std::string& line) const {
        author::write_text(root / "line", line);
        return WEXITSTATUS(run("bash line"));
    }
    bool says(const std::string& what) const { return text("said").find(what) != std::string::npos; }
    bool has(const std::string& file) const { return fs::exists(root / file); }
    void write(const std::string& file, const std::string& content) const {
        author::write_text(root / file, content);
    }
    nlohmann::json report() const { return nlohmann::json::parse(text("r/report.json"), nullptr, false); }
};

constexpr char WHOLE[] = "common/build/whole.sh";

}  // namespace

TEST_CASE("a file is written whole or not at all") {
    const scripts place({WHOLE});
    CHECK(place.sh("common/build/whole.sh deep/file sh -c 'echo new >\"$0\"; echo d >\"$1\"' @ @.d") == 0);
    CHECK(place.text("deep/file") == "new\n");
    CHECK(place.text("deep/file.d") == "d\n");
    CHECK(place.sh("common/build/whole.sh deep/file sh -c 'echo half >\"$0\"; exit 3' @") == 3);
    CHECK(place.sh("common/build/whole.sh deep/file sh -c 'echo half >\"$0\"; kill -9 $PPID' @") != 0);
    CHECK(place.text("deep/file") == "new\n");
}

TEST_CASE("a full disk is said once") {
    const scripts place({WHOLE});
    CHECK(place.sh(
              "common/build/whole.sh w/file sh -c 'cat $0 >/dev/full; cat $0 >/dev/full; exit 1' line") == 1);
    CHECK(place.text("said") == "w/file: no space left on this disk\n");
    CHECK(place.sh("common/build/whole.sh w/file sh -c 'echo \"a.cpp:1: error: b\"; exit 1'") == 1);
    CHECK(place.text("said") == "a.cpp:1: error: b\n");
}

TEST_CASE("a list of options keeps its time while it stays the same") {
    const scripts place({"common/build/changed.sh"});
    const auto time_after = [&](const std::string& options) {
        place.sh("[ -f build/o ] && touch -d 2001-01-01 build/o; echo " + options +
                 " | common/build/changed.sh build/o");
        return fs::last_write_time(place.root / "build/o");
    };
    time_after("-O2");
    const auto same = time_after("-O2");
    CHECK(time_after("-O3") > same);
    CHECK(place.text("build/o") == "-O3\n");
}

TEST_CASE("what is named by SRC= has a name of its own") {
    const scripts place({"common/build/source.sh"});
    const auto seen = [&](const std::string& file) {
        place.sh("common/build/source.sh " + file);
        return place.text("said");
    };
    place.sh(
        "mkdir -p p 'a b' d.cu; for f in p/q.cu p_q.cu p-q.cu 'a b/ü $x.cu' -x.cu; do echo x >\"./$f\"; "
        "done; "
        "ln -s p r; ln -s p/q.cu link.cu; : >empty.cu");
    const std::string name = seen("p/q.cu");
    CHECK(name.starts_with("name q-"));
    CHECK(seen("./p/../p/q.cu") == name);
    CHECK(seen("$PWD/p/q.cu") == name);
    CHECK(seen("r/q.cu") == name);  // one file in one folder
    for (const char* other : {"p_q.cu", "p-q.cu", "link.cu", "-x.cu", "'a b/ü $x.cu'"}) {
        INFO(other);
        CHECK(seen(other).starts_with("name "));
        CHECK(seen(other) != name);
    }
    CHECK(seen("p_q.cu") != seen("p-q.cu"));
    CHECK(seen("'a b/ü $x.cu'").find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789- \n") ==
          std::string::npos);
    CHECK(seen("none.cu") == "error no such file\n");
    CHECK(seen("d.cu") == "error a folder, not a .cu file\n");
    CHECK(seen("common/build/source.sh") == "error not a .cu file\n");
    CHECK(seen("/dev/null") == "error not a .cu file\n");
    CHECK(seen("empty.cu") == "error is empty\n");
}

namespace {

/// A pretended nvcc that tells its calls, and everything a GPU worker is made of.
struct workers : scripts {
    workers()
        : scripts({"common/build/worker.sh", "common/build/symbols.sh", "common/build/outside_calls.sh",
                   "common/build/nvcc_report.sh"}) {
        tool("build/bin/rewrite", "exit 0");
        tool("bin/nvcc", R"sh(
for word; do case $word in -o) next=1 ;; *) [ -z "$next" ] || output=$word; next="" ;; esac; done
case "$*" in
*" -M "*) printf 'x.o : x.cu \\\n    my\\ own.h\n' ;;
*" -c "*) echo compiled >>calls; [ ! -f broken ] || { cat broken >&2; exit 1; }; cat x.cu >"$output" ;;
*) cat "$2" >"$output" ;;
esac)sh");
        for (const char* part : {"glue.o", "build/gpu/compiler", "build/gpu/libworker.a", "build/link.flags",
                                 "x.cu", "my own.h"})
            write(part, "first");
    }
};

}  // namespace

TEST_CASE("a worker is what its sources are, whatever their times") {
    const workers place;
    const auto calls = [&](const std::string& flags = "-O3") {
        place.write("calls", "");
        place.sh("NVCC=nvcc NVCC_FLAGS=" + flags + " common/build/worker.sh gpu . glue.o x.cu w/x.worker");
        return place.text("calls");
    };
    const std::string once = "compiled\n";
    CHECK(calls() == once);
    CHECK(calls() == "");
    CHECK(place.sh("touch x.cu 'my own.h'") == 0);
    CHECK(calls() == "");
    for (const char* part :
         {"x.cu", "my own.h", "glue.o", "build/gpu/compiler", "build/gpu/libworker.a", "build/link.flags"}) {
        INFO(part);
        place.write(part, "second");
        place.sh("touch -d 2001-01-01 '" + std::string(part) + "'");
        CHECK(calls() == once);
        CHECK(calls() == "");
    }
    CHECK(place.text("w/x.worker") == "second");
    CHECK(calls("-O1") == once);
    CHECK(place.sh(": >w/x.worker") == 0);  // what a crash of the machine can leave
    CHECK(calls("-O1") == once);
    CHECK(place.text("w/x.worker") == "second");
}

TEST_CASE("a file that does not build is told from a machine on which nothing builds") {
    const workers place;
    const auto refused = [&](const std::string& said) {
        place.write("broken", said);
        CHECK(place.sh("NVCC=nvcc common/build/worker.sh gpu . glue.o x.cu w/x.worker") != 0);
        return place.has("w/x.worker.refused") ? place.text("w/x.worker.refused") : "nothing";
    };
    CHECK(refused("In file included from a\nx.cu:3: error: b\nx.cu:4: error: c\n") == "x.cu:3: error: b\n");
    CHECK(refused("as: x.o: No space left on device\n") == "nothing");
    CHECK(refused("g++: fatal error: Killed signal terminated program cc1plus\n") == "nothing");
    place.sh("rm broken; : >x.cu");
    CHECK(place.sh("NVCC=nvcc common/build/worker.sh gpu . glue.o x.cu w/x.worker") == 1);
    CHECK(place.text("w/x.worker.refused") == "x.cu: error: the file is empty\n");
    place.sh("echo x >x.cu; rm w/x.worker.refused build/bin/rewrite");
    CHECK(place.sh("NVCC=nvcc common/build/worker.sh gpu . glue.o x.cu w/x.worker") == 127);
    CHECK_FALSE(place.has("w/x.worker.refused"));
}

TEST_CASE("what killed processes left is cleared away, and an older source counts as new") {
    const scripts place({"common/build/ready.sh"});
    const auto ready = [&] { return place.sh("common/build/ready.sh"); };
    place.write("common/a.h", "one");
    place.write("tests/b.cpp", "one");
    place.write("labs/07_c/c.h", "one");
    place.write("labs/07_c/my.h", "one");
    CHECK(ready() == 0);
    const std::string mine = std::to_string(getpid());
    const std::initializer_list<std::string> leftovers = {"o/x.o.part999999999", "o/x.o.part999999999.d",
                                                          "o/x.o", "o/y.o.part" + mine,
                                                          "o/z.part" + mine + ".o"};
    for (const std::string& left : leftovers)
        place.sh("mkdir -p build/o; : >build/" + left);
    place.write("build/lib/libx.a", "kept");
    const auto old = fs::last_write_time(place.root / "labs/07_c/my.h") - std::chrono::hours(1000);
    for (const char* file : {"common/a.h", "labs/07_c/c.h", "labs/07_c/my.h"}) {
        place.write(file, "two");
        fs::last_write_time(place.root / file, old);
    }
    fs::last_write_time(place.root / "tests/b.cpp", old);
    CHECK(ready() == 0);
    CHECK(place.text("said") == "");
    CHECK(!place.has("build/o/x.o.part999999999"));
    CHECK(!place.has("build/o/x.o.part999999999.d"));
    CHECK(!place.has("build/o/x.o"));
    CHECK(place.has("build/o/y.o.part" + mine));  // of a process that lives
    CHECK(place.has("build/o/z.part" + mine + ".o"));
    CHECK(fs::last_write_time(place.root / "common/a.h") > old);
    CHECK(fs::last_write_time(place.root / "labs/07_c/c.h") > old);
    CHECK(fs::last_write_time(place.root / "labs/07_c/my.h") == old);  // a student's
    CHECK(fs::last_write_time(place.root / "tests/b.cpp") == old);     // the same as before
    CHECK(place.has("build/lib/libx.a"));
    place.sh("rm common/a.h");
    CHECK(ready() == 0);
    CHECK(!place.has("build/lib/libx.a"));
}

TEST_CASE("a folder in which nothing can be built is named in one line") {
    const scripts place({"common/build/ready.sh"});
    place.sh("mkdir build; chmod 555 build .");
    const std::string other = geteuid() == 0 ? "setpriv --reuid 65534 --regid 65534 --clear-groups " : "";
    CHECK(place.sh("chmod 777 .; " + other + "common/build/ready.sh") == 0);
    CHECK(place.text("said").starts_with("error build/ cannot be written: "));
    place.sh("chmod 755 build; mkdir -p build/obj build/tmp; chmod 777 build build/tmp; chmod 555 build/obj");
    place.sh(other + "common/build/ready.sh");
    CHECK(place.text("said").starts_with("error build/obj belongs to "));
    place.tool("bin/df", "echo head; echo disk 1000 999 1024 99% /");
    place.sh("chmod 755 build/obj; common/build/ready.sh");
    CHECK(place.text("said") == "error no space left on this disk: 1 MB are free, a worker needs 32\n");
}

TEST_CASE("a report is JSON whatever a compiler says") {
    const scripts place({"common/build/report.sh"});
    const char* message = R"(a "b" \\c\n\t\377d \303\274)";
    CHECK(place.sh("common/build/report.sh r/report.json 05_x does_not_build \"$(printf '" +
                   std::string(message) + "')\"") == 0);
    CHECK(place.report()["state"] == "does_not_build");
    CHECK(place.report()["points"] == 0);
    CHECK(place.report()["message"] == "a \"b\" \\c  d ü");
    CHECK(place.sh("common/build/report.sh /proc/none/report.json 05_x incomplete x") == 2);
    CHECK(place.says("/proc/none/report.json: cannot be written"));
}

TEST_CASE("every way in which a run ends is in its report") {
    const scripts place({"common/build/verdict.sh", "common/build/report.sh", "common/build/leash.sh"});
    place.tool("common/build/need.sh", "exit 0");
    const auto state_after = [&](const std::string& build, const std::string& judge) {
        place.write("r/report.json", R"({"state": "checked", "points": 100})");
        place.tool("make", build);
        place.tool("judge", "grep -o 'incomplete' r/report.json >before; " + judge);
        place.sh("common/build/verdict.sh 05_x r/report.json './make need' ./judge");
        return std::string(place.report()["state"]) + ": " + std::string(place.report()["message"]);
    };
    const std::string write = R"(echo '{"state": "checked", "message": "9"}' >r/report.json; )";
    CHECK(state_after("exit 0", write + "exit 0") == "checked: 9");
    CHECK(place.text("before") == "incomplete\n");
    CHECK(state_after("exit 0", write + "exit 1") == "checked: 9");
    CHECK(state_after("echo 'a.cu:1: error' >need.refused; exit 2", "exit 0") ==
          "does_not_build: a.cu:1: error");
    CHECK(state_after("exit 2", "exit 0").starts_with("infrastructure_error: could not be built"));
    CHECK(state_after("kill -9 $PPID", "exit 0") == "incomplete: interrupted before it was judged");
    CHECK(state_after("exit 0", "kill -9 $PPID") == "incomplete: interrupted before it was judged");
    CHECK(state_after("exit 0", "kill -SEGV $$") ==
          "infrastructure_error: the judge ended with exit code 139");
    CHECK(state_after("exit 0", "exit 2") == "infrastructure_error: the judge ended with exit code 2");
}

TEST_CASE("one at a time, and who waits is told for whom") {
    const scripts place({"common/build/alone.sh", "common/build/leash.sh"});
    place.sh(
        "(WHO='make lab01 (process 1)' common/build/alone.sh lock sh -c 'touch here; sleep 1.5; echo one "
        ">>order') & "
        "until [ -f here ]; do sleep 0.01; done; "
        "WHO='make lab02 (process 2)' common/build/alone.sh lock sh -c 'echo two >>order'; wait");
    CHECK(place.text("order") == "one\ntwo\n");
    CHECK(place.text("said") == "waiting for make lab01 (process 1) in this folder\n");
    CHECK(place.sh("common/build/alone.sh lock sh -c 'exit 7'") == 7);
}

TEST_CASE("what make started ends with make") {
    const scripts place({"common/build/alone.sh", "common/build/leash.sh"});
    place.tool("judge", "echo $$ >judge.pid; exec sleep 60");
    place.write("Makefile", "all:\n\t@exec common/build/leash.sh common/build/alone.sh lock ./judge\n");
    place.sh(
        "make & make=$!; until [ -s judge.pid ]; do sleep 0.01; done; kill -9 $make; "
        "for k in $(seq 100); do grep -qs '^State:.[^Z]' /proc/$(cat judge.pid)/status || exit 0; sleep "
        "0.05; done; "
        "kill $(cat judge.pid); echo lives");
    CHECK(!place.says("lives"));
    CHECK(place.sh("flock -n lock true") == 0);
}
