// A lab that is added touches nothing but its own four places: lab 02 under another number and name, put into a
// copy of the workbook, works from its skeleton to its mark. So does the one that adding_a_lab.md makes.
#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "author/regions.h"

namespace fs = std::filesystem;

namespace {

constexpr char LAB_02[] = R"sh(
as_lab_21() { sed -e 's/02_conv1d_constant/21_added/g' -e 's/conv1d_constant/added/g' -e 's/\b02\./21./g' -e 's/\([Ll]\)ab 02/\1ab 21/g' -e 's/\b\(lab\|hint\)02/\121/g' "$2" >"$3"; }
mkdir "$1/labs/21_added" "$1/solutions/21_added"
as_lab_21 "$1" labs/02_conv1d_constant/conv1d_constant.h "$1/labs/21_added/added.h"
as_lab_21 "$1" solutions/02_conv1d_constant/conv1d_constant.cu "$1/solutions/21_added/added.cu"
as_lab_21 "$1" tests/02_conv1d_constant.cpp "$1/tests/21_added.cpp"
as_lab_21 "$1" handouts/02_conv1d_constant.md "$1/handouts/21_added.md"
)sh";

constexpr char LAB_OF_THE_PAGE[] = R"sh(
page=handouts/instructor/adding_a_lab.md
block() { awk -v wanted="$1" '/^```/ { number += !inside; inside = !inside; next } inside && number == wanted' $page; }
mkdir "$1/labs/21_box1d" "$1/solutions/21_box1d"
block 1 >"$1/labs/21_box1d/box1d.h"
block 2 >"$1/solutions/21_box1d/box1d.cu"
block 3 >"$1/tests/21_box1d.cpp"
)sh";

struct workbook {
    const fs::path root = fs::absolute("build/tmp/added-" + std::to_string(getpid()));

    /// With the lab that these lines for sh write into the folder $1.
    explicit workbook(const std::string& lab) {
        fs::create_directories(root);
        author::write_text(root / "copy", R"sh(
mkdir -p "$1/labs" "$1/solutions" "$1/tests" "$1/handouts" "$1/build" "$1/data/images"
cp -a Makefile common "$1"
cp -a data/images/camera.png "$1/data/images"
cp -al build/obj build/lib build/bin build/compiler build/link.flags build/tools "$1/build"
)sh" + lab);
        REQUIRE(std::system(("sh '" + (root / "copy").string() + "' '" + root.string() + "'").c_str()) == 0);
    }
    ~workbook() { fs::remove_all(root); }
    workbook(const workbook&) = delete;

    /// Runs lines for sh there; `said` holds what they print.
    int sh(const std::string& lines) const {
        author::write_text(root / "lines", "export BACKEND=cpu\n" + lines + "\n");
        const std::string enter = "cd '" + root.string() + "' && env -u MAKEFLAGS -u MAKELEVEL -u WHO ";
        return WEXITSTATUS(std::system((enter + "sh lines >said 2>&1 </dev/null").c_str()));
    }
    bool says(const std::string& what) const {
        return author::read_text(root / "said").find(what) != std::string::npos;
    }
};

}  // namespace

TEST_CASE("a lab is its four places and stands in no list") {
    const workbook here(LAB_02);
    CHECK(here.sh("make") == 0);
    CHECK(here.says("labs: 21\n"));
    CHECK(here.sh("make skeletons && make solution21") == 0);
    INFO(author::read_text(here.root / "said"));
    CHECK(here.says("100 of 100 points"));
    CHECK(here.sh("make lab21") == 1);
    CHECK(here.says("0 of 100 points"));
    CHECK(here.sh("make hint21 && make progress") == 0);
    CHECK(here.says("### Hint 1"));
    CHECK(here.says("21_added"));
    CHECK(here.sh("cp solutions/21_added/added.cu labs/21_added && make lab21") == 0);
}

TEST_CASE("the lab that instructors are told to type is right, and its skeleton wrong") {
    const workbook here(LAB_OF_THE_PAGE);
    CHECK(here.sh("make skeletons && make solution21") == 0);
    INFO(author::read_text(here.root / "said"));
    CHECK(here.says("100 of 100 points"));
    CHECK(here.sh("make lab21") == 1);
    CHECK(here.says("0 of 100 points"));
}
