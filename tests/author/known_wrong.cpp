// Tests of wrong.txt: the kernels it makes out of a solution,
// with the lines they come from, and what it refuses.
#include <doctest/doctest.h>
#include <unistd.h>

#include <filesystem>
#include <stdexcept>

#include "author/known_wrong.h"
#include "author/regions.h"

namespace fs = std::filesystem;

static const char SOLUTION[] =
    "// Lab 07 - title.\n"                              // 1
    "#define SUM(a, b) \\\n"                            // 2
    "    ((a) + \\\n"                                   // 3
    "     (b))\n"                                       // 4
    "void f(int width) {\n"                             // 5
    "    // begin 07.1 Do the first thing, in words\n"  // 6
    "    // that go on.\n"                              // 7
    "    // skeleton: return;\n"                        // 8
    "    int x = 1;  // a reason\n"                     // 9
    "    for (int k = 0; k < width; k++) {\n"           // 10
    "        x += k;\n"                                 // 11
    "        // end 07.1\n"                             // 12
    "\n"                                                // 13
    "        x -= 2;\n"                                 // 14
    "    }\n"                                           // 15
    "    if (x < 0 || x >= width) return;\n"            // 16
    "    x = 9;\n"                                      // 17
    "    x = 9;\n"                                      // 18
    "}\n";                                              // 19

/// A lab's folder of its own. Its name is what messages begin with.
struct lab_folder {
    fs::path before = fs::current_path(),
             root = fs::temp_directory_path() / ("known-wrong-" + std::to_string(getpid()));
    lab_folder() {
        author::write_text(root / "07_fake/fake.cu", SOLUTION);
        fs::current_path(root);
    }
    ~lab_folder() {
        fs::current_path(before);
        fs::remove_all(root);
    }
    static std::vector<author::known_wrong> read(const std::string& wrong_txt) {
        author::write_text("07_fake/wrong.txt", wrong_txt);
        return author::known_wrong_in("07_fake");
    }
};

static const std::string HEAD = "[one]\nfails: values\nwrong: It is.\n";  // an edit begins in line 4

/// The lines that have to do with the edits: from the first of wrong.txt on, the #line after them, and one more.
static std::string changed(const std::string& edits) {
    const lab_folder lab;
    const std::string text = lab.read(HEAD + edits).at(0).text;
    const std::string opening = "#line 1 \"07_fake/fake.cu\"\n// Lab 07 - title.\n";
    CHECK(text.starts_with(opening));
    const size_t from = text.find("\n#line", opening.size()) + 1, to = text.rfind("#line");
    return text.substr(from, text.find('\n', text.find('\n', to) + 1) + 1 - from);
}

static std::string trouble_of(const std::string& wrong_txt) {
    try {
        lab_folder().read(wrong_txt);
    } catch (const std::runtime_error& error) {
        return error.what();
    }
    return "";
}

TEST_CASE("a kernel has its name, its keys and the place where it stands") {
    const lab_folder lab;
    const auto kernels = lab.read(
        "# Of lab 07.\n"
        "\n"
        "[second]\n"
        "fails: values of\n"
        "  every size\n"
        "wrong: One sentence\n"
        "  that goes on\n"
        "    and on.\n"
        "diagnosed: shifted, ghost-zero\n"
        "- x -= 2;\n"
        "\n"
        "[first]\n"
        "wrong: Another.\n"
        "fails: counts\n"
        "# a comment\n"
        "- x -= 2;\n"
        "+ x -= 3;\n");
    REQUIRE(kernels.size() == 2);
    CHECK(kernels[0].name == "first");
    CHECK(kernels[0].where == "07_fake/wrong.txt:12: first");
    CHECK(kernels[0].fails == "counts");
    CHECK(kernels[0].diagnosed.empty());
    CHECK(kernels[1].name == "second");
    CHECK(kernels[1].where == "07_fake/wrong.txt:3: second");
    CHECK(kernels[1].fails == "values of every size");
    CHECK(kernels[1].sentence == "One sentence that goes on and on.");
    CHECK(kernels[1].diagnosed == std::set<std::string>{"ghost-zero", "shifted"});
}

TEST_CASE("files of wrong/ stand in the same list") {
    const lab_folder lab;
    const std::string text = "// Fails: counts\n// Two lines\n// of reason.\n// Diagnosed: nothing\nint x;\n";
    author::write_text("07_fake/wrong/a_file.cu", text);
    const auto kernels = lab.read(HEAD + "- x += k;\n");
    REQUIRE(kernels.size() == 2);
    CHECK(kernels[0].name == "a_file");
    CHECK(kernels[0].where == "07_fake/wrong/a_file.cu");
    CHECK(kernels[0].fails == "counts");
    CHECK(kernels[0].sentence == "Two lines of reason.");
    CHECK(kernels[0].diagnosed == std::set<std::string>{"nothing"});
    CHECK(kernels[0].text == text);
    CHECK(kernels[1].name == "one");
    fs::remove("07_fake/wrong.txt");
    CHECK(author::known_wrong_in("07_fake").size() == 1);
}

TEST_CASE("a kernel is the solution without its markers, and every line knows where it comes from") {
    const lab_folder lab;
    CHECK(lab.read(HEAD + "- int x = 1;\n+ int x = 2;\n").at(0).text ==
          "#line 1 \"07_fake/fake.cu\"\n"
          "// Lab 07 - title.\n"
          "#define SUM(a, b) \\\n"
          "    ((a) + \\\n"
          "     (b))\n"
          "void f(int width) {\n"
          "#line 5 \"07_fake/wrong.txt\"\n"
          "    int x = 2;  // a reason\n"
          "#line 10 \"07_fake/fake.cu\"\n"
          "    for (int k = 0; k < width; k++) {\n"
          "        x += k;\n"
          "\n\n"
          "        x -= 2;\n"
          "    }\n"
          "    if (x < 0 || x >= width) return;\n"
          "    x = 9;\n"
          "    x = 9;\n"
          "}\n");
}

TEST_CASE("new lines are indented as the old one, and more where they are in wrong.txt") {
    CHECK(changed("- x -= 2;\n+ {\n+     x -= 3;\n+ }\n") ==
          "#line 5 \"07_fake/wrong.txt\"\n"
          "        {\n"
          "            x -= 3;\n"
          "        }\n"
          "#line 15 \"07_fake/fake.cu\"\n"
          "    }\n");
    CHECK(changed("-   x -= 2;\n+   {\n+       x -= 3;\n+ }\n") ==
          "#line 5 \"07_fake/wrong.txt\"\n"
          "        {\n"
          "            x -= 3;\n"
          "      }\n"
          "#line 15 \"07_fake/fake.cu\"\n"
          "    }\n");
}

TEST_CASE("an old text may be a piece of a line, and lines that only a marker divides") {
    CHECK(changed("- x < 0 ||\n+ x < 1 ||\n") ==
          "#line 5 \"07_fake/wrong.txt\"\n"
          "    if (x < 1 || x >= width) return;\n"
          "#line 17 \"07_fake/fake.cu\"\n"
          "    x = 9;\n");
    CHECK(changed("- < width; k++) {\n- x += k;\n-\n- x -=\n+ < 5; k++) {\n+     x *=\n") ==
          "#line 8 \"07_fake/wrong.txt\"\n"
          "    for (int k = 0; k < 5; k++) {\n"
          "        x *= 2;\n"
          "#line 15 \"07_fake/fake.cu\"\n"
          "    }\n");
}

TEST_CASE("text is put in beside an old one, and taken out with its line") {
    CHECK(changed("- x += k;\n+ x += k;\n+ return;\n") ==
          "#line 5 \"07_fake/wrong.txt\"\n"
          "        x += k;\n"
          "        return;\n"
          "#line 13 \"07_fake/fake.cu\"\n\n");
    const lab_folder lab;
    // One empty line for each that is missing: the count goes on.
    CHECK(lab.read(HEAD + "- x += k;\n").at(0).text.find("k++) {\n\n\n\n        x -= 2;\n    }\n") !=
          std::string::npos);
    CHECK(lab.read(HEAD + "- int x = 1;\n").at(0).text.find("width) {\n\n\n\n      // a reason\n    for") !=
          std::string::npos);
}

TEST_CASE("a kernel may have several edits, in any order and in one line") {
    CHECK(changed("- x >= width\n+ x > width\n\n- x < 0\n+ x < 1\n") ==
          "#line 5 \"07_fake/wrong.txt\"\n"
          "    if (x < 1 || x > width) return;\n"
          "#line 17 \"07_fake/fake.cu\"\n"
          "    x = 9;\n");
    const lab_folder lab;
    const std::string text =
        lab.read(HEAD + "- x -= 2;\n+ x -= 3;\n- x += k;\n+ x += 2 * k;\n- if (x < 0\n\n- int x = 1;\n")
            .at(0)
            .text;
    CHECK(text.find("#line 5 \"07_fake/wrong.txt\"\n        x -= 3;\n") != std::string::npos);
    CHECK(text.find("#line 7 \"07_fake/wrong.txt\"\n        x += 2 * k;\n") != std::string::npos);
    CHECK(text.find("     || x >= width) return;\n") != std::string::npos);
    CHECK(text.find("int x") == std::string::npos);
}

TEST_CASE("no directive stands inside a macro's lines, and those after it are right again") {
    const lab_folder lab;
    CHECK(lab.read(HEAD + "- ((a) + \\\n+ ((a) - \\\n+ 1 * \\\n")
              .at(0)
              .text.find("#define SUM(a, b) \\\n    ((a) - \\\n    1 * \\\n     (b))\n"
                         "#line 5 \"07_fake/fake.cu\"\nvoid f(int width) {\n") != std::string::npos);
}

TEST_CASE("an old text that does not stand exactly once is named, and every one of them") {
    CHECK(trouble_of(HEAD + "- x = 8;\n+ x = 7;\n") ==
          "07_fake/wrong.txt:4: 'x = 8;' stands 0 times in fake.cu, must stand once");
    CHECK(trouble_of(HEAD + "- x = 9;\n") ==
          "07_fake/wrong.txt:4: 'x = 9;' stands 2 times in fake.cu, must stand once");
    CHECK(trouble_of(HEAD + "- x = 9;\n- x = 9;\n- }\n") == "");
    CHECK(trouble_of(HEAD + "- // begin 07.1 Do\n") ==
          "07_fake/wrong.txt:4: '// begin 07.1 Do' stands 0 times in fake.cu, must stand once");
    CHECK(trouble_of(HEAD + "- x += k;\n- x -= 2;\n\n[two]\nfails: a\nwrong: b\n- y\n") ==
          "07_fake/wrong.txt:4: 'x += k; ..' stands 0 times in fake.cu, must stand once\n"
          "07_fake/wrong.txt:10: 'y' stands 0 times in fake.cu, must stand once");
}

TEST_CASE("an old text that stands twice over itself stands twice") {
    const lab_folder lab;
    author::write_text("07_fake/fake.cu", "int x = +++1;\n");
    CHECK_THROWS_WITH(lab.read(HEAD + "- ++\n"),
                      "07_fake/wrong.txt:4: '++' stands 2 times in fake.cu, must stand once");
}

TEST_CASE("many markers give one directive, few as many empty lines") {
    const lab_folder lab;
    const auto with_markers = [&](int count) {
        std::string text = "int x;\n// begin 07.1 Do it.\nint y;\n";
        for (int k = 0; k < count; k++)
            text += "// skeleton: int z;\n";
        author::write_text("07_fake/fake.cu", text + "// end 07.1\nint z;\n");
        const std::string cut = lab.read(HEAD + "- x\n+ w\n").at(0).text;
        return cut.substr(cut.find("int y;"));
    };
    CHECK(with_markers(2) == "int y;\n\n\n\nint z;\n");
    CHECK(with_markers(20) == "int y;\n#line 25 \"07_fake/fake.cu\"\nint z;\n");
}

TEST_CASE("edits that are none, or get into each other's way, are refused with their line") {
    CHECK(trouble_of(HEAD + "- x += k;\n+ x += k;\n") == "07_fake/wrong.txt:4: the new text is the old one");
    CHECK(trouble_of(HEAD + "-\n+ x += k;\n") == "07_fake/wrong.txt:4: the old text is empty");
    CHECK(trouble_of(HEAD + "+ x += k;\n") ==
          "07_fake/wrong.txt:4: an edit begins with its old text, '- ..'");
    CHECK(trouble_of(HEAD + "- x += k;\n\n+ x = k;\n") ==
          "07_fake/wrong.txt:6: an edit begins with its old text, '- ..'");
    CHECK(trouble_of(HEAD + "- x >= width\n+ a\n- 0 || x >=\n+ b\n") ==
          "07_fake/wrong.txt:4: 'x >= width' overlaps the edit of line 6");
}

TEST_CASE("a text that does not keep to its form is refused with its line") {
    const std::string edit = "- x += k;\n", file = "07_fake/wrong.txt:";
    CHECK(trouble_of("[one]\nwrong: b\n" + edit) == file + "1: one has no line 'fails: ..'");
    CHECK(trouble_of("[one]\nfails: b\nwrong:\n" + edit) == file + "1: one has no line 'wrong: ..'");
    CHECK(trouble_of("\n[one]\nfails: b\nwrong: a\n[two]\n") ==
          file + "2: one changes nothing: it has no edits");
    CHECK(trouble_of(HEAD + edit + HEAD + edit) == file + "5: one is there twice, first in line 1");
    CHECK(trouble_of(HEAD + "why: b\n") == file + "4: 'why:' must be fails, wrong or diagnosed");
    CHECK(trouble_of(HEAD + "fails: b\n") == file + "4: 'fails:' is there twice");
    CHECK(trouble_of(HEAD + edit + "diagnosed: b\n") == file + "5: 'diagnosed:' stands after an edit");
    CHECK(trouble_of("\nfails: b\n") == file + "2: 'fails: b' stands before the first [name]");
    for (const std::string line : {"-x += k;", " x += k;", "[a b]", "Fails: b", "diagnosed"})
        CHECK(trouble_of(HEAD + line + "\n") ==
              file + "4: '" + line + "' must be [name], a key, '- old text' or '+ new text'");
    CHECK(trouble_of(HEAD + edit + "  more\n") ==
          file + "5: '  more' must be [name], a key, '- old text' or '+ new text'");
    const lab_folder lab;
    author::write_text("07_fake/wrong/one.cu", "// Fails: values\n");
    CHECK_THROWS_WITH(lab.read(HEAD + edit),
                      "07_fake/wrong.txt:1: one and 07_fake/wrong/one.cu have one name");
}
