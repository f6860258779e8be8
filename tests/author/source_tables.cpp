// The sources' tables with our numbers beside theirs, from a made-up recording.
#include "author/source_tables.h"

#include <doctest/doctest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <string>

#include "author/handout_tables.h"
#include "author/regions.h"
#include "recording.h"

namespace fs = std::filesystem;

namespace {

struct recorded_files {
    const fs::path folder = fs::temp_directory_path() / ("source-tables-" + std::to_string(getpid()));
    recorded_files() {
        fs::create_directories(folder);
        for (const recording::sweep& what : recording::sweeps())
            recording::write(folder, what);
    }
    ~recorded_files() { fs::remove_all(folder); }
};

bool has_line(const std::string& text, const std::string& line) {
    const auto lines = author::lines_of(text);
    return std::find(lines.begin(), lines.end(), line) != lines.end();
}

}  // namespace

TEST_CASE("every source's table can be made and has a number of ours in every cell") {
    const recorded_files files;
    CHECK(author::source_table_names().size() == 12);
    for (const std::string& name : author::source_table_names()) {
        INFO(name);
        const author::source_table table = author::read_source_table(name, files.folder);
        CHECK(table.rows.size() >= 2);
        for (const auto& row : table.rows) {
            INFO(row.at(0));
            CHECK(row.size() == table.headings.size());
            const bool is_serial = row[0] == "Serial";  // whose copies take no time, which has no ratio
            CHECK(std::count(row.begin(), row.end(), "") == (is_serial ? 1 : 0));
        }
    }
}

TEST_CASE("numbers are those of the method, image, filter and block that the source has") {
    const recorded_files files;
    // naive: 1 ms for 10^9 taps, the unrolled tile: 3 ms, the serial loop: 1000 ms
    const auto text = [&](const char* name) {
        return author::as_markdown(author::read_source_table(name, files.folder));
    };
    CHECK(has_line(text("camerino_table5_8"),
                   "| 3 | 0.122 | 0.00944 | 12.9 | 0.116 | 0.0189 | 6.15 | 0.147 | 0.0283 | 5.19 | 16.97 | "
                   "9.44 | 1.80 |"));
    CHECK(text("camerino_table5_10").find("| 32 | 8 | 0.855 | 0.105 | 8.15 |") != std::string::npos);
    CHECK(text("camerino_table5_6").find("| 64 | 1000 | 15.6 | 44 | 333 | 7.58 |") != std::string::npos);
    // The third method: 3 ms for 10^9 taps; copies: 1 ms for 10^6 pixels.
    CHECK(text("beukman_table1").find("| Naive | 49.89 | 17.7 | 2.82 | 1.21 | 1.05 | 1.15 |") !=
          std::string::npos);
    // 1920 x 1080 with pageable arrays, of "global", our naive: serial 18.7 ms, kernel 0.0187, copies 2.07.
    CHECK(has_line(text("ichimura_table2"),
                   "| global | 3 | 19.78 | 18.7 | 1.06 | 0.54 | 0.0187 | 28.9 | 4.62 | 2.07 | 2.23 | 36.6 | "
                   "1000 | 27.3 | 3.8 | 8.92 | 2.35 |"));
}

TEST_CASE("a table of a source stands in a handout between its markers") {
    const recorded_files files;
    const std::string opening =
        "<!-- source camerino_table5_8 " + files.folder.string() + ": make readme -->\n";
    const std::string handout = author::handout_with_tables(opening + "old\n<!-- /source -->\n");
    CHECK(handout.starts_with(opening + "| filter | v1_ms, Tesla T4 | v1_ms, Made-up GPU | times faster |"));
    CHECK(handout.find("old") == std::string::npos);
}

TEST_CASE("a table whose file is missing is named and the others are written") {
    const recorded_files files;
    fs::remove(files.folder / "sweep_copies.csv");
    CHECK(author::write_source_tables(files.folder, files.folder / "tables") == 4);
    CHECK(!fs::exists(files.folder / "tables/ichimura_table1.md"));
    CHECK(
        author::read_text(files.folder / "tables/beukman_table1.csv")
            .starts_with("\"method\",\"kernel_ms, GTX 1060\",\"kernel_ms, Made-up GPU\",\"times faster\","));
}
