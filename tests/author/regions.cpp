// Tests of the skeleton cutter: what it cuts, and what it refuses.
#include <doctest/doctest.h>
#include <unistd.h>

#include <filesystem>
#include <regex>
#include <stdexcept>

#include "author/regions.h"
#include "call/code_line.h"

namespace fs = std::filesystem;

static const char SOLUTION[] =
    "// Lab 07 - title.\n"
    "int outside = 1;\n"
    "    // begin 07.1 Do the first thing.\n"
    "    // skeleton: int x = 0;\n"
    "    int x = 1;  // a reason\n"
    "\n"
    "    // only a comment\n"
    "    x += 2;\n"
    "    // end 07.1\n"
    "// begin 07.2 A sentence that was wrapped\n"
    "// by the formatter.\n"
    "int y = 3;\n"
    "// end 07.2\n";

/// A lab's folder of its own, with one solution in it.
struct folder {
    fs::path path = fs::temp_directory_path() / ("author-" + std::to_string(getpid())) / "07_fake";
    folder() { fs::create_directories(path); }
    ~folder() { fs::remove_all(path.parent_path()); }
    author::solution read(const std::string& text) const {
        author::write_text(path / "fake.cu", text);
        return author::read_solution(path / "fake.cu");
    }
};

static std::string trouble_of(const std::string& text) {
    try {
        folder().read(text);
    } catch (const std::runtime_error& error) {
        const std::string what = error.what();
        return what.substr(what.find("fake.cu:") + 8);
    }
    return "";
}

TEST_CASE("a skeleton has a TODO for every region and nothing of it") {
    CHECK(author::skeleton_of(folder().read(SOLUTION)) ==
          "// Lab 07 - title.\n"
          "int outside = 1;\n"
          "    // TODO 07.1 (about 2 lines) Do the first thing.\n"
          "    int x = 0;\n"
          "// TODO 07.2 (about 1 line) A sentence that was wrapped by the formatter.\n");
}

TEST_CASE("a variant lacks one region and keeps the others without their stand-ins") {
    const std::string text = author::without_region(folder().read(SOLUTION), "07.2");
    CHECK(text.find("int x = 1;  // a reason\n") != std::string::npos);
    CHECK(text.find("int x = 0;") == std::string::npos);
    CHECK(text.find("int y") == std::string::npos);
    CHECK(text.find("// TODO 07.2") != std::string::npos);
}

TEST_CASE("a way is cut at a region by its number, wherever it stands") {
    const std::string text =
        "// begin 07.10 Last.\nint c;\n// end 07.10\n// begin 07.9 Then.\nint b;\n// end 07.9\n"
        "// begin 07.1 First.\n// skeleton: int old;\nint a;\n// end 07.1\n";
    const author::solution read = folder().read(text);
    CHECK(author::working_order(read) == std::vector<std::string>{"07.1", "07.9", "07.10"});
    CHECK(author::up_to_region(read, "07.9") ==
          "// TODO 07.10 (about 1 line) Last.\n// 07.9 Then.\nint b;\n// 07.1 First.\nint a;\n");
}

TEST_CASE("a long TODO is wrapped below the column limit") {
    std::string sentence;
    for (int k = 0; k < 40; k++)
        sentence += "word ";
    const std::string text =
        author::skeleton_of(folder().read("// begin 07.1 " + sentence + "end.\nint x;\n// end 07.1\n"));
    for (const std::string& line : author::lines_of(text)) {
        CHECK(line.size() <= 110);
        CHECK(line.starts_with("// "));
    }
}

TEST_CASE("markers that do not fit are refused with their line") {
    CHECK(trouble_of("int x;\n// begin 07.1 Do it.\nint y;\n") == "2: region 07.1 has no end");
    CHECK(trouble_of("// end 07.1\n") == "1: '// end 07.1' does not belong to a region");
    CHECK(trouble_of("// begin 07.1 Do it.\nint y;\n// end 07.2\n") ==
          "3: region 07.1 is closed by end 07.2");
    CHECK(trouble_of("// begin 07.1 Do it.\n// begin 07.2 Do it.\n") ==
          "2: a marker inside region 07.1: regions do not nest");
    CHECK(trouble_of("// begin 07.1 Do it\nint y;\n// end 07.1\n") ==
          "1: region 07.1 needs a sentence that ends with a full stop");
    CHECK(trouble_of("// begin 07.1\nint y;\n// end 07.1\n") ==
          "1: region 07.1 needs a sentence that ends with a full stop");
    CHECK(trouble_of("// begin 07.1 Do it.\n// nothing\n// end 07.1\n") == "1: region 07.1 holds no code");
    CHECK(trouble_of("// begin 08.1 Do it.\nint y;\n// end 08.1\n") == "1: region 08.1 stands in lab 07");
    CHECK(trouble_of("// begin 07.1 A.\nint y;\n// end 07.1\n// begin 07.1 B.\nint z;\n// end 07.1\n") ==
          "4: region 07.1 is there twice");
}

TEST_CASE("a comparison of lines ignores comments and spacing") {
    CHECK(check::code_in("   int  x = 1; // why") == "int x = 1;");
    CHECK(check::code_in("  // only a comment") == "");
}

TEST_CASE("a missing file is named") {
    CHECK_THROWS_WITH(author::read_text("no/such/file"), "no/such/file: cannot be read");
}

TEST_CASE("a file that holds the text already is left alone") {
    const folder where;
    CHECK(author::write_text(where.path / "a.txt", "text"));
    CHECK(!author::write_text(where.path / "a.txt", "text"));
    CHECK(author::write_text(where.path / "a.txt", "other"));
    CHECK(!fs::exists(where.path / "a.txt.tmp"));
}

TEST_CASE("a placeholder in a skeleton says that it is to be replaced, taken out or moved") {
    for (const auto& lab : fs::directory_iterator("labs")) {
        const fs::path solution = author::solution_in("solutions" / lab.path().filename());
        for (const author::region& one : author::regions_of(author::read_solution(solution))) {
            std::string stand_in;
            for (const std::string& line : one.stand_in)
                stand_in += line + "\n";
            const bool told = std::regex_search(
                stand_in, std::regex("replace (this|both)|take this line out|is this the moment\\?",
                                     std::regex::icase));
            CHECK_MESSAGE((told || one.stand_in.empty()), one.id, ": ", stand_in);
        }
    }
}
