// A lab's file with other blocks, for a benchmark: of solutions whose two lines define them, and of others.
#include <doctest/doctest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "author/regions.h"
#include "pretended.h"

namespace {

struct block_edit : pretended_workbook {
    block_edit() : pretended_workbook("blocks", {"common/build/with_block.sh", "common/build/changed.sh"}) {}
    /// What the script returns for this file; what it writes is out/b.cu.
    int make_of(const std::string& text, const std::string& block) const {
        author::write_text(root / "a.cu", text);
        return run("common/build/with_block.sh " + block + " a.cu out/b.cu");
    }
};

}  // namespace

TEST_CASE("the solutions that a sweep gives other blocks differ in two lines") {
    const block_edit place;
    for (const std::string file : {"05_conv2d_naive/conv2d_naive.cu", "06_conv2d_constant/conv2d_constant.cu",
                                   "08_conv2d_shared/conv2d_shared.cu", "10_conv2d_texture/conv2d_texture.cu",
                                   "13_conv2d_adaptive/conv2d_adaptive.cu"}) {
        INFO(file);
        const std::string text = author::read_text("solutions/" + file);
        REQUIRE(place.make_of(text, "64x2") == 0);
        const std::vector<std::string> before = author::lines_of(text),
                                       after = author::lines_of(place.text("out/b.cu"));
        REQUIRE(before.size() == after.size());
        std::string changed;
        for (size_t k = 0; k < before.size(); k++) {
            if (before[k] != after[k]) changed += after[k].substr(0, after[k].find(';') + 1);
        }
        CHECK(changed == "constexpr int BLOCK_WIDTH = 64;constexpr int BLOCK_HEIGHT = 2;");
    }
}

TEST_CASE("a file that defines its blocks otherwise is refused in a line and writes nothing") {
    const block_edit place;
    const std::string one_line =
        "a.cu: BLOCKS=8x8 needs one line 'constexpr int BLOCK_HEIGHT = ...;', there are ";
    CHECK(place.make_of("constexpr int BLOCK_WIDTH = 32;\n", "8x8") != 0);
    CHECK(place.text("said") == one_line + "0: run it without BLOCKS=\n");
    CHECK(place.make_of("constexpr int BLOCK_WIDTH = 32;\nconstexpr int BLOCK_HEIGHT = 8;\n"
                        "constexpr int BLOCK_HEIGHT = 4;\n",
                        "8x8") != 0);
    CHECK(place.text("said") == one_line + "2: run it without BLOCKS=\n");
    CHECK(!std::filesystem::exists(place.root / "out/b.cu"));
}
