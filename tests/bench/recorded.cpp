// The recorded data of this workbook: none is older than the kernels that it measured.
#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

TEST_CASE("every recorded file has measured the kernels that are here") {
    int files = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator("data/measurements")) {
        const std::string path = entry.path();
        const bool of_a_gpu = entry.path().parent_path() != "data/measurements";
        if (!path.ends_with(".csv") || !of_a_gpu) continue;
        files++;
        INFO("make record PARTS=... measures it anew: ", path);
        CHECK(std::system(("common/bench/kernels.sh stale '" + path + "' >&2").c_str()) == 0);
    }
    CHECK(files > 0);
}
