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
        : pretended_workbook("record",
                             {"common/bench/record.sh", "common/bench/about.sh", "common/build/plots.sh"}) {
        tool("bin/nvidia-smi", "case $1 in *driver*) echo 1.2 ;; *) echo Pretended GPU ;; esac");
        tool("bin/nvcc", "echo release 13.0, V13.0.1");
        tool("common/build/plot.sh", "echo \"drew $2\"");
        author::write_text(root / "solutions/99_b/fast.cu", "");
        for (const std::string lab : {"98_a", "99_b"}) {
            author::write_text(root / "labs" / lab / "map.gp", "");
            author::write_text(root / "labs" / lab / "plot.gp", "");
            tool("build/tests/" + lab, R"sh(
for option; do case $option in --worker=*) worker=${option#*=} ;; --inspector=*) inspector=${option#*=} ;;
    --csv=*) file=${option#*=} ;; --json=*) file=${option#*=} ;; esac; done
case "$*" in
*check) case $worker in *fast*) points=90 ;; *) points=100 ;; esac
    [[ "$*" == *--exact* && $inspector == "build/cpu/)sh" +
                                           lab +
                                           R"sh(/"* ]] && printf '{\n  "points": %s,\n}\n' $points >"$file" ;;
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
    CHECK(place.recorded("99_b.map.csv").find(" --map ") != std::string::npos);
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
