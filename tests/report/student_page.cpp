// The page of a student's labs: as XML, and as a browser shows it.
#include "report/student_page.h"

#include <doctest/doctest.h>
#include <stb/stb_image.h>

#include <stdexcept>

#include "../support/graded_cases.h"
#include "../support/read_back.h"
#include "report/base64.h"
#include "report/own_figures.h"

using namespace report;

TEST_CASE("a page holds no element of a student's, and loads and runs nothing") {
    const own_folder folder;
    const auto elements = [&](const graded_lab& lab) {
        const std::string page = student_html(lab.student, {lab, lab});
        const fs::path file = folder.file("page.html", page);
        CHECK(xmllint("--nonet --noout", file) == "");
        CHECK(steering_character(page).empty());
        CHECK(page.find("default-src 'none'") != std::string::npos);
        CHECK(xpath("count(//*[local-name()='script' or local-name()='img' or local-name()='iframe' or "
                    "local-name()='link'])",
                    file) == "0");
        CHECK(xpath("count(//@href[not(starts-with(., '#lab'))])", file) == "0");
        CHECK(xpath("count(//@href[not(substring(., 2) = //@id)])", file) == "0");
        CHECK(xpath("count(//@src | //@*[starts-with(name(), 'on')])", file) == "0");
        return xpath("count(//*)", file);
    };
    graded_lab tame = made_of("tame");
    const std::string of_tame = elements(tame);
    for (const std::string& text : hostile_texts())
        if (!text.empty()) CHECK_MESSAGE(elements(made_of(text)) == of_tame, text.substr(0, 100));
}

TEST_CASE("a page tells points, checks, messages and states") {
    const own_folder folder;
    graded_lab unbuilt = in_trouble();
    unbuilt.state = "does_not_build", unbuilt.message = "x.cu:3: expected ';'", unbuilt.points = 0;
    unbuilt.checks.clear();
    const fs::path file =
        folder.file("page.html", student_html("Ada Lovelace", {ordinary(), in_trouble(), unbuilt}));
    const std::string words = xpath("string(//*[local-name()='body'])", file);
    for (const char* wanted :
         {"Ada Lovelace", "60.5 of 100", "sizes", "too many\nloads", "crashed in x.cu:41", "not run",
          "no mark yet", "infrastructure error: the node was lost", "does not build: x.cu:3: expected ';'"}) {
        CHECK_MESSAGE(words.find(wanted) != std::string::npos, wanted);
    }
}

TEST_CASE("a page shows where an output is wrong, why, and each count beside its bounds") {
    const own_folder folder;
    graded_lab lab = ordinary();
    graded_check& failed = lab.checks[1];
    failed.causes = {"the filter is flipped"};
    failed.picture = {"naive: 128x4 pixels", 128, 4, 2, 2, {"..xx.x", "x??..."}};
    failed.counts = {{"naive: sectors per request of in", 8, 1, 1.5, false, false},
                     {"naive: loads of in", 40, 32, 0, true, true}};
    const fs::path file = folder.file("page.html", student_html("Ada", {lab}));
    CHECK(xmllint("--nonet --noout", file) == "");
    const auto drawn = [&](const std::string& kind) {
        return xpath("string(//*[local-name()='figure']//*[local-name()='path'][@class='" + kind + "']/@d)",
                     file);
    };
    CHECK(drawn("wrong") == "M2 0.5h2M5 0.5h1M0 1.5h1");
    CHECK(drawn("missing") == "M1 1.5h2");
    // The longest of all bars is the count itself; a lower bound has no upper one.
    CHECK(xpath("string((//*[local-name()='svg'][.//*[@class='limit']]/*[local-name()='rect'])[2]/@width)",
                file) == "290.9");
    CHECK(xpath("count(//*[@class='goal'])", file) == "2");
    CHECK(xpath("count(//*[@class='limit'])", file) == "1");
    const std::string words = xpath("string(//*[local-name()='body'])", file);
    for (const char* wanted : {"Start with: ", "Likely: the filter is flipped", "naive: 128x4 pixels",
                               "output of 128 x 4, 2 x 2 of it in each cell", "8, right is 1, passes at 1.50",
                               "40, at least 32 are needed"})
        CHECK_MESSAGE(words.find(wanted) != std::string::npos, wanted);
}

TEST_CASE("a page of the worst pictures stays small") {
    graded_lab lab = ordinary();
    std::string row;
    for (int k = 0; k < 100; k++)
        row += k % 2 ? "x" : "?";
    for (graded_check& check : lab.checks)
        check.passed = false, check.picture = {"noise", 100, 100, 1, 1, std::vector<std::string>(100, row)};
    const size_t checks = lab.checks.size();
    CHECK(student_html("Ada", {lab}).size() < 130'000 * checks);
}

/// A picture of one colour.
static figure square_of(const std::string& caption, const std::string& colour) {
    return {caption, "image/svg+xml",
            "<svg xmlns='http://www.w3.org/2000/svg' width='200' height='100'><rect width='200' height='100' "
            "fill='" +
                colour + "'/></svg>"};
}

TEST_CASE("bytes become letters as RFC 4648 shows") {
    CHECK(base64("") == "");
    CHECK(base64("f") == "Zg==");
    CHECK(base64("fo") == "Zm8=");
    CHECK(base64("foobar") == "Zm9vYmFy");
    CHECK(base64("\xff\xfe\xfd") == "//79");
}

TEST_CASE("figures stand behind their lab, and their captions are text") {
    const own_folder folder;
    const page_figures figures{{square_of("all", "red")}, {{square_of("<b>one", "blue")}, {}}};
    const fs::path file = folder.file("page.html", student_html("Ada", {ordinary(), in_trouble()}, figures));
    CHECK(xmllint("--nonet --noout", file) == "");
    CHECK(xpath("count(//*[local-name()='img'])", file) == "2");
    CHECK(xpath("string(//*[local-name()='h2'][2]/preceding::*[local-name()='img'][1]/@alt)", file) ==
          "<b>one");
    CHECK(xpath("count(//@src[not(starts-with(., 'data:image/svg+xml;base64,'))])", file) == "0");
    CHECK_THROWS_WITH_AS(student_html("Ada", {ordinary()}, figures), "figures of 2 labs on a page of 1",
                         std::invalid_argument);
}

TEST_CASE("pictures of the inspector are told in words") {
    const own_folder folder;
    fs::create_directories(folder.root / "inspect/11_banks");
    for (const char* name : {"banks_banks_2", "banks_errors", "banks_loads", "film_timeline", "loads_only"})
        folder.file(std::string("inspect/11_banks/") + name + ".png", "png");
    std::string captions;
    for (const figure& one : figures_of_lab(folder.root, "11_banks"))
        captions += one.caption + "\n";
    CHECK(captions ==
          "banks: banks that a warp asks, 2\nbanks: where the output is wrong\n"
          "banks: how often each element is loaded\nfilm: what runs beside what\nloads_only\n");
}

TEST_CASE("answers stand behind their lab, and are text") {
    const own_folder folder;
    const fs::path json =
        folder.file("answers.json", R"({"lab": "05_conv2d_naive", "name": "Ada", "points": 1,
        "of": 3, "to_read": 1, "questions": [
        {"id": "05.a", "verdict": "right", "answer": "<b>42</b>", "note": "", "points": 1, "of": 1},
        {"id": "05.b", "verdict": "wrong", "answer": "7", "note": "in bytes?", "points": 0, "of": 2}]})");
    graded_lab answered = ordinary();
    answered.answers = read_answers(json);
    const fs::path file = folder.file("page.html", student_html("Ada", {answered}));
    CHECK(xmllint("--nonet --noout", file) == "");
    CHECK(xpath("string(//*[local-name()='table'][1]/*[local-name()='tr'][2]/*[local-name()='td'][4])",
                file) == "1 of 3");
    const std::string words = xpath("string(//*[local-name()='body'])", file);
    for (const char* wanted : {"1 of 3 points, 1 more wait for a reader", "<b>42</b>", "wrong: in bytes?",
                               "0 of 2", "the numbers are those of Ada"})
        CHECK_MESSAGE(words.find(wanted) != std::string::npos, wanted);
    const auto refused = [&](const std::string& text) {
        try {
            read_answers(folder.file("bad.json", text));
        } catch (const std::runtime_error& error) {
            return std::string(error.what()).substr((folder.root / "bad.json: ").string().size());
        }
        return std::string("read");
    };
    CHECK(refused(R"({"points": 4, "of": 3, "to_read": 0, "questions": []})") ==
          "points is 4, not 0.0 to 3.0");
    CHECK(refused(R"({"points": 2, "of": 3, "to_read": 0, "questions": []})") ==
          "has more points than its questions give");
}

/// Pixels of this colour in a PNG.
static int pixels_of(const fs::path& png, unsigned red, unsigned green, unsigned blue) {
    int width = 0, height = 0, channels = 0, found = 0;
    const std::unique_ptr<unsigned char, void (*)(void*)> pixels(
        stbi_load(png.c_str(), &width, &height, &channels, 3), stbi_image_free);
    for (int k = 0; pixels && k < width * height; k++)
        found +=
            pixels.get()[3 * k] == red && pixels.get()[3 * k + 1] == green && pixels.get()[3 * k + 2] == blue;
    return found;
}

TEST_CASE("a browser shows the page with its figures, and prints it") {
    const std::string chromium = printed_by("command -v chromium chromium-browser google-chrome | head -n 1");
    if (chromium.empty()) {
        MESSAGE("skipped: no chromium here");
        return;
    }
    const own_folder folder;
    const std::string student = "Ada <img src='x'/>";
    graded_lab lab = ordinary();
    lab.checks[1].picture = {"naive: 4x2 pixels", 4, 2, 1, 1, {"..xx", "xx.."}};
    const fs::path page =
        folder.file("page.html", student_html(student, {lab}, {{square_of("all", "#12ab34")}}));
    const std::string browse = chromium + " --headless --no-sandbox --disable-gpu --user-data-dir=" +
                               (folder.root / "browser").string() + " --window-size=900,1200 ";
    const fs::path shot = folder.root / "page.png", print = folder.root / "page.pdf";
    printed_by(browse + "--screenshot=" + shot.string() + " file://" + fs::absolute(page).string());
    CHECK(pixels_of(shot, 0x12, 0xab, 0x34) > 10000);  // the figure
    CHECK(pixels_of(shot, 0xc6, 0x28, 0x28) > 500);    // what is wrong: drawn in the page itself
    printed_by(browse + "--print-to-pdf=" + print.string() + " file://" + fs::absolute(page).string());
    CHECK(fs::exists(print));
    CHECK(fs::file_size(print) > 5000);
}
