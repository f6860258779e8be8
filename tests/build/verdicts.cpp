// Tests of make lab01 in a copy of the workbook: the verdict is about the file as it is now, and two at once work.
#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "author/regions.h"

namespace fs = std::filesystem;

namespace {

/// What a student has of lab 01, in a folder with a name that scripts like least; what is built here is linked.
struct workbook {
    const fs::path root = fs::absolute("build/tmp/a student's ü-" + std::to_string(getpid()));
    const fs::path lab = root / "labs/01_conv1d_basic", file = lab / "conv1d_basic.cu";
    const std::string right = author::read_text("solutions/01_conv1d_basic/conv1d_basic.cu");
    const std::string wrong = author::read_text("labs/01_conv1d_basic/conv1d_basic.cu");

    workbook() {
        fs::create_directories(root);
        author::write_text(root / "copy", R"sh(
mkdir -p "$1/labs" "$1/tests" "$1/build/tests" "$1/build/glue" "$1/data/images"
cp -a Makefile common "$1"
cp -a data/images/camera.png "$1/data/images"
cp -a data/gpus.csv "$1/data"
cp -a labs/01_conv1d_basic "$1/labs"
cp -a tests/01_conv1d_basic.cpp "$1/tests"
cp -al build/obj build/lib build/bin build/compiler build/link.flags build/tools "$1/build"
cp -al build/glue/01_conv1d_basic.* "$1/build/glue"
cp -al build/tests/01_conv1d_basic build/tests/01_conv1d_basic.d "$1/build/tests")sh");
        REQUIRE(std::system(("sh '" + quoted(root / "copy") + "' '" + quoted(root) + "'").c_str()) == 0);
    }
    ~workbook() { fs::remove_all(root); }
    workbook(const workbook&) = delete;

    static std::string quoted(const fs::path& path) {
        std::string text = path.string();
        for (size_t at = 0; (at = text.find('\'', at)) != std::string::npos; at += 4)
            text.replace(at, 1, R"('\'')");
        return text;
    }
    /// Runs lines for sh there; `said` holds what they print.
    int sh(const std::string& lines) const {
        author::write_text(root / "lines", "export BACKEND=cpu\n" + lines + "\n");
        const std::string enter = "cd '" + quoted(root) + "' && env -u MAKEFLAGS -u MAKELEVEL -u WHO ";
        return WEXITSTATUS(std::system((enter + "sh lines >said 2>&1 </dev/null").c_str()));
    }
    std::string said() const { return author::read_text(root / "said"); }
    bool says(const std::string& what) const { return said().find(what) != std::string::npos; }
    /// What the report says, "STATE POINTS MESSAGE".
    std::string verdict(const fs::path& name = "report.json") const {
        const fs::path report = root / "build/reports/01_conv1d_basic" / name;
        if (!fs::exists(report)) return "no report";
        const auto json = nlohmann::json::parse(author::read_text(report), nullptr, false);
        return std::string(json["state"]) + " " + std::to_string(int(json["points"])) + " " +
               std::string(json["message"]);
    }
    /// The report that the last make names.
    std::string told() const {
        const std::string text = said(), word = "report: build/reports/01_conv1d_basic/";
        const size_t at = text.rfind(word);
        REQUIRE(at != std::string::npos);
        return text.substr(at + word.size(), text.find('\n', at) - at - word.size());
    }
};

}  // namespace

TEST_CASE("a verdict is about what is in the file and its headers, and is gone when make begins") {
    const workbook here;
    author::write_text(here.file, "#include \"my.h\"\n" + here.right);
    author::write_text(here.lab / "my.h", "");
    CHECK(here.sh("make lab01") == 0);
    CHECK(here.verdict() == "checked 100 ");

    CHECK(here.sh("rm labs/*/my.h; echo '#error mine' >labs/01_conv1d_basic/my.h; "
                  "touch -d 2001-01-01 labs/*/my.h; make lab01") == 1);
    CHECK(here.verdict() == "does_not_build 0 labs/01_conv1d_basic/my.h:1:2: error: #error mine");

    author::write_text(here.file, here.wrong);
    CHECK(here.sh("touch -d 2001-01-01 labs/*/*.cu; make lab01") == 1);
    CHECK_FALSE(here.says("***"));  // make has nothing to add to a verdict
    CHECK(here.verdict() == "checked 0 ");
    CHECK(here.sh("make inspect01") == 1);
    CHECK(here.says("counts are met"));
    CHECK_FALSE(here.says("***"));
    author::write_text(here.file, here.right + "no code\n");
    CHECK(here.sh("make inspect01") == 1);
    CHECK(here.says("error: "));
    CHECK_FALSE(here.says("***"));

    CHECK(here.sh("mv labs/*/*.cu kept.cu; make lab01") == 2);
    CHECK(here.says("labs/01_conv1d_basic/conv1d_basic.cu is missing: make reset01"));
    CHECK(here.verdict() == "no report");
}

TEST_CASE("a file that would reach around its judge is forbidden, not wrong") {
    const workbook here;
    const auto verdict_on = [&](const std::string& text) {
        author::write_text(here.file, text + here.right);
        CHECK(here.sh("make lab01") == 1);
        CHECK_FALSE(here.says("***"));
        return here.verdict();
    };
    const std::string place = "forbidden 0 labs/01_conv1d_basic/conv1d_basic.cu:1: error: forbidden: ";
    CHECK(verdict_on("#include \"../../Makefile\"\n") ==
          place +
              "#include of ../../Makefile: a lab's file includes lab/lab.h, its contract, CUDA's headers and "
              "the standard library");
    CHECK(verdict_on("namespace inspect {}\n") ==
          place + "inspect:: belongs to the program around this file: use another name");
    CHECK(verdict_on("extern \"C\" long sendmsg(int, const void*, int) { return 0; }\n#error\n")
              .starts_with("does_not_build 0 "));
    CHECK(verdict_on("extern \"C\" long sendmsg(int, const void*, int) { return 0; }\n") ==
          place +
              "sendmsg is the name of a function of the system or of the program around this file: use "
              "another, or a namespace of your own");
    CHECK(here.sh("sed -i 1d labs/01_conv1d_basic/conv1d_basic.cu; make lab01") == 0);
    CHECK(here.verdict() == "checked 100 ");
}

TEST_CASE("a function of the contract that is missing is told in words") {
    const workbook here;
    std::string text = here.right;
    const std::string name = "void conv1d_basic(";
    text.replace(text.find(name), name.size(), "void conv1d_basics(");
    author::write_text(here.file, text);
    CHECK(here.sh("make lab01") == 1);
    CHECK(here.verdict() ==
          "does_not_build 0 labs/01_conv1d_basic/conv1d_basic.cu: error: conv1d_basic is missing: the "
          "contract has it as");
    CHECK(here.says("  conv1d_basic(std::span<float>, std::span<float const>,"));
    CHECK_FALSE(here.says("undefined reference"));
    CHECK_FALSE(here.says("***"));
}

TEST_CASE("a verdict tells what is next; METHODS=, CHECK= and ALL= choose") {
    const workbook here;
    author::write_text(here.file, here.wrong);
    CHECK(here.sh("make lab01") != 0);
    CHECK(here.says(
        "TODO 01.1 next, 01.2-01.6 open\n01.1 is next, for: input and filter are copied to the device\n"));
    const std::string another = "the output is copied back\n          basic: ";
    CHECK(!here.says(another));
    CHECK(here.sh("make lab01 ALL=1") != 0);
    CHECK(here.says(another));
    CHECK(here.sh("make lab01 CHECK='copied back' METHODS=basic") != 0);
    CHECK(here.says("\n0 of 3 points, only METHODS=basic, 10 checks not run\n"));
    CHECK(here.verdict() == "incomplete 0 1 of 11 checks were run (METHODS=basic)");
    CHECK(here.sh("make lab01 METHODS=naive") != 0);
    CHECK(here.says("METHODS=naive: none of this lab's, which are basic\n"));
    CHECK(here.verdict() == "incomplete 0 METHODS=naive: none of this lab's, which are basic");
    CHECK(here.sh("make lab01 CHECK=halo") == 2);
    CHECK(here.says("CHECK=halo: no check has this in its name or is of this number, 1 to 11: "));
    CHECK(here.says(", the output is copied back, "));
    CHECK(here.verdict().starts_with("incomplete 0 CHECK=halo: no check "));
    CHECK(!fs::exists(here.root / "build/reports/01_conv1d_basic/report.of"));
}

TEST_CASE("two makes at once judge their own files, and each leaves its own report") {
    const workbook here;
    author::write_text(here.root / "it's $x,#1 ü.cu", here.right);
    author::write_text(here.root / "p/q.cu", here.wrong);
    const int code = here.sh(R"sh(make lab01 SRC='it'\''s $x,#1 ü.cu' >first 2>&1 & first=$!
make lab01 SRC=p/q.cu >second 2>&1; second=$?
wait $first && [ $second = 1 ]; status=$?
cat second first; exit $status)sh");
    CHECK(code == 0);
    CHECK(here.says("waiting for make lab01 (process "));
    const std::string first = here.told();
    CHECK(here.verdict(first) == "checked 100 ");
    CHECK(first.starts_with("it-s--x--1"));
    CHECK(here.verdict() == "no report");  // on the lab's file
    here.sh("cat second");
    CHECK(here.verdict(here.told()) == "checked 0 ");
}

TEST_CASE("a run that is killed says so, leaves nobody behind, and the next one is right") {
    const workbook here;
    author::write_text(here.file, here.right);
    // With its checks in the report the judge has begun.
    CHECK(here.sh(R"sh(make lab01 >/dev/null 2>&1 & make=$!
until grep -qs '"name"' build/reports/*/report.json; do sleep 0.02; done
kill -9 $make
flock -w 10 build/screen true)sh") == 0);
    CHECK(here.verdict().starts_with("incomplete "));
    CHECK(here.verdict().find(" checks were run") != std::string::npos);
    CHECK(here.sh("TMPDIR=/no/where make lab01") == 0);
    CHECK(here.verdict() == "checked 100 ");
}
