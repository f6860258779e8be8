// The table of compute-sanitizer's findings, made with
// pretended tools: a GPU, a compiler, programs, the sanitizer.
#include <doctest/doctest.h>

#include <filesystem>
#include <string>

#include "pretended.h"

namespace fs = std::filesystem;

/// A workbook with programs of mistakes, a GPU, a compiler and the sanitizer.
struct workplace : pretended_workbook {
    workplace()
        : pretended_workbook("sanitizer-table", {"common/bench/sanitizer.sh", "common/bench/about.sh",
                                                 "common/bench/kernels.sh"}) {
        author::write_text(root / "tests/detection/mistakes.cu", "");
        tool("bin/make", "");
        tool("bin/nvidia-smi", "case $1 in *driver*) echo 1.2 ;; *) echo Pretended GPU ;; esac");
        tool("bin/nvcc", R"sh(
[ "$1" != --version ] || { echo "release 13.0, V13.0.1"; exit; }
while [ $# -gt 1 ]; do shift; done
cp build/tests/detection/mistakes "$1")sh");
        tool("build/tests/detection/mistakes", R"sh(
case "$*" in
--list) printf 'overrun,out-of-bounds:4\ndies,device-pointer-on-host:7\nquiet,race:8 uninitialised-read:9\n' ;;
"overrun bad") echo "tests/detection/mistakes.cu:4: out-of-bounds: reads in[8], past its 8 elements" ;;
"dies bad") echo "simt: tests/detection/mistakes.cu:7: device-pointer-on-host: host code reads" >&2; exit 139 ;;
"quiet bad") echo "a.cu:9: uninitialised-read: x"; echo "a.cu:8: race: y"; echo "a.cu:8: race: z" ;;
"all right") exit 0 ;;
esac)sh");
    }
    /// compute-sanitizer says what `cases` says of "TOOL CASE VARIANT", else that all is well.
    void sanitizer(const std::string& cases) const {
        tool("bin/compute-sanitizer", R"sh(
tool=$2; shift 2
while [[ $1 == --* ]]; do shift 2; done
echo "========= COMPUTE-SANITIZER"
case "$tool $2 $3" in
)sh" + cases + R"sh(
*) echo "========= ERROR SUMMARY: 0 errors" ;;
esac)sh");
    }
    int run(const std::string& arguments) const {
        return pretended_workbook::run("NVCC=nvcc common/bench/sanitizer.sh " + arguments);
    }
    /// The rest of the table's line that begins so.
    std::string row(const std::string& begin) const {
        const std::string table = "\n" + text("data/measurements/pretended-gpu/detection.csv");
        const size_t at = table.find("\n" + begin);
        if (at == table.npos) return "no such row";
        const size_t rest = at + 1 + begin.size();
        return table.substr(rest, table.find('\n', rest) - rest);
    }
};

TEST_CASE("the inspector's findings are read from what a program prints as it lives or dies") {
    const workplace place;
    REQUIRE(place.run("inspector") == 0);
    CHECK(place.text("build/sanitizer/inspector.csv") ==
          "program,case,variant,expected,inspector\n"
          "mistakes,overrun,bad,out-of-bounds:4,out-of-bounds:4\n"
          "mistakes,overrun,right,nothing,nothing\n"
          "mistakes,dies,bad,device-pointer-on-host:7,device-pointer-on-host:7\n"
          "mistakes,dies,right,nothing,nothing\n"
          "mistakes,quiet,bad,race:8 uninitialised-read:9,race:8 uninitialised-read:9\n"
          "mistakes,quiet,right,nothing,nothing\n");
}

TEST_CASE("the table names the tools and the first finding in short") {
    const workplace place;
    place.sanitizer(R"sh(
"memcheck overrun bad") echo "========= Invalid __global__ read of size 4 bytes
=========     at void shift<(bool)0>(float *, const float *)+0x160 in /root/tests/detection/mistakes.cu:4
=========     by thread (8,0,0) in block (0,0,0)
=========
========= Program hit cudaErrorLaunchFailure (error 719) on CUDA API call to cudaMemcpy.
========= ERROR SUMMARY: 2 errors" ;;
"racecheck overrun bad") echo "========= Error: Race reported between Write access at k(float *)+0x90 in /root/a.cu:9
=========     and Read access at k(float *)+0xd0 in /root/a.cu:11 [508 hazards]
========= RACECHECK SUMMARY: 1 hazard displayed (1 error, 0 warnings)" ;;
"memcheck dies bad") echo "========= Error: process didn't terminate successfully
========= ERROR SUMMARY: 0 errors" ;;
"synccheck quiet bad") echo '========= Program hit x (error 1) due to "a, b" on CUDA API call to cudaFree.' ;;)sh");
    REQUIRE(place.run("gpu") == 0);
    CHECK(place.row("# device: ") == "Pretended GPU");
    CHECK(place.row("# toolkit: ") == "CUDA 13.0.1");
    CHECK(place.row("mistakes,overrun,bad,out-of-bounds:4,out-of-bounds:4,") ==
          "memcheck+racecheck,\"Invalid __global__ read of size 4 bytes at line 4\"");
    CHECK(place.row("mistakes,dies,bad,device-pointer-on-host:7,device-pointer-on-host:7,") ==
          "none,\"nothing\"");
    CHECK(place.row("mistakes,quiet,bad,race:8 uninitialised-read:9,race:8 uninitialised-read:9,") ==
          "synccheck,\"Program hit x (error 1) due to \"\"a, b\"\" in cudaFree.\"");
    CHECK(place.row("mistakes,quiet,right,") == "nothing,nothing,none,\"nothing\"");
    CHECK(place.text("said").find(
              "3 mistakes: inspector 3, compute-sanitizer 2; 3 right twins: false alarms 0 and 0") !=
          std::string::npos);
}

TEST_CASE("right twins that are not clean together are looked at one by one") {
    const workplace place;
    place.sanitizer(R"sh(
"initcheck all right" | "initcheck dies right") echo "========= Uninitialized __global__ memory read of size 4 bytes" ;;)sh");
    REQUIRE(place.run("gpu") == 0);
    CHECK(place.row("mistakes,dies,right,nothing,nothing,") ==
          "initcheck,\"Uninitialized __global__ memory read of size 4 bytes\"");
    CHECK(place.row("mistakes,overrun,right,nothing,nothing,") == "none,\"nothing\"");
    CHECK(fs::exists(place.root / "build/sanitizer/logs/mistakes.overrun.right.initcheck"));
    CHECK(!fs::exists(place.root / "build/sanitizer/logs/mistakes.overrun.right.memcheck"));
}

TEST_CASE("a run that was stopped is no finding, unless it had one before") {
    const workplace place;
    place.tool("bin/timeout", "shift 3; \"$@\"; exit 124");
    place.sanitizer(R"sh(
"synccheck quiet bad") echo "========= Barrier error detected. Divergent thread(s) in block" ;;)sh");
    REQUIRE(place.run("gpu") == 0);
    CHECK(place.row("mistakes,overrun,bad,out-of-bounds:4,out-of-bounds:4,") ==
          "none,\"timeout under memcheck\"");
    CHECK(place.row("mistakes,quiet,bad,race:8 uninitialised-read:9,race:8 uninitialised-read:9,") ==
          "synccheck,\"Barrier error detected. Divergent thread(s) in block\"");
}

TEST_CASE("programs that are not named keep their rows") {
    const workplace place;
    const std::string table = "data/measurements/pretended-gpu/detection.csv";
    place.sanitizer("");
    place.tool("build/tests/detection/more", "[ $1 != --list ] || echo extra,race:3");
    author::write_text(place.root / "tests/detection/more.cu", "");
    REQUIRE(place.run("gpu") == 0);
    author::write_text(place.root / table, place.text(table) + "more,gone,bad,race:9,race:9,none,\"old\"\n");
    place.sanitizer(R"sh("racecheck "*) echo "========= Error: Race reported" ;;)sh");
    REQUIRE(place.run("gpu mistakes") == 0);
    CHECK(place.row("mistakes,quiet,bad,").find("racecheck,") != std::string::npos);
    CHECK(place.row("more,extra,bad,race:3,") == "nothing,none,\"nothing\"");
    CHECK(place.row("more,gone,") == "no such row");
    CHECK(place.text("said").find("16 of 16 runs") != std::string::npos);
}

TEST_CASE("a sanitizer that does not know the GPU and a program that is not there end it") {
    const workplace place;
    place.sanitizer("*) echo '========= Error: Device not supported'; exit 1 ;;");
    CHECK(place.run("gpu") != 0);
    CHECK(place.text("said").find("compute-sanitizer does not work here") != std::string::npos);
    CHECK(!fs::exists(place.root / "data/measurements/pretended-gpu/detection.csv"));
    CHECK(place.run("gpu nothing") != 0);
    CHECK(place.text("said").find("tests/detection/nothing.cu: no such file") != std::string::npos);
    CHECK(place.run("") != 0);
}
