// Tests of the Makefile and its scripts: what a user sees who asks for something that is not there, and how
// tests are counted.
#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "author/regions.h"

namespace fs = std::filesystem;

struct ended {
    int exit_code;
    std::string text;  // stdout and stderr
};

static ended run(const std::string& command) {
    // A make inside a make would take over the outer one's options.
    FILE* pipe = popen(
        ("env -u MAKEFLAGS -u MAKELEVEL -u BACKEND sh -c '" + command + "' 2>&1 </dev/null").c_str(), "r");
    REQUIRE(pipe != nullptr);
    ended result;
    char buffer[4096];
    while (size_t count = fread(buffer, 1, sizeof buffer, pipe))
        result.text.append(buffer, count);
    const int status = pclose(pipe);
    result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    return result;
}

static bool says(const ended& result, const std::string& text) {
    return result.text.find(text) != std::string::npos;
}

TEST_CASE("what is not there is named in one line with exit code 2") {
    const std::pair<const char*, const char*> cases[] = {
        {"lab99", "unknown lab 99: labs are 01, "},
        {"mutants LAB=1", "LAB=1: labs are 01, "},
        {"hint0", "unknown lab 0: labs are 01, "},
        {"fast99", "unknown lab 99: labs are 01, "},
        {"map99", "unknown lab 99: labs are 01, "},
        {"lab01 SRC=no/such.cu", "SRC=no/such.cu: no such file"},
        {"lab01 SRC=README.md", "SRC=README.md: not a .cu file"},
        {"lab01 BACKEND=foo", "BACKEND=foo: must be gpu or cpu"},
        {"lab01 BACKEND=gpu NVCC=",
         "BACKEND=gpu: no nvcc on PATH; install the CUDA Toolkit (12 or newer) or use BACKEND=cpu"},
        {"demo IMAGE=no.png", "IMAGE=no.png: no such file"},
        {"demo IMAGE=README.md", "IMAGE=README.md: not a PNG or JPEG file"},
        {"labs", "make labs: of which lab? Say make lab01: labs are 01, "},
        {"hint", "make hint: of which lab? Say make hint01: labs are 01, "},
        {"tests", "make tests: a folder, nothing to be made; make alone lists all targets"},
        {"questions", "make questions: of which lab? Say make questions01: labs are 01, "},
        {"answers99", "unknown lab 99: labs are 01, "},
        {"no-such", "make no-such: no such target; make alone lists all"},
        {"hint01 HINT=9", "has hints 1 to 3"},
        {"bench05 BLOCKS=8x8,64x64",
         "BLOCKS=64x64: a block has at most 1024 threads, not 4096: name a smaller one"},
        {"bench05 BLOCKS=16", "BLOCKS=16: a block is WIDTHxHEIGHT threads, as in BLOCKS=8x8,16x16,32x8"},
        {"bench05 BLOCKS=0x8", "BLOCKS=0x8: a block is WIDTHxHEIGHT threads"},
        {"bench05 MEMORY=fast", "MEMORY=fast: the host arrays of a benchmark are pageable or pinned"},
        {"grade FROM=tests CLUSTER=pbs", "CLUSTER=pbs: slurm is the one that is known"},
    };
    for (const auto& [arguments, message] : cases) {
        const ended result = run(std::string("make ") + arguments);
        INFO(arguments, ": ", result.text);
        CHECK(result.exit_code == 2);
        CHECK(says(result, message));
    }
}

TEST_CASE("answers without a name are told in one line, and make adds none") {
    for (const char* verb : {"questions01", "answers01"}) {
        const ended result = run(std::string("make ") + verb);
        INFO(verb, ": ", result.text);
        CHECK(result.exit_code == 1);
        CHECK(result.text.ends_with("answers.txt:1: write your name behind 'name:'\n"));
    }
}

TEST_CASE("what is asked of a cluster becomes options of sbatch, and nothing none") {
    const std::string line = "make -n grade FROM=tests LAB=01 CLUSTER=slurm";
    const ended nothing = run(line), some = run(line + " TIME=5 PARTITION=a CHUNK=7 SBATCH=--exclusive");
    CHECK(says(nothing, "--cluster='slurm'"));
    CHECK_FALSE(says(nothing, "--sbatch"));
    CHECK(says(some, "--chunk='7'"));
    CHECK(says(some, "--sbatch='--partition=a --time=5 --exclusive'"));
}

TEST_CASE("a lab without a faster form says so") {
    for (const auto& lab : fs::directory_iterator("solutions")) {
        const std::string key = lab.path().filename();
        if (fs::exists(lab.path() / "fast.cu")) continue;
        const ended result = run("make fast" + key.substr(0, 2));
        CHECK(result.exit_code == 2);
        CHECK(says(result, "solutions/" + key + " has no fast.cu"));
        return;
    }
}

TEST_CASE("a missing compiler or package is named with the command that installs it") {
    const ended result = run("CXX=no-such-g++ common/build/need.sh build");
    CHECK(result.exit_code == 2);
    CHECK(says(result, "missing: no-such-g++, "));
    CHECK(says(result, "run: make setup"));
    CHECK(run("common/build/need.sh").exit_code == 0);
}

TEST_CASE("help lists the labs and the targets") {
    const ended result = run("make");
    CHECK(result.exit_code == 0);
    for (const char* word : {"labs: 01", "demo", "labNN", "selfcheck", "clean"})
        CHECK(says(result, word));
    CHECK(run("make | grep -E ^.{81}").text.empty());
}

TEST_CASE("no makefile has a variable of its own by the name of an option") {
    // Whoever gives the option would set that variable: make fuzz PROGRAMS=3000 once linked no program.
    std::set<std::string> options, variables;
    std::vector<fs::path> makefiles = {"Makefile"};
    for (const auto& entry : fs::recursive_directory_iterator("common"))
        if (entry.path().extension() == ".mk") makefiles.push_back(entry.path());
    for (const fs::path& file : makefiles) {
        const std::string text = author::read_text(file);
        const std::regex help("^## .*$", std::regex::multiline), option("\\b([A-Z][A-Z_]+)=");
        const std::regex variable("^([A-Z][A-Z_]+) *:?=",
                                  std::regex::multiline);  // ?= is an option's default
        for (std::sregex_iterator line(text.begin(), text.end(), help), end; line != end; ++line) {
            const std::string said = line->str();
            for (std::sregex_iterator one(said.begin(), said.end(), option); one != end; ++one)
                options.insert((*one)[1]);
        }
        for (std::sregex_iterator one(text.begin(), text.end(), variable), end; one != end; ++one)
            variables.insert((*one)[1]);
    }
    REQUIRE(options.size() > 10);
    REQUIRE(variables.size() > 10);
    for (const std::string& option : options)
        CHECK_MESSAGE(variables.count(option) == 0, option);
}

TEST_CASE("without instructors' rooms there is what a student can make") {
    const fs::path folder = fs::temp_directory_path() / ("students-" + std::to_string(getpid()));
    const ended whole = run("mkdir -p " + folder.string() + "/data/images && cp -r Makefile labs common " +
                            folder.string() + " && cp data/images/camera.png " + folder.string() +
                            "/data/images && make -C " + folder.string() + " record");
    const ended result = run("rm -r " + folder.string() + "/common/author " + folder.string() +
                             "/common/grade && make -C " + folder.string());
    const ended record = run("make -C " + folder.string() + " record"),
                demo = run("cd " + folder.string() + R"sh( &&
for lab in labs/*/; do mkdir -p "$lab/.skeleton" && cp "$lab"*.cu "$lab/.skeleton/"; done && make demo-run)sh");
    fs::remove_all(folder);
    CHECK(says(whole, "no solutions here, which make record needs: it is for instructors"));
    CHECK(record.exit_code == 2);
    CHECK(says(record, "make record: no such target; make alone lists all\n"));
    CHECK(demo.exit_code == 0);
    CHECK(says(demo, "no lab is begun yet: make next says where to start"));
    CHECK(result.exit_code == 0);
    for (const char* word : {"labNN", "next", "watch", "resetNN"})
        CHECK(says(result, word));
    for (const char* word :
         {"solutionNN", "selfcheck", "  record ", "  stale ", "  format ", "authors", "awk:"})
        CHECK_FALSE(says(result, word));
}

TEST_CASE("without a GPU make record is refused before anything is built for it") {
    const ended result = run("make -n record BACKEND=cpu");
    CHECK(says(result, "make record measures a GPU"));
    CHECK_FALSE(says(result, "worker.sh"));
}

TEST_CASE("without a GPU make fastest and make tune say so in a line, and nothing is built") {
    for (const std::string target : {"fastest", "tune"}) {
        const ended result = run("make " + target + " BACKEND=cpu");
        CHECK(says(result, "make " + target + " measures a GPU"));
        CHECK_FALSE(says(result, "compiling"));
        CHECK(result.exit_code == 2);
    }
    // They begin like make fast05, which is of a lab.
    CHECK(says(run("make fastest BACKEND=cpu fast99"), "unknown lab 99: labs are "));
}

TEST_CASE("a method that no lab has is named with those there are") {
    // echo says what it is asked for: a judge with one method, "methods".
    CHECK(run("common/build/methods.sh methods echo").exit_code == 0);
    const ended unknown = run("common/build/methods.sh methods,naive,foo echo");
    CHECK(unknown.exit_code == 2);
    CHECK(unknown.text == "METHODS=naive: no lab has it; the methods are methods\n");
}

TEST_CASE("a file of results without a method is not drawn") {
    const fs::path file = fs::temp_directory_path() / ("plot-" + std::to_string(getpid()) + ".csv");
    author::write_text(file, "# left out\nlab,method\n05_conv2d_naive,\"serial\",cpu\n");
    const ended result =
        run("common/build/plot.sh labs/05_conv2d_naive/plot.gp " + file.string() + " nowhere");
    CHECK(result.exit_code == 1);
    CHECK(says(result, "nothing to draw"));
    fs::remove(file);
}

TEST_CASE("a chart says by which options its data was measured") {
    const std::string data = "build/bench/tested-" + std::to_string(getpid()) + ".csv";
    author::write_text(data,
                       "# date: 2026-01-02\n# command: make bench05 METHODS=naive\nlab,method\na,b,c\n");
    author::write_text("build/tmp/tested.gp", "set print\n");
    const ended result = run("common/build/plot.sh build/tmp/tested.gp " + data + " build/tmp/tested");
    CHECK(says(result, "from " + data + ", measured by \"make bench05 METHODS=naive\" on 2026-01-02"));
    fs::remove(data);
    CHECK(says(run("make -n bench05 METHODS=naive FILTERS=3,5"),
               "command: make bench05 METHODS=naive FILTERS=3,5"));
    CHECK(says(run("make -n map05 METHODS=naive"), "command: make map05 METHODS=naive"));
}

TEST_CASE("handouts and slides, asked for together, draw their figures one behind the other" *
          doctest::skip(std::system("common/build/need.sh pages charts >/dev/null 2>&1") != 0)) {
    const std::string told = run("make -n handouts slides").text;
    const std::string alone = "alone.sh build/drawing ";
    const size_t first = told.find(alone);
    REQUIRE(first != std::string::npos);
    CHECK(told.find(alone, first + 1) != std::string::npos);
    // What make -n says takes no chart's place.
    const std::string drawn = fs::exists("build/pages/charts") ? author::read_text("build/pages/charts") : "";
    CHECK(drawn.find("plots.sh") == std::string::npos);
}

/// The result line of test.sh for a program that is this shell text.
static std::string counted(const std::string& script) {
    const fs::path folder = fs::temp_directory_path() / ("make-targets-" + std::to_string(getpid()));
    author::write_text(folder / "program", "#!/bin/sh\n" + script + "\n");
    fs::permissions(folder / "program", fs::perms::owner_all);
    run("common/build/test.sh " + (folder / "result").string() + " " + (folder / "program").string());
    const std::string line = author::read_text(folder / "result");
    fs::remove_all(folder);
    return line;
}

TEST_CASE("every way a test program can end is counted") {
    CHECK(counted("exit 0") == "1 0 0\n");
    CHECK(counted("exit 3") == "0 1 0\n");
    CHECK(counted("kill -SEGV $$") == "0 1 0\n");
    CHECK(counted("echo 7 passed, 0 failed, 2 skipped") == "7 0 2\n");
    CHECK(counted("echo 7 passed, 1 failed, 0 skipped; exit 1") == "7 1 0\n");
    CHECK(counted("echo 7 passed, 0 failed, 0 skipped; kill -ABRT $$") == "7 1 0\n");
    CHECK(counted("echo \"[doctest] test cases: 12 | 11 passed | 1 failed | 3 skipped\"; exit 1") ==
          "11 1 3\n");
    CHECK(counted("echo \"[doctest] test cases: 12 | 12 passed | 0 failed | 0 skipped\"; kill -SEGV $$") ==
          "12 1 0\n");
}

TEST_CASE("the sum counts a program that did not build as failed") {
    const fs::path folder = fs::temp_directory_path() / ("tally-" + std::to_string(getpid()));
    author::write_text(folder / "good", "3 0 1\n");
    author::write_text(folder / "bad", "3 2 0\n");
    const std::string good = (folder / "good").string(), bad = (folder / "bad").string();
    CHECK(run("common/build/tally.sh " + good).text == "3 passed, 0 failed, 1 skipped\n");
    CHECK(run("common/build/tally.sh " + good).exit_code == 0);
    CHECK(run("common/build/tally.sh " + good + " " + bad).exit_code == 1);
    const ended unbuilt = run("common/build/tally.sh " + good + " " + (folder / "none").string());
    CHECK(unbuilt.exit_code == 1);
    CHECK(says(unbuilt, "3 passed, 1 failed, 1 skipped\n"));
    fs::remove_all(folder);
}
