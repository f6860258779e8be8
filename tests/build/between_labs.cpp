// Tests of what stands between two labs: progress, next, reset, clean, and the hints and counts of make watch. Nothing is
// built: the make that they call is a script that writes a report.
#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "author/regions.h"

namespace fs = std::filesystem;

namespace {

/// The report of a make that is asked for lab 05: 40 points, flipped taps and a count.
const std::string REPORT = R"json({
  "state": "checked",
  "message": "",
  "points": 40,
  "of": 100,
  "todos": [
    {
      "id": "05.3",
      "state": "wrong"
    }
  ],
  "checks": [
    {
      "name": "a \"first\" check",
      "points": 40,
      "of": 40,
      "diagnoses": [],
      "counts": []
    },
    {
      "name": "the second",
      "points": 0,
      "of": 60,
      "diagnoses": [
        {
          "id": "filter-flipped",
          "from": "output"
        }
      ],
      "counts": [
        {
          "what": "naive: global loads of in",
          "now": 18122.0,
          "right": 9061.0,
          "passes_at": 9081.0,
          "at_least": false,
          "met": false
        }
      ]
    }
  ]
}
)json";

struct workbook {
    const fs::path root = fs::absolute("build/tmp/between-" + std::to_string(getpid()));
    const fs::path file = root / "labs/05_conv2d_naive/conv2d_naive.cu";
    const std::string solved = author::read_text("solutions/05_conv2d_naive/conv2d_naive.cu");

    workbook() {
        fs::create_directories(root);
        author::write_text(root / "copy", R"sh(
mkdir -p "$1/common" "$1/data/images" "$1/labs" "$1/solutions"
cp -a Makefile handouts "$1"
cp -a common/build common/plot "$1/common"
cp -a data/images/camera.png "$1/data/images"
for lab in 05_conv2d_naive 06_conv2d_constant; do
    cp -a "labs/$lab" "$1/labs"
    cp -a "solutions/$lab" "$1/solutions"
done)sh");
        REQUIRE(std::system(("sh '" + (root / "copy").string() + "' '" + root.string() + "'").c_str()) == 0);
        author::write_text(root / "report", REPORT);
        author::write_text(root / "fake_make", R"sh(#!/bin/sh
echo "$*" >>asked
mkdir -p build/reports/05_conv2d_naive
cp report build/reports/05_conv2d_naive/report.json
common/build/version.sh 05_conv2d_naive >build/reports/05_conv2d_naive/report.of
exit 2
)sh");
        fs::permissions(root / "fake_make", fs::perms::owner_all);
    }
    ~workbook() { fs::remove_all(root); }
    workbook(const workbook&) = delete;

    /// What lines for sh print there.
    std::string sh(const std::string& lines) const {
        author::write_text(root / "lines", lines + "\n");
        const std::string enter =
            "cd '" + root.string() + "' && env -u MAKEFLAGS -u MAKELEVEL -u WHO -u BACKEND ";
        CHECK(WEXITSTATUS(std::system((enter + "sh lines >said 2>&1 </dev/null").c_str())) < 126);
        return author::read_text(root / "said");
    }
    std::string progress() const {
        return sh("common/build/progress.sh ./fake_make 05_conv2d_naive 06_conv2d_constant 2>/dev/null");
    }
    int makes() const { return std::stoi(sh("cat asked 2>/dev/null | wc -l")); }
};

bool holds(const std::string& text, const std::string& part) {
    INFO(text);
    return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("progress judges what has changed, once, and nothing that was not begun") {
    const workbook here;
    CHECK(holds(here.progress(), "05_conv2d_naive             -       make lab05\n"));
    CHECK(here.makes() == 0);
    author::write_text(here.file, here.solved);
    CHECK(holds(here.progress(), "05_conv2d_naive           40/100    next: the second\n"));
    CHECK(holds(here.progress(), "all                       40 of 200   (1 of 2 labs tried)\n"));
    CHECK(here.makes() == 1);
    CHECK(here.sh("cat asked") == "-s lab05\n");
    // By what is in the file: an older one in its place is another one, too.
    here.sh("echo '// more' >>labs/05_conv2d_naive/conv2d_naive.cu; touch -d 2001-01-01 labs/*/*.cu");
    here.progress();
    CHECK(here.makes() == 2);
    CHECK_FALSE(holds(here.sh("find build -type f"), "build/bin"));
    // Of a lab that begins again nothing is left to be shown.
    here.sh("make reset05");
    CHECK(holds(here.progress(), "05_conv2d_naive             -       make lab05\n"));
    CHECK(here.makes() == 2);
    CHECK_FALSE(fs::exists(here.root / "build/reports/05_conv2d_naive/report.json"));
}

TEST_CASE("an interrupted run is told, a lab that is done is green on a terminal alone") {
    const workbook here;
    author::write_text(here.file, here.solved);
    here.progress();
    here.sh(
        R"(sed -i 's/"state": "checked"/"state": "incomplete"/; s/"message": ""/"message": "interrupted"/' build/reports/*/report.json)");
    CHECK(holds(here.progress(), "40/100    make lab05: interrupted\n"));
    here.sh(
        R"(sed -i 's/"state": "incomplete"/"state": "checked"/; s/"points": 40/"points": 100/' build/reports/*/report.json)");
    CHECK(holds(here.progress(), "05_conv2d_naive          100/100    done\n"));
    const std::string on_terminal =
        "script -qec 'common/build/progress.sh ./fake_make 05_conv2d_naive' /dev/null";
    CHECK(holds(here.sh(on_terminal), "\033[32m05_conv2d_naive"));
    CHECK_FALSE(holds(here.sh("NO_COLOR=1 " + on_terminal), "\033"));
}

TEST_CASE("next is the first lab that is not done") {
    const workbook here;
    const std::string next =
        "common/build/next.sh ./fake_make 05_conv2d_naive 06_conv2d_constant 2>/dev/null";
    CHECK(here.sh(next) ==
          "Lab 05 - 2D convolution, one thread per pixel\n"
          "read handouts/05_conv2d_naive.md,\nwrite labs/05_conv2d_naive/conv2d_naive.cu, then make lab05\n");
    author::write_text(here.file, here.solved);
    CHECK(holds(here.sh(next), "40 points, next: the second; make lab05 says more, make hint05 helps\n"));
    here.sh(R"(sed -i 's/"points": 40/"points": 100/' build/reports/*/report.json)");
    CHECK(holds(here.sh(next), "Lab 06 - "));
}

TEST_CASE("a lab begins again without anything being built, from its solution or from what a release has") {
    const workbook here;
    const std::string skeleton = author::read_text(here.file);
    author::write_text(here.file, here.solved);
    CHECK(holds(here.sh("make reset05"), "kept your file as build/backup/05_conv2d_naive/"));
    CHECK(author::read_text(here.file) == skeleton);
    CHECK(holds(here.sh("make reset05"), "is the skeleton already"));
    here.sh(
        "mkdir labs/05_conv2d_naive/.skeleton; rm -r solutions; echo other "
        ">labs/05_conv2d_naive/.skeleton/conv2d_naive.cu");
    CHECK(holds(here.sh("make reset05"), "is the skeleton again"));
    CHECK(author::read_text(here.file) == "other\n");
    here.sh("rm -r labs/05_conv2d_naive/.skeleton");
    CHECK(holds(here.sh("make reset05"),
                "its skeleton is not here; get labs/05_conv2d_naive/conv2d_naive.cu again"));
    CHECK(author::read_text(here.file) == "other\n");

    here.sh("mkdir build/deps; touch build/built build/deps/fetched; make clean");
    CHECK(fs::exists(here.root / "build/deps/fetched"));
    CHECK_FALSE(fs::exists(here.root / "build/built"));
    CHECK(holds(here.sh("cat build/backup/*/*"), "conv2d_naive_kernel"));
}

TEST_CASE("every lab's skeleton is what the program of authors cuts") {
    for (const auto& folder : fs::directory_iterator("labs")) {
        const std::string lab = folder.path().filename();
        INFO(lab);
        const fs::path cut = "build/tmp/skeleton-" + std::to_string(getpid());
        REQUIRE(std::system(("common/build/skeleton.sh " + lab + " >" + cut.string()).c_str()) == 0);
        CHECK(author::read_text(cut) ==
              author::skeleton_of(author::read_solution(author::solution_in("solutions/" + lab))));
        fs::remove(cut);
    }
}

TEST_CASE("the TODO that fits: what is next, or what the first diagnosis or finding speaks of") {
    const workbook here;
    author::write_text(here.file, here.solved);
    const auto fits = [&](const std::string& states, const std::string& seen) {
        std::string todos;
        for (size_t at = 0; at < states.size(); at = states.find('\n', at) + 1) {
            const std::string line = states.substr(at, states.find('\n', at) - at);
            todos += "    {\n      \"id\": \"" + line.substr(0, 4) + "\",\n      \"state\": \"" +
                     line.substr(5) + "\"\n    },\n";
        }
        author::write_text(
            here.root / "build/reports/05_conv2d_naive/report.json",
            "{\n  \"start_with\": \"inspector: conv2d_naive.cu:36: writes out[231]\",\n  \"todos\": [\n" +
                todos + "  ],\n  \"checks\": [\n" + seen + "\n  ]\n}\n");
        return here.sh("common/build/fitting_todo.sh 05_conv2d_naive");
    };
    const auto cause = [](const std::string& id) { return "\"id\": \"" + id + "\""; };
    CHECK(here.sh("common/build/fitting_todo.sh 05_conv2d_naive").empty());
    CHECK(fits("05.1 ok\n05.2 next\n05.3 open\n", cause("filter-flipped")) == "05.2\n");
    const std::string begun = "05.1 ok so far\n05.2 ok so far\n05.3 wrong\n05.4 ok\n05.5 wrong\n05.6 open\n";
    CHECK(fits(begun, cause("radius-is-size")) == "05.3\n");     // no mistake that is known here: the first
    CHECK(fits(begun, cause("no-guard")) == "05.2\n");           // ok so far
    CHECK(fits(begun, cause("pitch-in-elements")) == "05.3\n");  // 05.6 is open
    CHECK(fits("", cause("no-guard")) == "05.2\n");              // no states are known
    CHECK(fits("", "").empty());
    // As far as it is known which mistakes there are: both TODOs in which somebody may make it.
    here.sh(
        "mkdir -p labs/05_conv2d_naive/.skeleton; "
        "printf '%s\n' 'shifted 05.5' 'shifted 05.3' 'shifted 05.2' >labs/05_conv2d_naive/.skeleton/causes");
    CHECK(fits(begun, cause("shifted")) == "05.3\n05.5\n");
    here.sh("rm -r labs/05_conv2d_naive/.skeleton");
    const std::string causes = here.sh("cd ../../.. && common/build/causes.sh 03_conv1d_tiled_halo");
    CHECK(holds(causes, "halo-misplaced 03.2\nhalo-misplaced 03.4\n"));
    CHECK(holds(causes, "tile-partly-loaded 03.4\n"));  // whose first line stands in 03.2 too
    // By the student's line, but the store at the end is where all mistakes end.
    const int line =
        int(std::count(here.solved.begin(), here.solved.begin() + here.solved.find("// begin 05.5"), '\n')) +
        3;
    here.sh("sed -i 's,// begin \\(05.[0-9]\\) ,// TODO \\1 ,' labs/05_conv2d_naive/conv2d_naive.cu");
    const std::string at = "\"inspector: conv2d_naive.cu:" + std::to_string(line) + ": ";
    CHECK(fits(begun, at + "reads padded[231], past its 231 elements\"") == "05.5\n");
    CHECK(fits(begun, at + "writes element 9 of dynamic shared memory, past the 8 elements\"") == "05.5\n");
    CHECK(fits(begun, at + "writes out[231], past its 231 elements\"") == "05.2\n");
    CHECK(holds(here.sh("make hint05 TODO=05.2"), "* **05.2** You are thread (3, 2)"));
    CHECK(holds(here.sh("make hint05 TODO=05.2"), "Which column is yours, which\n  row? Which block"));
    CHECK_FALSE(holds(here.sh("make hint05 TODO=05.2"), "05.1"));
    CHECK(holds(here.sh("make hint05 TODO=05.9"),
                "TODO=05.9: hint 1 of handouts/05_conv2d_naive.md says nothing of it"));
}

TEST_CASE("watch shows the hint that fits and the counts that changed") {
    const workbook here;
    author::write_text(here.file, here.solved);
    here.sh("./fake_make; sed -i s/18122/21000/ report");
    const std::string said =
        here.sh(R"(timeout 8 common/build/watch.sh ./fake_make 05_conv2d_naive & sleep 1.5
echo >>labs/05_conv2d_naive/conv2d_naive.cu
sleep 3; kill %1)");
    CHECK(holds(said, "hint (make hint05 TODO=05.3 HINT=2 says more):\n* **05.3** Take the image"));
    CHECK(holds(said,
                "counts that changed:\n  naive: global loads of in\n    18122 -> 21000, right is 9061\n"));
}

TEST_CASE("the staircase has every lab's fastest method at its largest size, and the reference's") {
    const workbook here;
    CHECK(holds(here.sh("make staircase DATA=data"), "nothing of yours was measured yet"));
    const std::string header =
        "lab,method,backend,device,date,width,height,channels,filter_width,filter_height,kernel_ms,copy_ms,"
        "call_ms,gflops\n";
    author::write_text(here.root / "data/ceilings.csv",
                       "# device: A GPU\nwhat,value,unit\ncopy_4096x4096,0.036,ms\nffma,66074,GFLOP/s\n");
    author::write_text(here.root / "data/05_conv2d_naive.csv",
                       header + "05_conv2d_naive,\"naive\",gpu,\"A GPU\",d,4096,4096,1,9,9,1,0,1,5850\n");
    author::write_text(here.root / "build/bench/05_conv2d_naive.csv",
                       "# a comment\n" + header +
                           "05,\"serial\",cpu,\"B\",d,64,64,1,9,9,1,0,1,99\n"
                           "05,\"naive\",cpu,\"My GPU 2\",d,32,32,1,9,9,1,0,1,50\n"
                           "05,\"naive\",cpu,\"My GPU 2\",d,64,64,1,9,9,1,0,1,7\n"
                           "05,\"padded\",cpu,\"My GPU 2\",d,64,64,1,9,9,1,0,1,8.5\n"
                           "05,\"naive\",cpu,\"My GPU 2\",d,64,64,1,3,3,1,0,1,70\n");
    const std::string said = here.sh("make staircase DATA=data");
    CHECK(holds(said, "05_conv2d_naive                  8.50         5850        66074   padded\n"));
    CHECK(
        holds(here.sh("cat build/plots/staircase.csv"), "05_conv2d_naive,8.5,padded,5850,66074,My GPU 2\n"));
    CHECK(fs::file_size(here.root / "build/plots/staircase.png") > 10000);
    CHECK(fs::exists(here.root / "build/plots/staircase.svg"));
}
