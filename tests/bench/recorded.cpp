// The recorded data of this workbook: none is older than the kernels that it measured.
#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "author/regions.h"

TEST_CASE("every recorded file that says what it measured has measured the kernels that are here") {
    int files = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator("data/measurements")) {
        const std::string path = entry.path();
        // Those from before files said so are named by make stale.
        if (!path.ends_with(".csv") || author::read_text(path).find("\n# kernels: ") == std::string::npos)
            continue;
        files++;
        INFO("make record PARTS=... measures it anew: ", path);
        CHECK(std::system(("common/bench/kernels.sh stale '" + path + "' >&2").c_str()) == 0);
    }
    CHECK(files > 0);
}
