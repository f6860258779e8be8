// Files of answers, as strangers hand them in, and marks for what is in them.
#include "questions/answers.h"

#include <doctest/doctest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "questions/report.h"

namespace fs = std::filesystem;
using namespace questions;

namespace {

/// A file of this test's own.
struct own_file {
    explicit own_file(const std::string& text, const char* name = "answers.txt")
        : path(fs::temp_directory_path() / ("questions-" + std::to_string(getpid())) / name) {
        fs::create_directories(path.parent_path());
        std::ofstream(path, std::ios::binary) << text;
    }
    ~own_file() { fs::remove(path); }
    fs::path path;
};

std::string trouble(const std::string& text) {
    const own_file file(text);
    try {
        read_answers(file.path);
        return "none";
    } catch (const std::runtime_error& error) {
        const std::string said = error.what(), where = file.path.string();
        return said.starts_with(where) ? said.substr(where.size()) : said;
    }
}

const char* const ASKED =
    "[a]\ntext: {b} bytes?\ndraw: b 1000..9000\nunit: bytes\nkey: b\n"
    "[b]\ntext: share?\nunit: %\ntolerance: 1 %\nkey: 3/4\n"
    "[c]\ntext: how many?\nunit: loads\nkey: 1200\n"
    "[d]\ntext: formula?\nat: n 5..50, m 3..9 by 2\nkey: n*m\npoints: 3\n"
    "[e]\ntext: which?\nright: yes\nwrong: no\nwrong: perhaps\nwrong: never\n"
    "[f]\ntext: why?\nmodel: because\n";

std::vector<question> asked() {
    return read_questions(own_file(ASKED, "07_asked.txt").path);
}

verdict marked_as(char which, const std::string& answer) {
    return mark(asked().at(size_t(which - 'a')), 0, answer).is;
}

}  // namespace

TEST_CASE("a file of answers is read, whatever editor it comes from") {
    const own_file file("\xef\xbb\xbfname:  Zo\u00eb  \r\n# a comment\r\n\r\n 07.a : 42 bytes\r\n07.b:\r\n");
    const answers read = read_answers(file.path);
    CHECK(read.name == "Zo\u00eb");
    CHECK(read.given.at("07.a") == "42 bytes");
    CHECK(read.given.at("07.b").empty());
}

TEST_CASE("what is no file of answers is told in one line") {
    CHECK(trouble("01.a: 3\n") == ":1: write your name behind 'name:'");
    CHECK(trouble("name: A\n01.a 3\n") == ":2: no ':' in this line: an answer is written as 01.a: 42 bytes");
    CHECK(trouble("name: A\n01.a: 3\n01.a: 4\n") == ":3: a second answer to 01.a: leave one");
    CHECK(trouble("name: A\nname: B\n") == ":2: a second name: leave one");
    CHECK(trouble("name: A\n01.a: " + std::string(400, '3')) ==
          ":2: more than 400 characters: write a shorter answer");
    CHECK(trouble("name: A\n01.a: \x1b[2J\n") == ":2: not plain text in UTF-8: save the file as such");
    CHECK(trouble("name: \xff\xfe\n") == ":1: not plain text in UTF-8: save the file as such");
    CHECK(trouble(std::string("name: A\n01.a: 3\0 4\n", 18)) ==
          ":2: not plain text in UTF-8: save the file as such");
    CHECK(trouble(std::string(70000, '\n')) == ": more than 64 KiB: write one line an answer");
    CHECK_THROWS_WITH(read_answers("/no/such/answers.txt"), "/no/such/answers.txt: cannot be read");
    CHECK_THROWS_WITH(read_answers("/"), "/: cannot be read");
    const own_file pipe("");
    fs::remove(pipe.path);
    REQUIRE(mkfifo(pipe.path.c_str(), 0600) == 0);
    CHECK_THROWS(read_answers(pipe.path));
}

TEST_CASE("units, fractions and percentages are tolerated, other units are not") {
    for (const char* right : {"75 %", "75%", "75", "0.75", "0,75", "75,0 %", "75 percent", "3/4", "74.6 %"})
        CHECK_MESSAGE(marked_as('b', right) == verdict::right, right);
    for (const char* wrong : {"76", "0.0075", "7.5"})
        CHECK_MESSAGE(marked_as('b', wrong) == verdict::wrong, wrong);
    for (const char* right :
         {"1200", "1 200 loads", "1,200", "1.2e3 load", "1200 Loads", "1200.0", "1,2\u00b710\u00b3"})
        CHECK_MESSAGE(marked_as('c', right) == verdict::right, right);
    CHECK(marked_as('c', "1201") == verdict::wrong);
    CHECK(marked_as('c', "1200 stores") == verdict::unreadable);
    const question bytes = asked()[0];
    const double b = numbers_of(bytes, 3).at("b");
    for (const std::string& right :
         {std::to_string(b), std::to_string(b) + " B", std::to_string(b / 1024) + " KiB"})
        CHECK_MESSAGE((mark(bytes, 3, right).is == verdict::right || right.ends_with("KiB")), right);
    CHECK(mark(bytes, 3, std::to_string(int(b)) + " / 1024 KiB").is == verdict::right);
}

TEST_CASE("formulas are compared by their values, not by their letters") {
    for (const char* right : {"n*m", "m n", "n\u22c5m", "n(m - 1) + n", "((n+m)^2 - n^2 - m^2)/2",
                              "((n+m)\u00b2 - n\u00b2 - m\u00b2)/2"})
        CHECK_MESSAGE(marked_as('d', right) == verdict::right, right);
    CHECK(marked_as('d', "n*m + 0.001") == verdict::wrong);
    CHECK(marked_as('d', "n*k") == verdict::unreadable);
}

TEST_CASE("names draw the same again, in any case and with any blanks") {
    const question which = asked()[0];
    CHECK(variant_of(which, "Ada Lovelace") == variant_of(which, "  ada   LOVELACE "));
    int same = 0;
    for (int k = 0; k < 640; k++)
        same += variant_of(which, "student " + std::to_string(k)) == 5;
    CHECK(same > 2);
    CHECK(same < 30);
}

TEST_CASE("a report has points of its own, and what waits for a person") {
    const own_file file("name: Ada\n07.b: 3/4\n07.d: m*n\n07.e: q\n07.f: so\n");
    const report result = mark_all("07_asked", asked(), read_answers(file.path));
    CHECK(result.points() == 4);
    CHECK(result.of() == 8);
    CHECK(result.to_read() == 1);
    const std::string text = as_text(result);
    CHECK(text.find("  07.a  empty\n  07.b  right          3/4\n") == 0);
    CHECK(text.find("  07.e  cannot be read q                           one letter from A to D\n") !=
          std::string::npos);
    CHECK(text.ends_with("\n4 of 8 points for questions, 1 wait for your instructor\n"));
    CHECK(as_json(result).find("\"verdict\": \"cannot be read\"") != std::string::npos);
    const own_file other("name: Ada\n08.a: 3\n");
    CHECK_THROWS_WITH(mark_all("07_asked", asked(), read_answers(other.path)),
                      "'08.a' is no question of this lab: they are 07.a to 07.f");
}

TEST_CASE("a file of questions that cannot be read is named with its line") {
    const std::pair<const char*, const char*> cases[] = {
        {"text: early\n", ":1: 'text: early' is neither [NAME] nor KEY: VALUE"},
        {"[a]\ntext: ?\nkeys: 3\n[b]\n", ":4: 'keys' is no key of a question"},
        {"[a]\nkey: 3\n", ":2: question 07.a has no text"},
        {"[a]\ntext: ?\ndraw: n 9..1\n", ":3: '9..1' is no range of 1 to 100000 values"},
        {"[a]\ntext: ?\ndigest: 12\ndigest: 13\n", ":4: question 07.a has 2 digests, not 1"}};
    for (const auto& [text, told] : cases) {
        const own_file file(text, "07_asked.txt");
        CHECK_THROWS_WITH(read_questions(file.path), (file.path.string() + told).c_str());
    }
}
