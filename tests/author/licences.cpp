// handouts/licences.md beside what is there: photographs, packages, and notices in files.
#include <doctest/doctest.h>

#include <filesystem>
#include <regex>
#include <string>
#include <vector>

#include "author/regions.h"

namespace fs = std::filesystem;

namespace {

/// The row of the page whose first cell is `what` in code; empty if there is none.
std::string row_of(const std::string& what) {
    for (const std::string& line : author::lines_of(author::read_text("handouts/licences.md")))
        if (line.starts_with("| `" + what + "` |")) return line;
    return "";
}

}  // namespace

TEST_CASE("every photograph is on the page, with the origin and the licence that stand beside it") {
    static const std::regex row(R"(\| (\w+\.png) \| [^|]+ \| (.+), ([^,]+) \|)");
    int described = 0, images = 0;
    for (const std::string& line : author::lines_of(author::read_text("data/images/README.md"))) {
        std::smatch cells;
        if (!std::regex_match(line, cells, row)) continue;
        described++;
        const std::string file = "data/images/" + cells[1].str();
        CHECK(row_of(file) == "| `" + file + "` | " + cells[2].str() + " | " + cells[3].str() + " |");
        CHECK_MESSAGE(fs::exists(file), file);
    }
    for (const auto& entry : fs::directory_iterator("data/images"))
        if (entry.path().filename() != "README.md") images++;
    CHECK(described == images);
}

TEST_CASE("every package of packages.txt is on the page") {
    int packages = 0;
    for (const std::string& line : author::lines_of(author::read_text("common/build/packages.txt"))) {
        if (line.empty() || line[0] == '#') continue;
        const std::string what = line.substr(0, line.find(' '));
        CHECK_MESSAGE(!row_of(what).empty(), what, " has no row in handouts/licences.md");
        packages++;
    }
    CHECK(packages > 10);
}

TEST_CASE("no file but LICENSE and the page has a notice of rights: nothing of others lies here") {
    static const std::regex notice(R"([Cc]opyright( \(c\)|:| [12]\d\d\d)|SPDX-)");
    for (const std::string folder : {"common", "tests", "labs", "solutions", "handouts", "data"})
        for (const auto& entry : fs::recursive_directory_iterator(folder)) {
            const std::string kind = entry.path().extension().string();
            if (!entry.is_regular_file() || kind == ".png" || entry.path() == "tests/author/licences.cpp")
                continue;
            CHECK_MESSAGE(!std::regex_search(author::read_text(entry.path()), notice), entry.path());
        }
}
