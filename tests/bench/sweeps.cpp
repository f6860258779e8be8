// A sweep on the CPU backend, with a lab's own judge and workers: blocks as launched, interrupted and gone on with.
#include <doctest/doctest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "author/regions.h"

namespace {

namespace fs = std::filesystem;

/// A file of times of lab 06, measured with blocks of 8 x 8 and 32 x 4 threads.
struct real_sweep {
    fs::path folder = fs::temp_directory_path() / ("sweeps-" + std::to_string(getpid()));
    std::string csv = folder / "sweep.csv";

    real_sweep() { fs::create_directories(folder); }
    ~real_sweep() { fs::remove_all(folder); }
    real_sweep(const real_sweep&) = delete;

    int measure(const std::string& workers, const std::string& options) const {
        const std::string command = options + " common/bench/measure.sh build/tests/06_conv2d_constant " +
                                    csv + " '" + workers +
                                    "' --no-serial --images=50x40 --filters=3,5 --comment='device: one' "
                                    "--comment='kernels: some 1234' >" +
                                    (folder / "said").string() + " 2>&1 </dev/null";
        return std::system(command.c_str());
    }
    /// The rows of a file, each its method, filter and block.
    std::vector<std::string> rows(const std::string& file) const {
        std::vector<std::string> found;
        for (const std::string& line : author::lines_of(author::read_text(file))) {
            if (line.starts_with("06_")) found.push_back(line);
        }
        return found;
    }
    int with_block(const std::string& block) const {
        const std::vector<std::string> all = rows(csv);
        return int(std::count_if(all.begin(), all.end(), [&](const std::string& row) {
            return row.find("," + block + ",default,random,pageable,") != std::string::npos;
        }));
    }
};

const std::string SMALL = "build/cpu/06_conv2d_constant/block_8x8_solution.worker",
                  WIDE = "build/cpu/06_conv2d_constant/block_32x4_solution.worker";

}  // namespace

TEST_CASE("every block is measured as it is launched, into one file") {
    const real_sweep sweep;
    REQUIRE(sweep.measure(SMALL + " " + WIDE, "") == 0);
    CHECK(sweep.rows(sweep.csv).size() == 4);
    CHECK(sweep.with_block("8x8") == 2);
    CHECK(sweep.with_block("32x4") == 2);
    CHECK(!fs::exists(sweep.csv + ".part"));
}

TEST_CASE("a sweep that was interrupted keeps the times that it has") {
    const real_sweep sweep;
    REQUIRE(sweep.measure(SMALL, "MORE=1") == 0);
    const std::vector<std::string> before = sweep.rows(sweep.csv + ".part");
    REQUIRE(before.size() == 2);
    REQUIRE(sweep.measure(SMALL + " " + WIDE, "") == 0);
    const std::vector<std::string> after = sweep.rows(sweep.csv);
    REQUIRE(after.size() == 4);
    CHECK(std::equal(before.begin(), before.end(), after.begin()));
}

TEST_CASE("a worker whose launches are not its name's is left out") {
    const real_sweep sweep;
    const std::string misnamed = sweep.folder / "block_16x16_solution.worker";
    fs::copy_file(SMALL, misnamed);
    REQUIRE(sweep.measure(misnamed, "") == 0);
    CHECK(sweep.rows(sweep.csv).empty());
    CHECK(author::read_text(sweep.csv).find("launches blocks of 8x8, not of 16x16") != std::string::npos);
}
