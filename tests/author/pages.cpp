// Handouts as pages: where links lead, what Markdown would show otherwise than it was typed, which figures can be drawn, how
// words are spelled, and a page that is made of a handout.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <regex>
#include <string>
#include <vector>

#include "author/course.h"
#include "author/page_text.h"
#include "author/regions.h"

namespace fs = std::filesystem;

namespace {

using lines = std::vector<std::string>;

/// A folder of the test's own, removed at the end.
struct folder_of_pages {
    const fs::path root;

    explicit folder_of_pages(const std::string& name) : root(fs::temp_directory_path() / name) {
        fs::remove_all(root);
        fs::create_directories(root / "handouts");
    }
    ~folder_of_pages() { fs::remove_all(root); }
    folder_of_pages(const folder_of_pages&) = delete;

    fs::path page(const std::string& name, const std::string& text) const {
        author::write_text(root / "handouts" / name, text);
        return root / "handouts" / name;
    }
    /// What the links of a.md with this text lack, without the place.
    std::string broken(const std::string& text) const {
        const lines found = author::broken_links(page("a.md", text), root / "handouts");
        return found.empty() ? "" : found[0].substr(found[0].find("line"));
    }
};

lines pages_in(const std::string& folder) {
    lines files;
    for (const auto& entry : fs::directory_iterator(folder))
        if (entry.path().extension() == ".md") files.push_back(entry.path().generic_string());
    std::sort(files.begin(), files.end());
    return files;
}

/// All pages, and how far the links of each may lead: a student has no instructor's page.
std::vector<std::pair<std::string, std::string>> pages() {
    std::vector<std::pair<std::string, std::string>> found;
    for (const std::string folder : {"handouts", "handouts/instructor"})
        for (const std::string& page : pages_in(folder))
            found.emplace_back(page, "handouts");
    for (const std::string page : {"README.md", "common/ARCHITECTURE.md", "data/images/README.md"})
        found.emplace_back(page, ".");
    return found;
}

int run(const std::string& command) {
    return std::system((command + " 2>&1").c_str());
}

/// Whether the packages of this group are here. Says which ones are not.
bool has(const std::string& group) {
    if (run("common/build/need.sh " + group + " >build/needed") == 0) return true;
    std::printf("skipped: %s", author::read_text("build/needed").c_str());
    return false;
}

}  // namespace

TEST_CASE("headings are called as in a link to them") {
    CHECK(author::anchors_of(
              "# Lab 07 - tiled\n\n## `make it`, twice!\ntext\n```\n# no heading\n```\n## A b\n## A b\n") ==
          lines{"lab-07---tiled", "make-it-twice", "a-b", "a-b-1"});
}

TEST_CASE("a link that leads nowhere is told with its line") {
    const folder_of_pages here("workbook_links");
    here.page("b.md", "# Title\n\n## Part one\n");
    CHECK(here.broken("See [b](b.md), [part](b.md#part-one), [this](#own) and "
                      "[home](https://example.org/x.md).\n\n# Own\n") == "");
    CHECK(here.broken(
              "`[x](none.md)`\n\n    [x](none.md)\n\n```\n[x](none.md)\n```\n<!-- [x](none.md) -->\n") == "");
    CHECK(here.broken("a\n\nb [x](none.md)") == "line 3: none.md: no such file");
    CHECK(here.broken("[x](b.md#part-two)") == "line 1: b.md#part-two: no such heading");
    CHECK(here.broken("[x](#own)") == "line 1: #own: no such heading");
    author::write_text(here.root / "c.md", "");
    CHECK(here.broken("[x](../c.md)").find("../c.md: out of ") != std::string::npos);
}

TEST_CASE("a question that a lab does not have is told") {
    const folder_of_pages here("workbook_questions");
    here.page("03_some.md", "1. no question\n9. neither\n\n## Questions\n\n1. One?\n2. Two?\n");
    const auto broken = [&](const std::string& text) {
        return author::broken_question_numbers(here.page("a.md", text), here.root / "handouts").size();
    };
    CHECK(broken("question 2 of lab 03, and (lab 03,\nquestion 1)") == 0);
    CHECK(broken("question 3 of lab 03") == 1);
    CHECK(broken("lab 04, question 1") == 1);
}

TEST_CASE("what Markdown takes for emphasis, a list or a block is told, but not in code") {
    CHECK(author::misread("a 4 * 3, `4*3`, **07.1** *it*\n\n    4*3\n").empty());
    CHECK(author::misread("one\n(4*3 - 2) * (n)*(2)") == lines{"line 2: 4*3", "line 2: )*("});
    CHECK(author::misread("1. n\n   - 2\n") == lines{"line 2: begins with - 2"});
    CHECK(author::misread("* M\n  * M reasons\n") == lines{"line 2: begins with * M "});
    CHECK(author::misread("* n\n  1) / 2\n") == lines{"line 2: begins with 1) /"});
    CHECK(author::misread("takes\n<!--= ms a -->1<!--/--> ms") == lines{"line 2: begins with <!--"});
    CHECK(author::misread(
              "takes <!--= ms a -->1<!--/-->\n<!-- times: make readme -->\n| a |\n<!-- /times -->\n")
              .empty());
}

TEST_CASE("every link of a page leads to a page and a heading of it") {
    for (const auto& [page, root] : pages())
        for (const std::string& link : author::broken_links(page, root))
            FAIL_CHECK(link);
}

TEST_CASE("students' pages do not lead to instructors'") {
    for (const std::string& page : pages_in("handouts"))
        CHECK_MESSAGE(
            author::without_code(author::read_text(page)).find("](instructor/") == std::string::npos, page);
}

TEST_CASE("every question that a page names is there") {
    for (const auto& [page, root] : pages())
        for (const std::string& question : author::broken_question_numbers(page, "handouts"))
            FAIL_CHECK(question);
}

TEST_CASE("Markdown misreads nothing of a page") {
    for (const auto& [page, root] : pages())
        for (const std::string& line : author::misread(author::read_text(page)))
            FAIL_CHECK(page, ": ", line);
}

TEST_CASE("a browser shows a picture's pixels with sharp edges" * doctest::skip(!has("charts"))) {
    const folder_of_pages here("workbook_pictures");
    const std::string folder = here.root.string();
    author::write_text(folder + "/loads.gp",
                       "set print '" + folder + "/loads.svg'\nprint \"<svg><image x='1'/></svg>\"\n");
    REQUIRE(run("common/build/pictures.sh " + folder + " true >build/needed") == 0);
    CHECK(author::read_text(folder + "/loads.svg") ==
          "<svg><image style='image-rendering:pixelated' x='1'/></svg>\n");
}

TEST_CASE("every formula of a page is typed as pages/formula.lua reads it") {
    static const std::regex formula(R"(```formula\n([^`]*)```)");
    for (const std::string& page : pages_in("handouts")) {
        const std::string text = author::read_text(page);
        for (std::sregex_iterator one(text.begin(), text.end(), formula), end; one != end; ++one)
            CHECK_MESSAGE((*one)[1].str().find_first_of("\\{}$") == std::string::npos, page, ": ",
                          (*one)[1].str());
    }
}

TEST_CASE("every figure of a page is one that can be drawn, and the page of a lab with a chart has one") {
    static const std::regex comment(R"(<!-- (figure|chart)(s?) ?(([\w.]*)/?\w*)(: [^>]*[.?])? -->)"),
        lab(R"(handouts/(\d\d_\w+)\.md)");
    for (const std::string& page : pages_in("handouts")) {
        const std::string text = author::read_text(page);
        int figures = 0;
        for (std::sregex_iterator one(text.begin(), text.end(), comment), end; one != end; ++one, ++figures) {
            CAPTURE(page);
            CAPTURE(one->str());
            if ((*one)[1] == "chart" && (*one)[2] == "s") continue;
            if ((*one)[1] == "chart")
                CHECK(fs::exists("labs/" + fs::path(page).stem().string() + "/plot.gp"));
            else if ((*one)[3] == (*one)[4])  // of recorded data
                CHECK(fs::exists("data/measurements/nvidia-h200/" + (*one)[3].str() + ".csv"));
            else
                CHECK(fs::exists("labs/" + (*one)[4].str()));
            if ((*one)[1] == "figure") CHECK((*one)[5].length() > 3);
        }
        std::smatch match;
        if (std::regex_match(page, match, lab) && fs::exists("labs/" + match[1].str() + "/plot.gp"))
            CHECK_MESSAGE(figures > 0, page);
    }
}

TEST_CASE("words are spelled as in hunspell's British dictionary or common/pages/words.txt" *
          doctest::skip(!has("words"))) {
    CHECK(run("common/pages/spelling.sh") == 0);
}

TEST_CASE("a page has its title, formulas, tables, links and figures, and no marker" *
          doctest::skip(!has("pages") || !has("charts"))) {
    const folder_of_pages here("workbook_page");
    here.page("07_conv2d_tiled.md", R"(# Lab 07 - tiled

## The idea

Tiles of 3 x 3 <!--= ms 07:tiled(3x3) -->0.178<!--/--> ms, (95 + 15)^2, `out[x]` and [another](other.md#part), 7 x
9 taps.

```formula
out[x] = sum over j = -r .. r of in[x + j] * f_0^T >= filter_width
```

| a | b |
|---|---|
| `x * y` | <!--! 10 points-->1 |

<!-- times some table: make readme -->

<!-- figure no_lab/nothing: Not drawn. -->

<!-- chart -->

Also `ichimura_table1`.

<!-- charts -->
)");
    const std::string made = (here.root / "made").string(), charts = (here.root / "charts").string();
    REQUIRE(run("common/build/plot.sh labs/07_conv2d_tiled/plot.gp "
                "data/measurements/nvidia-h200/07_conv2d_tiled.csv " +
                charts + "/07_conv2d_tiled >build/needed") == 0);
    author::write_text(charts + "/ichimura_table1.svg", "<svg xmlns='http://www.w3.org/2000/svg'/>\n");
    REQUIRE(run("common/pages/handouts.sh page " + (here.root / "handouts").string() + " " + made + " " +
                charts + " 07_conv2d_tiled") == 0);
    const std::string page = author::read_text(made + "/07_conv2d_tiled.html");
    const auto shows = [&](const std::string& what) { return page.find(what) != std::string::npos; };
    CHECK(shows("<title>Lab 07 – tiled</title>"));
    CHECK(shows("3\u202f×\u202f3"));
    CHECK(shows("7\u202f×\u202f9"));  // where a line ends
    CHECK(shows("15)<sup>2</sup>"));
    CHECK(shows("<b>∑</b><small>j = −r</small>"));
    CHECK(shows("f<sub>0</sub><sup>T</sup> ≥ <span class=\"name\">filter_width</span>"));
    CHECK(shows("<td><code>x * y</code></td>"));
    CHECK(shows("href=\"other.html#part\""));
    CHECK(shows("<img src=\"data:image/svg+xml"));
    CHECK(shows("How much of the access reduction"));
    CHECK(shows("here and in his tables?"));  // its question's second line
    CHECK_FALSE(shows("Not drawn"));
    CHECK_FALSE(shows("<!--"));
    CHECK_FALSE(shows("make readme"));
    CHECK_FALSE(shows("src=\"http"));
    CHECK(author::read_text(made + "/07_conv2d_tiled.pdf").starts_with("%PDF"));

    const std::string links = "common/pages/links.sh " + made + " >build/links";
    CHECK(run(links) != 0);
    CHECK(author::read_text("build/links") ==
          "07_conv2d_tiled.html: the link to other.html#part leads nowhere\n"
          "07_conv2d_tiled.pdf: the link to other.pdf#part leads nowhere\n");
    here.page("other.md", "# Other\n\n## Parting\n");
    const std::string make_other = "common/pages/handouts.sh page " + (here.root / "handouts").string() +
                                   " " + made + " " + charts + " other";
    REQUIRE(run(make_other) == 0);
    CHECK(run(links) != 0);
    here.page("other.md", "# Other\n\n## Part\n");
    REQUIRE(run(make_other) == 0);
    CHECK(run(links) == 0);
}

TEST_CASE("a deck shows goal, idea, example, what is new and tasks, each whole, and neither hint nor answer" *
          doctest::skip(!has("pages"))) {
    const folder_of_pages here("workbook_slides");
    here.page("07_some.md", R"(# Lab 07 - some

**Goal.** Reach it.

## The idea

An idea.

**Worked example.** Of tiles:

    1 2 3

Sums are 6. The others follow from this:

    4 5 6

## New in CUDA

| call | does |
|---|---|
| `cudaNew` | something |

Mind the sizes.

## Your tasks

| TODO | what |
|---|---|
| 07.1 | do it |

## Hints

### Hint 1
A hint.

## Questions

1. Asked? *Marked: 07.a.*
)");
    const std::string made = (here.root / "made").string();
    REQUIRE(run("common/pages/handouts.sh slides " + (here.root / "handouts").string() + " " + made + " " +
                made + " 07_some") == 0);
    const std::string deck = author::read_text(made + "/07_some.html");
    for (const char* shown :
         {"Reach it.", "An idea.", "1 2 3", "Sums are 6.", "cudaNew", "Mind the sizes.", "do it"})
        CHECK_MESSAGE(deck.find(shown) != std::string::npos, shown);
    for (const char* hidden : {"The others follow", "4 5 6", "A hint.", "Asked?", "Recorded times"})
        CHECK_MESSAGE(deck.find(hidden) == std::string::npos, hidden);
    CHECK(author::read_text(made + "/07_some.pdf").starts_with("%PDF"));
    // What is longer than a slide is said: twenty lines in the example. Behind a high table there is no more.
    std::string lines, rows;
    for (int k = 0; k < 20; k++)
        lines += "    4 5 6\n";
    for (int k = 0; k < 7; k++)
        rows += "| a | b |\n";
    here.page("08_long.md", "# Lab 08 - long\n\n## The idea\n\nAn idea.\n\n|a|b|\n|-|-|\n" + rows +
                                "\nNo room for it.\n\n**Worked example.** Long:\n\n" + lines);
    const std::string slides = "common/pages/handouts.sh slides " + (here.root / "handouts").string() + " " +
                               made + " " + made + " 08_long >build/links";
    CHECK(run(slides) != 0);
    CHECK(author::read_text("build/links").find("08_long.md: 3 slides take 4 pages\n") != std::string::npos);
    CHECK(author::read_text(made + "/08_long.html").find("No room") == std::string::npos);
}

TEST_CASE("a course holds what its labs need, and its page says so") {
    std::vector<author::lab_work> labs;
    for (const auto& entry : fs::directory_iterator("labs"))
        if (fs::exists("solutions" / entry.path().filename()))
            labs.push_back(author::work_of(entry.path().filename()));
    std::sort(labs.begin(), labs.end(),
              [](const auto& one, const auto& other) { return one.key < other.key; });
    const std::string page = author::read_text("handouts/instructor/course.md");
    CHECK_MESSAGE(author::course_with_tables(page, labs) == page, "stale: make readme");
    CHECK(author::missing_needs({"01", "05", "07"}, labs) == lines{"07 needs 03", "07 needs 06"});
    CHECK_THROWS_WITH(author::course_with_tables("<!-- courses 3:01,04: make readme -->", labs),
                      "the course of 3 weeks: 04 needs 03");
    for (const author::lab_work& lab : labs)
        CHECK_MESSAGE((lab.number() == "01" || !lab.needs.empty()), lab.key);
}
