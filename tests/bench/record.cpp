// What make record keeps, made with a pretended GPU and
// pretended judges: of solutions and of their faster forms.
#include <doctest/doctest.h>

#include <filesystem>
#include <string>

#include "pretended.h"

namespace {

/// A lab 98 without and a lab 99 with a fast.cu. Judges write what they are asked for.
struct recording : pretended_workbook {
    recording()
        : pretended_workbook(
              "record", {"common/bench/record.sh", "common/bench/about.sh", "common/bench/kernels.sh",
                         "common/bench/sweep.sh", "common/bench/sweep_workers.sh", "common/bench/measure.sh",
                         "common/build/leash.sh", "common/build/plots.sh"}) {
        tool("bin/nvidia-smi", "case $1 in *driver*) echo 1.2 ;; *) echo Pretended GPU ;; esac");
        tool("bin/nvcc", "echo release 13.0, V13.0.1");
        tool("common/build/need.sh", "");
        tool("common/build/plot.sh", "echo \"drew $2\"");
        author::write_text(root / "common/lab/lab.h", "int lab();\n");
        author::write_text(root / "solutions/99_b/fast.cu", "int fast();\n");
        author::write_text(root / "solutions/sweeps.txt",
                           "# Somebody, figure 1: blocks.\n"
                           "blocks 98_a default,no-fmad 8x8,32x8 --methods=m --images=9x9\n"
                           "blocks 99_b default - --filters=3\n"
                           "# Another one.\nkinds 99_b default - --kinds=box\n"
                           "# A loop.\nserial 98_a default - --lab=serial\n");
        author::write_text(root / "common/problem/reference.cpp", "int loop();\n");
        for (const std::string lab : {"98_a", "99_b"}) {
            author::write_text(root / "labs" / lab / "map.gp", "panels = \"one two\"\n");
            author::write_text(root / "labs" / lab / "x.h", "int x();\n");
            author::write_text(root / "solutions" / lab / (lab.substr(3) + ".cu"), "int solution();\n");
            author::write_text(root / "labs" / lab / "plot.gp", "");
            tool("build/tests/" + lab, R"sh(
for option; do case $option in --worker=*) worker=${option#*=} ;; --inspector=*) inspector=${option#*=} ;;
    --csv=*) file=${option#*=} ;; --comment=kernels*) comment=${option#*=} ;; --json=*) file=${option#*=} ;; esac; done
case "$*" in
*check) case $worker in *fast*) points=90 asked=--serial-values ;; *) points=100 asked=--exact ;; esac
    [[ "$*" == *$asked* && $inspector == "build/cpu/)sh" +
                                           lab +
                                           R"sh(/"* ]] && printf '{\n  "points": %s,\n}\n' $points >"$file" ;;
*--more*) [ -f "$file.part" ] || printf '# %s\n' "$comment" >"$file.part"; echo "$*" >>"$file.part" ;;
*) echo "$*" >"$file" ;;
esac)sh");
        }
    }
    int record(const std::string& parts) const {
        return run("PARTS=\"" + parts + "\" NVCC=nvcc common/bench/record.sh workers 98_a 99_b");
    }
    std::string recorded(const std::string& file) const {
        return text("data/measurements/pretended-gpu/" + file);
    }
    bool is_recorded(const std::string& file) const {
        return std::filesystem::exists(root / "data/measurements/pretended-gpu" / file);
    }
};

}  // namespace

TEST_CASE("a faster form is timed into a file of its own") {
    const recording place;
    REQUIRE(place.record("bench maps") == 0);
    CHECK(place.recorded("98_a.csv")
              .starts_with("bench --worker=workers/98_a/solution.worker --comment=device:"));
    CHECK(place.recorded("99_b.csv").starts_with("bench --worker=workers/99_b/solution.worker "));
    CHECK(place.recorded("99_b.fast.csv")
              .starts_with("bench --worker=workers/99_b/fast.worker --comment=device:"));
    CHECK(place.recorded("99_b.map.csv").find("solution.worker") != std::string::npos);
    CHECK(place.recorded("99_b.map.csv").find(" --map --methods=one,two ") != std::string::npos);
    CHECK(place.recorded("98_a.csv").find(" --no-serial ") != std::string::npos);  // it has a file of its own
    CHECK(!place.is_recorded("98_a.fast.csv"));
    CHECK(!place.is_recorded("checks.csv"));
    // The charts are those of the solutions.
    REQUIRE(place.run("common/build/plots.sh") == 0);
    CHECK(place.text("said").find("99_b.map.csv") != std::string::npos);
    CHECK(place.text("said").find("fast") == std::string::npos);
}

TEST_CASE("a faster form has a row of its own among the points") {
    const recording place;
    REQUIRE(place.record("checks") == 0);
    const std::string rows =
        "lab,points,of,device\n98_a,100,100,\"Pretended GPU\"\n99_b,100,100,\"Pretended GPU\"\n"
        "99_b fast,90,100,\"Pretended GPU\"\n";
    CHECK(place.recorded("checks.csv").ends_with(rows));
    CHECK(!place.is_recorded("99_b.fast.csv"));
}

TEST_CASE("a judge that says nothing gets no points of the one before it") {
    const recording place;
    place.tool("build/tests/99_b", "exit 1");
    CHECK(place.record("checks") != 0);
    CHECK(place.recorded("checks.csv").find("\n99_b,0,100,") != std::string::npos);
}

TEST_CASE("a sweep's lines are measured with every build and block into one file") {
    const recording place;
    REQUIRE(place.record("blocks") == 0);
    const std::string file = place.recorded("sweep_blocks.csv");
    const std::string workers[] = {
        "workers/98_a/block_8x8_solution.worker", "workers/98_a/block_32x8_solution.worker",
        "workers-no-fmad/98_a/block_8x8_solution.worker", "workers-no-fmad/98_a/block_32x8_solution.worker",
        "workers/99_b/solution.worker"};
    size_t at = 0;
    for (const std::string& worker : workers) {  // one after the other
        at = file.find("--worker=" + worker, at);
        INFO(worker);
        REQUIRE(at != std::string::npos);
    }
    CHECK(file.find("--build=no-fmad --methods=m --images=9x9 --block=8x8 --more\n") != std::string::npos);
    CHECK(file.find("--build=default --filters=3 --more\n") != std::string::npos);
    CHECK(!place.is_recorded("sweep_kinds.csv"));
    CHECK(!place.is_recorded("98_a.csv"));
    const std::string said = place.text("said");
    CHECK(said.find("  sweep_blocks.csv: Somebody, figure 1: blocks.\n") != std::string::npos);
}

TEST_CASE("the serial loop has a file without a lab's kernels, waited for at the end") {
    const recording place;
    REQUIRE(place.record("serial kinds") == 0);
    CHECK(place.recorded("serial.csv").starts_with("# kernels: common/problem/serial.cpp "));
    CHECK(place.recorded("serial.csv").find(" --lab=serial --more\n") != std::string::npos);
    CHECK(place.recorded("sweep_kinds.csv").starts_with("# kernels: 99_b/solution "));
    place.tool("build/tests/98_a", "exit 1");
    CHECK(place.record("serial kinds") != 0);
}

TEST_CASE("what make has to build for a sweep is what the sweep measures") {
    const recording place;
    REQUIRE(place.run("common/bench/sweep_workers.sh needs gpu blocks") == 0);
    CHECK(place.text("said") ==
          "build/tests/98_a build/tests/99_b gpu-no-fmad/98_a/block_32x8_solution.worker "
          "gpu-no-fmad/98_a/block_8x8_solution.worker gpu/98_a/block_32x8_solution.worker "
          "gpu/98_a/block_8x8_solution.worker gpu/99_b/solution.worker\n");
}

TEST_CASE("several devices have a folder of their own, and are left out where one thing is missing") {
    const recording place;
    place.tool("bin/ldd", "[ $1 != workers/devices ] || echo libnccl.so.2");
    place.tool("workers/devices", "printf 'lab,method\\n19,in_turn_1\\n# on %s\\n' $1");
    author::write_text(place.root / "common/bench/devices.cu", "int devices();\n");
    for (const std::string folder : {"labs", "solutions"})
        author::write_text(place.root / folder / "19_conv2d_multi_gpu/conv2d_multi_gpu.cu",
                           "int strips();\n");
    REQUIRE(place.record("devices") == 0);
    CHECK(place.text("said").find("devices: skipped, 1 GPU is here and 2 are needed\n") != std::string::npos);

    place.tool("bin/nvidia-smi",
               "case $1 in *driver*) echo 1.2 ;; *) printf 'Pretended GPU\\n%.0s' 1 2 3 4 ;; esac");
    REQUIRE(place.record("devices") == 0);
    CHECK(!place.is_recorded("devices.csv"));
    const std::string file = place.text("data/measurements/pretended-gpu-x4/devices.csv");
    CHECK(file.starts_with("# device: 4 x Pretended GPU\n# driver: 1.2\n"));
    CHECK(file.find("# kernels: 19_conv2d_multi_gpu/solution ") != std::string::npos);
    CHECK(file.find("\nlab,method\n19,in_turn_1\n# on 2") != std::string::npos);  // no header but its own

    place.tool("bin/ldd", "echo libc.so.6");
    REQUIRE(place.record("devices") == 0);
    CHECK(place.text("said").find("devices: skipped, it was built without nccl.h") != std::string::npos);
}

TEST_CASE("a sweep with a wrong result is recorded and fails the run") {
    const recording place;
    const std::string judge = place.text("build/tests/98_a");
    place.tool("build/tests/98_a", judge.substr(judge.find('\n') + 1) + "[[ $worker != *8x8* ]]");
    CHECK(place.record("blocks") != 0);
    CHECK(place.recorded("sweep_blocks.csv").find("99_b/solution.worker") != std::string::npos);
}

TEST_CASE("an unknown part is named with those that there are") {
    const recording place;
    CHECK(place.record("bench sweps") != 0);
    CHECK(place.text("said") ==
          "PARTS=sweps: the parts of a recording are ceilings checks counters fuzz bench maps "
          "staircase fft pipeline devices blocks kinds serial\n");
}

TEST_CASE("a file is stale once a kernel that it measured is another one") {
    const recording place;
    REQUIRE(place.record("bench") == 0);
    REQUIRE(place.run("common/bench/kernels.sh 98_a/solution 99_b/fast") == 0);
    const std::string hashes = place.text("said");
    const size_t second = hashes.find('\n') + 1;
    const std::filesystem::path folder = place.root / "data/measurements/pretended-gpu";
    author::write_text(folder / "98_a.csv", "# kernels: " + hashes.substr(0, second) + "lab\n");
    author::write_text(folder / "99_b.csv", "# kernels: " + hashes.substr(0, second) +
                                                "# kernels: " + hashes.substr(second) + "lab\n");
    const auto stale = [&] {
        return place.run("common/bench/kernels.sh stale data/measurements/*/9*_?.csv");
    };
    CHECK(stale() == 0);

    SUBCASE("a comment is no kernel") {
        author::write_text(place.root / "solutions/98_a/a.cu", "// Why.\nint solution();  // what\n");
        CHECK(stale() == 0);
    }
    SUBCASE("the faster form") {
        author::write_text(place.root / "solutions/99_b/fast.cu", "int faster();\n");
        CHECK(stale() != 0);
        CHECK(place.text("said") ==
              "data/measurements/pretended-gpu/99_b.csv: 99_b/fast is no longer what was measured\n");
    }
    SUBCASE("a header that every kernel includes") {
        author::write_text(place.root / "common/lab/lab.h", "long lab();\n");
        CHECK(stale() != 0);
        CHECK(place.text("said").find("98_a.csv: 98_a/solution is no longer") != std::string::npos);
        CHECK(place.text("said").find("99_b.csv: 98_a/solution is no longer") != std::string::npos);
    }
    SUBCASE("a header of the lab in a folder of its own") {
        author::write_text(place.root / "labs/98_a/fast/y.h", "int y();\n");
        CHECK(stale() != 0);
    }
    SUBCASE("a kernel that is gone") {
        std::filesystem::remove(place.root / "solutions/98_a/a.cu");
        CHECK(stale() != 0);
    }
    SUBCASE("a file that does not say") {
        author::write_text(folder / "98_a.csv", "# date: today\nlab\n");
        CHECK(stale() != 0);
        CHECK(place.text("said") ==
              "data/measurements/pretended-gpu/98_a.csv: does not say which kernels it measured\n");
    }
}
