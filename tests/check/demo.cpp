// The demo's rows: what an output reads is counted in values, and the serial loop stands there once.
#include "check/modes/demo_mode.h"

#include <doctest/doctest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "author/regions.h"
#include "check/method.h"
#include "fake_worker.h"

using namespace check;

namespace {

/// As if the 4 x 3 outputs had been made by wide loads of `loads` values in all and `fetches` of textures.
call_result answer(std::span<float> out, const problem_2d& p, uint64_t loads, uint64_t fetches) {
    const std::vector<float> values = convolve_serial(p);
    std::copy(values.begin(), values.end(), out.begin());
    call_result result;
    result.how = call_end::returned;
    result.kernel_ms = {2};
    inspect::launch launch;
    launch.total.global.loads.bytes = loads * sizeof(float);
    launch.total.global.loads.lanes = loads / 4;
    launch.total.texture.bytes = fetches * sizeof(float);
    result.seen.launches = {launch};
    return result;
}

const method_2d wide("wide", [](auto&, auto&, auto out, auto& p) { return answer(out, p, 24, 0); });
const method_2d fetched("fetched", [](auto&, auto&, auto out, auto& p) { return answer(out, p, 0, 108); });

std::vector<std::string> rows_of_two_labs() {
    namespace fs = std::filesystem;
    const fs::path folder = fs::temp_directory_path() / ("demo-" + std::to_string(getpid()));
    fs::create_directories(folder);
    write_image(ramp_image(4, 3), folder / "photo.png");
    const demo_options options{folder / "photo.png", folder, {}, "2000-01-01"};
    for (const char* lab : {"98_first", "99_second"}) {
        session run(lab, "worker", "worker");
        CHECK(run_demo(options, run) == 0);
    }
    const std::vector<std::string> lines = author::lines_of(author::read_text(folder / "results.csv"));
    fs::remove_all(folder);
    return lines;
}

bool has(const std::vector<std::string>& lines, const std::string& begin, const std::string& part) {
    return std::any_of(lines.begin(), lines.end(), [&](const std::string& line) {
        return line.starts_with(begin) && line.find(part) != std::string::npos;
    });
}

}  // namespace

TEST_CASE("wide loads count their values and textures their fetches") {
    const std::vector<std::string> lines = rows_of_two_labs();
    REQUIRE(!lines.empty());
    CHECK(lines[0].find("gflops,loads_per_output,fetches_per_output,sectors") != std::string::npos);
    CHECK(has(lines, "98,2D,\"wide\",", ",2.000,0.000,0.000,"));
    CHECK(has(lines, "99,2D,\"fetched\",", ",0.000,9.000,0.000,"));
}

TEST_CASE("the serial loop is shown by the first lab and by no other") {
    const std::vector<std::string> lines = rows_of_two_labs();
    CHECK(lines.size() == 1 + 1 + 2 * 2);
    CHECK(has(lines, "98,2D,\"serial\",\"serial loop on the CPU\"", "right"));
    CHECK(!has(lines, "99,2D,\"serial\"", ""));
}
