// The steps to a fastest version: measured with pretended judges, joined, and shown as a handout's table.
#include "author/handout_tables.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <string>

#include "pretended.h"

namespace {

constexpr char COLUMNS[] =
    "lab,method,backend,device,date,width,height,channels,filter_width,filter_height,kernel_ms,copy_ms,call_"
    "ms,"
    "gflops";

/// Two labs whose judges know their times: 3 x 3 and 9 x 9 taps over 100 x 50 pixels.
struct staircase : pretended_workbook {
    staircase()
        : pretended_workbook("staircase", {"common/bench/staircase.sh", "common/bench/staircase.awk",
                                           "common/bench/csv.awk"}) {
        author::write_text(root / "solutions/99_fast/staircase.csv",
                           "# Why.\nstep,lab,worker,method\none thread,98_slow,solution,naive\n"
                           "a tile,99_fast,right_tile,fast\nall of it,99_fast,solution,fast\n");
        for (const char* worker : {"98_slow/solution", "99_fast/right_tile", "99_fast/solution"})
            tool("workers/" + std::string(worker) + ".worker", "");
        judge("98_slow", "0.4", "8");
        judge("99_fast", "0.2", "$(case $worker in *tile*) echo 2 ;; *) echo 1 ;; esac)");
        author::write_text(root / "out/ceilings.csv",
                           "# Of what.\nwhat,value,unit\ncopy_100x50,0.1,ms\nffma,1.62,GFLOP/s\n");
    }
    /// A judge that says so; a time may be a command of bash that knows the worker.
    void judge(const std::string& lab, const std::string& small_ms, const std::string& large_ms) const {
        tool("build/tests/" + lab, R"sh(
for option; do case $option in --worker=*) worker=${option#*=} ;; --csv=*) csv=${option#*=} ;; --comment=*) comment=${option#*=} ;; esac; done
row() { echo "7,\"m\",gpu,\"A, B\",today,100,50,1,$1,$1,$2,,,1"; }
{ echo "# $comment"; echo ")sh" + std::string(COLUMNS) +
                                       R"sh("; row 3 )sh" + small_ms + "; row 9 " + large_ms +
                                       R"sh(; } >"$csv"
echo "$*"; echo "written: $csv")sh");
    }
    int measure() const {
        return run("common/bench/staircase.sh workers 99_fast out/99_fast.staircase.csv 'device: Pretended'");
    }
};

}  // namespace

TEST_CASE("a step is measured by its lab's judge and compared with the one before and the roofline") {
    const staircase stairs;
    REQUIRE(stairs.measure() == 0);
    // The roofline of 3 x 3 is the copy, 0.1 ms; that of 9 x 9 its 810000 operations, 0.5 ms.
    const std::string row = "7,\"m\",gpu,\"A, B\",today,100,50,1,";
    const std::string steps =
        "# device: Pretended\n" + std::string(COLUMNS) + ",step,roofline_share,times_faster\n" +  //
        row + "3,3,0.4,,,1,\"one thread\",0.2500,\n" + row + "9,9,8,,,1,\"one thread\",0.0625,\n" + row +
        "3,3,0.2,,,1,\"a tile\",0.5000,2.000\n" + row + "9,9,2,,,1,\"a tile\",0.2500,4.000\n" + row +
        "3,3,0.2,,,1,\"all of it\",0.5000,1.000\n" + row + "9,9,1,,,1,\"all of it\",0.5000,2.000\n";
    CHECK(stairs.text("out/99_fast.staircase.csv") == steps);
    const std::string said = stairs.text("said");
    CHECK(said.find("--worker=workers/99_fast/right_tile.worker --methods=fast --images=4096x4096 "
                    "--filters=3,5,7,9,13,17,27,43") != std::string::npos);
    CHECK(said.find("written: /") == std::string::npos);  // the files of the single steps

    CHECK(author::steps_table(steps) ==
          "| step | 3 x 3 | 9 x 9 |\n| --- | --- | --- |\n| 1. one thread | 0.400 | 8.000 |\n"
          "| 2. a tile | 0.200 (2.00 x) | 2.000 (4.00 x) |\n"
          "| 3. all of it | 0.200 (1.00 x) | 1.000 (2.00 x) |\n| of the roofline | 50 % | 50 % |\n");
}

TEST_CASE("what was left out stays so, and a roofline that nobody knows is no number") {
    const staircase stairs;
    std::filesystem::remove(stairs.root / "out/ceilings.csv");
    stairs.tool("build/tests/98_slow", R"sh(
for option; do case $option in --csv=*) csv=${option#*=} ;; esac; done
{ echo ")sh" + std::string(COLUMNS) + R"sh("; echo "# left out: naive, 9x9: too large"; } >"$csv")sh");
    REQUIRE(stairs.measure() == 0);
    const std::string steps = stairs.text("out/99_fast.staircase.csv");
    CHECK(steps.find("\n# left out: naive, 9x9: too large\n") != std::string::npos);
    CHECK(steps.find("9,9,2,,,1,\"a tile\",,\n") != std::string::npos);
    CHECK(author::steps_table(steps) ==
          "| step | 3 x 3 | 9 x 9 |\n| --- | --- | --- |\n| 1. a tile | 0.200 | 2.000 |\n"
          "| 2. all of it | 0.200 (1.00 x) | 1.000 (2.00 x) |\n");
}

TEST_CASE("a wrong step leaves the file of an earlier run as it was, and is named") {
    const staircase stairs;
    author::write_text(stairs.root / "out/99_fast.staircase.csv", "earlier\n");
    SUBCASE("its result is wrong") {
        stairs.tool("build/tests/99_fast", "exit 1");
        CHECK(stairs.measure() != 0);
        CHECK(stairs.text("said").find("'a tile' went wrong") != std::string::npos);
    }
    SUBCASE("it was not built") {
        std::filesystem::remove(stairs.root / "workers/99_fast/right_tile.worker");
        CHECK(stairs.measure() != 0);
        CHECK(stairs.text("said").find("make workers/99_fast/right_tile.worker") != std::string::npos);
    }
    CHECK(stairs.text("out/99_fast.staircase.csv") == "earlier\n");
}

TEST_CASE("a handout's table stands between its markers, and only there") {
    const std::string before = "# Lab\n<!-- steps no/such.csv: make readme -->\n";
    const std::string filled = author::handout_with_tables(before + "old\n<!-- /steps -->\nmore\n");
    CHECK(filled == before +
                        "Not measured yet: `make record PARTS=staircase` on a GPU writes `no/such.csv`.\n"
                        "<!-- /steps -->\nmore\n");
    CHECK(author::handout_with_tables(filled) == filled);
    CHECK_THROWS(author::handout_with_tables(before + "no end\n"));
    CHECK_THROWS(author::steps_table("a,b\n1,2\n"));
}
