// Tests of what neutralises students' words: what stays, what becomes visible, and what each format asks for.
#include "report/escape.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "../support/hostile.h"

using namespace report;

/// True if a byte or character stands there that steers a terminal or turns the direction of reading.
static bool steers(const std::string& text) {
    const auto control = [](unsigned char c) { return (c < 0x20 && c != '\n' && c != '\t') || c == 0x7f; };
    if (std::any_of(text.begin(), text.end(), control)) return true;
    for (const char* hidden :
         {"\u0080", "\u009b", "\u009f", "\u00ad", "\u061c", "\u200b", "\u200e", "\u200f",
          "\u2028", "\u2029", "\u202a", "\u202b", "\u202c", "\u202d", "\u202e", "\u2060",
          "\u2066", "\u2067", "\u2068", "\u2069", "\ufeff", "\ufffe", "\uffff", "\U000e0041"}) {
        if (text.find(hidden) != std::string::npos) return true;
    }
    return false;
}

TEST_CASE("names of people stay as they are") {
    for (const std::string name : {"Ada Lovelace", "O'Brien", "José", "李雷", "محمد", "नेहा"})
        CHECK(report::visible(name, false) == name);
    for (const std::string joined : {"می\u200cخواهم", "👩\u200d🔬"})
        CHECK(report::visible(joined, false) == joined);
}

TEST_CASE("what steers becomes visible") {
    CHECK(report::visible("\x1b[2J", false) == "[U+001B][2J");
    CHECK(report::visible("a\u202eb", false) == "a[U+202E]b");
    CHECK(report::visible("\u009b2J", false) == "[U+009B]2J");
    CHECK(report::visible(std::string("a\0b", 3), false) == "a[U+0000]b");
    CHECK(report::visible("\U000e0041", false) == "[U+E0041]");
    CHECK(report::visible("\xff", false) == "\ufffd");
    CHECK(report::visible("\xed\xa0\x80", false) == "\ufffd\ufffd\ufffd");
    CHECK(report::visible("a\nb\tc\u2028d", true) == "a\nb\tc\nd");
    CHECK(report::visible("a\nb\tc\u2028d", false) == "a b c d");
    CHECK(report::visible("a\rb", true) == "a[U+000D]b");
}

TEST_CASE("nothing of the hostile texts steers anything, and a second time changes nothing") {
    for (const std::string& text : hostile_texts()) {
        for (const bool lines : {false, true}) {
            const std::string seen = report::visible(text, lines);
            CHECK_MESSAGE(!steers(seen), text);
            CHECK(report::visible(seen, lines) == seen);
        }
        CHECK(report::visible(text, false).find_first_of("\n\t") == std::string::npos);
    }
}

TEST_CASE("no cell begins a formula") {
    CHECK(report::csv_cell("Ada") == "Ada");
    CHECK(report::csv_cell("=1+1") == "\"'=1+1\"");
    CHECK(report::csv_cell("a=1") == "a=1");
    CHECK(report::csv_cell("a,b") == "\"a,b\"");
    CHECK(report::csv_cell("say \"a\"") == "\"say \"\"a\"\"\"");
    CHECK(report::csv_cell("two\nlines") == "\"two lines\"");
    CHECK(report::csv_cell(" =1") == "\" '=1\"");
    CHECK(report::csv_cell("\"=1") == "\"\"\"'=1\"");
    CHECK(report::csv_cell("a;=1") == "\"a;'=1\"");
    CHECK(report::csv_cell("＝1") == "\"'＝1\"");
    for (const std::string sign : {"=", "+", "-", "@"})
        CHECK(report::csv_cell(sign) == "\"'" + sign + "\"");
    CHECK(report::csv_cell("\t=1") == "\" '=1\"");
    CHECK(report::csv_cell("\r=1") == "[U+000D]=1");
}

TEST_CASE("nothing ends an element or an attribute") {
    CHECK(report::html_text("<a href=\"x\">&'") == "&lt;a href=&quot;x&quot;&gt;&amp;&#39;");
    CHECK(report::xml_text("]]><a b='\"'>&") == "]]&gt;&lt;a b=&apos;&quot;&apos;&gt;&amp;");
    CHECK(report::xml_text("a\nb\tc") == "a&#10;b&#9;c");
    CHECK(report::xml_text("\x1b\ufffe") == "[U+001B][U+FFFE]");
}

TEST_CASE("code in Markdown is longer fenced than what it holds") {
    CHECK(report::markdown_code("a*b*") == "` a*b* `");
    CHECK(report::markdown_code("a`b``c") == "``` a`b``c ```");
    CHECK(report::markdown_code("a\nb") == "` a b `");
    CHECK(report::markdown_block("a") == "```text\na\n```\n");
    CHECK(report::markdown_block("a\n```\n<b>") == "````text\na\n```\n<b>\n````\n");
}

TEST_CASE("a file's name is one name, and not a hidden one") {
    CHECK(report::safe_name("Ada-Lovelace_1.b") == "Ada-Lovelace_1.b");
    CHECK(report::safe_name("../../etc/passwd") == "_._.._etc_passwd");
    CHECK(report::safe_name("") == "_");
    CHECK(report::safe_name(".") == "_");
    CHECK(report::safe_name("..") == "_.");
    CHECK(report::safe_name("-rf") == "_rf");
    for (const std::string& text : hostile_texts()) {
        const std::string name = report::safe_name(text);
        CHECK(!name.empty());
        CHECK(name.size() <= 64);
        CHECK(name.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.") ==
              std::string::npos);
        CHECK(name.find_first_of(".-") != 0);
    }
}
