// Measured numbers in sentences: formulas over recorded data, claims, and numbers that nothing derives. The last
// cases read the handouts themselves.
#include <doctest/doctest.h>

#include <filesystem>
#include <regex>
#include <string>
#include <vector>

#include "author/bare_numbers.h"
#include "author/formulas.h"
#include "author/handout_tables.h"
#include "author/quoted_values.h"
#include "author/regions.h"

namespace fs = std::filesystem;

namespace {

/// Two labs' files with three filters, one of which the second lab lacks, and a table of somebody else's.
struct recorded_files {
    const fs::path root = fs::temp_directory_path() / "workbook_values";
    author::recorded_data data{root};

    recorded_files() {
        fs::remove_all(root);
        fs::create_directories(root / "published");
        const fs::path measured = root / "measurements/nvidia-h200";
        fs::create_directories(measured);
        const std::string columns =
            "lab,method,channels,width,height,filter_width,filter_height,kernel_ms,copy_ms\n";
        author::write_text(measured / "98_slow.csv", columns + "98_slow,naive,1,4096,4096,3,3,4,11\n" +
                                                         "98_slow,naive,1,4096,4096,7,3,6,11\n" +
                                                         "98_slow,naive,1,4096,4096,9,9,0.5,11\n" +
                                                         "98_slow,naive,3,4096,4096,3,3,12,11\n" +
                                                         "98_slow,naive,1,512,512,3,3,0.05,\n");
        author::write_text(measured / "98_slow.fast.csv", columns + "98_slow,naive,1,4096,4096,3,3,3,11\n" +
                                                              "98_slow,naive,1,4096,4096,9,9,0.45,11\n");
        fs::create_directories(root / "measurements/nvidia-h200-x4");
        for (const std::string file : {"devices", "98_slow"})
            author::write_text(root / "measurements/nvidia-h200-x4" / (file + ".csv"),
                               columns + "98_slow,naive,1,4096,4096,3,3,1,11\n");
        author::write_text(root / "published/cards.csv",
                           "gpu,ms\nTesla T4,0.122\nTesla T4,0.123\nGTX 480,7\n");
    }
    ~recorded_files() { fs::remove_all(root); }

    double one(const std::string& formula) { return author::values_of(formula, data).at(0); }
    std::string text(const std::string& value) {
        return author::with_values("<!--= " + value + " -->old<!--/-->", data);
    }
};

std::vector<fs::path> handouts() {
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator("handouts"))
        if (entry.path().extension() == ".md") files.push_back(entry.path());
    return files;
}

}  // namespace

TEST_CASE("a reference names one number of one file") {
    recorded_files files;
    CHECK(files.one("98:naive(3x3)") == 4);
    CHECK(files.one("98.fast:naive(3x3)") == 3);
    CHECK(files.one("98:naive(3x3)[channels=3]") == 12);
    CHECK(files.one("98:naive@512x512(3x3)") == 0.05);
    CHECK(files.one("98:naive(3x3).copy_ms") == 11);
    CHECK(files.one("published/cards[gpu=GTX 480].ms") == 7);
    CHECK(files.one("devices:naive(3x3)") == 1);  // of several GPUs, where one has no such file
}

TEST_CASE("a reference counts the rows that fit, or adds up a column of them") {
    recorded_files files;
    CHECK(files.one("published/cards[].rows") == 3);
    CHECK(files.one("published/cards[gpu=Tesla T4].rows") == 2);
    CHECK(files.one("published/cards[gpu=none].rows") == 0);
    CHECK(files.one("published/cards[gpu=Tesla T4].sum_ms") == doctest::Approx(0.245));
    CHECK(files.one("published/cards[].sum_ms / published/cards[].rows") == doctest::Approx(7.245 / 3));
    CHECK_THROWS_WITH(files.one("published/cards[].sum_speed"), doctest::Contains("no column 'speed'"));
    CHECK_THROWS_AS(files.one("published/none[].rows"), author::not_recorded);
}

TEST_CASE("a reference that fits nothing, or several rows, is told apart from what is not recorded yet") {
    recorded_files files;
    CHECK_THROWS_AS(files.one("98:naive(5x5)"), author::not_recorded);
    CHECK_THROWS_AS(files.one("98:naive@512x512(3x3).copy_ms"), author::not_recorded);
    CHECK_THROWS_AS(files.one("97:naive(3x3)"), author::not_recorded);
    CHECK_THROWS_WITH(files.one("98:fast(3x3)"), "98 has no method 'fast'");
    CHECK_THROWS_WITH(files.one("98:naive(3x3).speed"), doctest::Contains("no column 'speed'"));
    CHECK_THROWS_WITH(files.one("published/cards[gpu=Tesla T4].ms"), doctest::Contains("several rows fit"));
    CHECK_THROWS_WITH(files.one("naive"), doctest::Contains("'naive' in a text: must be FILE:METHOD"));
}

TEST_CASE("formulas compute, products before sums and brackets first") {
    recorded_files files;
    CHECK(files.one("1 - 98.fast:naive(3x3) / 98:naive(3x3)") == 0.25);
    CHECK(files.one("2 * ( 98:naive(3x3) + 1 ) - 3 / 2") == 8.5);
    CHECK_THROWS_WITH(files.one("2 * ( 3"), "a formula lacks a ')'");
    CHECK_THROWS_WITH(files.one("2 *"), "a formula lacks a number");
    CHECK_THROWS_WITH(files.one("2 3"), "'3' in a formula is too much");
}

TEST_CASE("a formula for several filters leaves out those that are not recorded, unless they are named") {
    recorded_files files;
    using values = std::vector<double>;
    CHECK(author::values_of("98:naive for all", files.data) == values{4, 6, 0.5});
    CHECK(author::values_of("98:naive for 3x3..9x9", files.data) == values{4, 0.5});
    CHECK(author::values_of("98:naive / 98.fast:naive for all", files.data) == values{4.0 / 3, 0.5 / 0.45});
    CHECK(author::values_of("98:naive / published/cards[gpu=GTX 480].ms for 3x3", files.data) ==
          values{4.0 / 7});
    CHECK(author::values_of("98:naive for 9x9,7x3", files.data) == values{0.5, 6});
    CHECK_THROWS_AS(author::values_of("98.fast:naive for 3x3,7x3", files.data), author::not_recorded);
    CHECK_THROWS_AS(author::values_of("98:naive for 11x11..13x13", files.data), author::not_recorded);
}

TEST_CASE("a value is written in place of the old one, the least to the largest") {
    recorded_files files;
    CHECK(files.text("ms 98:naive(3x3)") == "<!--= ms 98:naive(3x3) -->4.000<!--/-->");
    CHECK(files.text("percent 1 - 98.fast:naive / 98:naive for all") ==
          "<!--= percent 1 - 98.fast:naive / 98:naive for all -->10 to 25<!--/-->");
    CHECK(files.text("times 98:naive(3x3) / 98:naive(9x9)").find(">8.00<") != std::string::npos);
    CHECK(files.text("percent 98:naive(9x9) - 0.501").find(">0<") != std::string::npos);
    CHECK(files.text(".1 98:naive(9x9)").find(">0.5<") != std::string::npos);
    CHECK(files.text("ms 97:naive(9x9)").find(">(not measured yet)<") != std::string::npos);
    CHECK(files.text("mean 98:naive / 2 for 3x3,7x3").find(">2.50<") != std::string::npos);
    CHECK(files.text("verdict 98:naive above 2 for 3x3,7x3").find(">yes<") != std::string::npos);
    CHECK(files.text("verdict 98:naive above 2 for all").find(">for 2 of 3<") != std::string::npos);
    CHECK(files.text("verdict 98:naive(3x3) below 2").find(">no<") != std::string::npos);
    CHECK_THROWS_WITH(files.text("sec 98:naive(9x9)"), doctest::Contains("'sec' in a value"));
}

TEST_CASE("a claim that the data does not bear out is told") {
    recorded_files files;
    const auto broken = [&](const std::string& claim) {
        return author::broken_claims("a <!--? " + claim + " --> b", files.data);
    };
    CHECK(broken("98.fast:naive below 98:naive for all").empty());
    CHECK(broken("98:naive above 2 for 3x3,7x3").empty());
    CHECK(broken("97:naive(3x3) above 2").empty());
    CHECK_THROWS_WITH(broken("98:naive(3x3)"), doctest::Contains("must be FORMULA below FORMULA"));
    CHECK(broken("98:naive above 2 for all") ==
          std::vector<std::string>{"98:naive above 2 for all does not hold: the difference is -1.5 to 4"});
}

TEST_CASE("numbers that look measured and have no mark are found") {
    using numbers = std::vector<std::string>;
    CHECK(author::bare_numbers("It takes 0.3 ms.") == numbers{"line 1: 0.3 ms"});
    CHECK(author::bare_numbers("first\n\nlast\nmoves 3.9\nTB/s or 3.9 TB/s") == numbers{"line 5: 3.9 TB/s"});
    CHECK(author::bare_numbers("It takes <!--= ms 98:naive(3x3) -->0.3<!--/--> ms.").empty());
    CHECK(author::bare_numbers("| 3 | 0.3 ms |\nand `0.3 ms`").empty());
    CHECK(author::bare_numbers("1. 32 times the traffic, 15 %\n2. on an H200\n   15 %, 2.5 times") ==
          numbers{"line 3: 15 %", "line 3: 2.5 times"});
    CHECK(author::bare_numbers("## And faster\n\n15 %\n\n## Next\n\n16 %") == numbers{"line 3: 15 %"});
}

TEST_CASE("handouts are up to date") {
    for (const fs::path& file : handouts()) {
        CAPTURE(file);
        const std::string text = author::read_text(file);
        CHECK_MESSAGE(author::handout_with_tables(text) == text, "stale: make readme");
    }
}

TEST_CASE("handouts claim nothing that the recorded data does not bear out") {
    author::recorded_data data;
    for (const fs::path& file : handouts())
        for (const std::string& claim : author::broken_claims(author::read_text(file), data))
            FAIL_CHECK(file.string(), ": ", claim);
}

TEST_CASE("no measured number of a handout is kept by hand") {
    for (const fs::path& file : handouts())
        for (const std::string& number : author::bare_numbers(author::read_text(file)))
            FAIL_CHECK(file.string(), " ", number);
}

TEST_CASE("every chart of a source that a handout names has its script") {
    static const std::regex chart(
        "`((beukman|ichimura|pmpp|camerino|vanwerkhoven)_(fig|table|section|crossover|transfer)\\w*)`");
    const fs::path scripts = "common/plot/figures";
    if (!fs::exists(scripts)) return;
    for (const std::string page : {"sources", "results"}) {
        const std::string text = author::read_text("handouts/" + page + ".md");
        for (std::sregex_iterator one(text.begin(), text.end(), chart), end; one != end; ++one)
            CHECK_MESSAGE(fs::exists(scripts / ((*one)[1].str() + ".gp")), page, ".md names ",
                          (*one)[1].str());
    }
}
