// Tests of the formats: each is read back by a parser of its own and held against its rules, for ordinary
// results and for some in which every text is hostile.
#include <doctest/doctest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <stdexcept>

#include "../support/graded_cases.h"
#include "../support/read_back.h"
#include "grade/formats/class_files.h"
#include "grade/formats/formats.h"
#include "grade/formats/question_lab.h"
#include "grade/program/kept_answers.h"

using namespace grade;
using nlohmann::json;
using strings = std::vector<std::string>;

/// Results of every state and with every hostile text, and of questions.
static std::vector<report::graded_lab> many() {
    std::vector<report::graded_lab> all = {ordinary()};
    for (const char* state : report::STATES) {
        report::graded_lab lab = ordinary();
        lab.state = state, lab.message = lab.state == "checked" ? "" : "the reason";
        all.push_back(lab);
        lab.points = 0, lab.checks.clear();
        all.push_back(lab);
    }
    for (const std::string& text : hostile_texts()) {
        all.push_back(made_of(text));
        all.push_back(question_lab(made_of(text)));
        all.push_back(made_of(text));
        all.back().state = "crashed";
    }
    for (report::graded_lab& lab : all)
        lab.answers.reset();
    return all;
}

/// Of these keys, no other.
static void check_keys(const json& object, const std::set<std::string>& keys) {
    std::set<std::string> found;
    for (const auto& [key, value] : object.items())
        found.insert(key);
    CHECK(found == keys);
}

/// Every text in it can be shown, whatever reads it.
static void check_texts(const json& value) {
    if (value.is_string()) CHECK(steering_character(value.get<std::string>()).empty());
    for (const auto& [key, inner] : value.items()) {
        if (value.is_object()) CHECK(steering_character(key).empty());
        if (value.is_structured()) check_texts(inner);
    }
}

TEST_CASE("results.csv has one row a submission and no formula") {
    const std::vector<report::graded_lab> all = many();
    const table rows = read_csv(results_csv(all));
    REQUIRE(rows.size() == all.size() + 1);
    CHECK(rows[0] == strings{"student", "lab", "state", "points", "of", "message", "seconds", "source_hash"});
    CHECK(rows[1] == strings{"Ada Lovelace", "05_conv2d_naive", "checked", "60.5", "100", "", "12.35",
                             std::string(64, 'a')});
    for (size_t k = 1; k < rows.size(); k++) {
        REQUIRE(rows[k].size() == 8);
        CHECK(rows[k][3].empty() == (all[k - 1].state == "infrastructure_error"));
        for (const std::string& cell : rows[k]) {
            CHECK_MESSAGE(!begins_formula(cell), cell);
            CHECK(steering_character(cell).empty());
            CHECK(cell.find('\n') == std::string::npos);
        }
    }
}

TEST_CASE("points for questions stand apart from the code's") {
    report::graded_lab ada = ordinary(), bob = ordinary(), other = ordinary();
    ada.answers = answered();
    bob.student = "Bob", bob.answers = report::graded_answers{"not_submitted", "nothing was handed in"};
    bob.answers->of = 7;
    other.lab = "07_conv2d_tiled";
    CHECK(read_csv(gradebook_csv({ada, other, bob})) ==
          table{{"student", "lab05", "lab07", "total", "questions05", "questions", "to_read"},
                {"Ada Lovelace", "60.5", "60.5", "121", "2", "2", "3"},
                {"Bob", "60.5", "", "60.5", "0", "0", "0"}});
    const table rows = read_csv(results_csv({ada, bob}));
    REQUIRE(rows.size() == 5);
    CHECK(rows[2] == strings{"Ada Lovelace", "05_conv2d_naive_questions", "checked", "2", "7",
                             "3 points wait for a person", "0", std::string(64, 'b')});
    CHECK(rows[4] == strings{"Bob", "05_conv2d_naive_questions", "not_submitted", "0", "7",
                             "nothing was handed in", "0", ""});
    const json tests = json::parse(gradescope_json(question_lab(ada)))["tests"];
    REQUIRE(tests.size() == 4);
    CHECK(tests[0]["status"] == "passed");
    CHECK(tests[0]["output"] == "right\n\nanswered: 42 bytes");
    CHECK(tests[1]["status"] == "failed");
    CHECK(tests[2]["output"] == "kept: a person reads it\n\nanswered: because");
    CHECK(tests[2]["tags"][0] == "not run");
}

TEST_CASE("answers to read stand beside what to look for, and are text") {
    for (const std::string& text : hostile_texts()) {
        const std::vector<kept_answer> kept = {{text, "05.c", "Why?", text, "A model.", 3},
                                               {"Bob", "05.c", "Why?", "so", "A model.", 3}};
        const table rows = read_csv(kept_answers_csv(kept));
        REQUIRE(rows.size() == 3);
        CHECK(rows[2] == strings{"Bob", "05.c", "", "3", "so", "A model.", "Why?"});
        for (const std::string& cell : rows[1])
            CHECK_MESSAGE(!begins_formula(cell), cell);
        class_answers marked;
        marked[{text, "05_conv2d_naive"}].doubt = "why: " + text;
        const std::string page = kept_answers_html(kept, marked);
        CHECK(page.find("Whose answers are these?") != std::string::npos);
        CHECK(steering_character(page).empty());
        const own_folder folder;
        const fs::path file = folder.file("answers.html", page);
        CHECK(xmllint("--nonet --noout", file) == "");
        CHECK(xpath("count(//@href | //@src | //@*[starts-with(name(), 'on')])", file) == "0");
        CHECK(xpath("count(//*[local-name()='tr'])", file) == "5");
    }
}

TEST_CASE("the gradebook has one row a student and never counts the grader's trouble as a zero") {
    report::graded_lab first = ordinary(), second = ordinary(), lost = in_trouble(), other = ordinary();
    second.lab = lost.lab = "07_conv2d_tiled", second.points = 30, lost.student = "Bob", lost.points = 0;
    other.student = "=Eve";
    report::graded_lab of_bob = ordinary();
    of_bob.student = "Bob";
    CHECK(read_csv(gradebook_csv({second, first, lost, other, of_bob})) ==
          table{{"student", "lab05", "lab07", "total"},
                {"'=Eve", "60.5", "", "60.5"},
                {"Ada Lovelace", "60.5", "30", "90.5"},
                {"Bob", "60.5", "", ""}});
    CHECK_THROWS_AS(gradebook_csv({first, first}), std::invalid_argument);
    CHECK(read_csv(gradebook_csv({})) == table{{"student", "total"}});
}

static void check_gradescope(const report::graded_lab& lab) {
    const json result = json::parse(gradescope_json(lab));
    check_keys(result, {"score", "execution_time", "output", "output_format", "stdout_visibility",
                        "extra_data", "tests", "leaderboard"});
    check_texts(result);
    static const std::set<std::string> formats = {"text", "html", "simple_format", "md", "ansi"},
                                       shown = {"hidden", "after_due_date", "after_published", "visible"};
    CHECK(result["score"].get<double>() == lab.points);
    CHECK(result["execution_time"].is_number());
    CHECK(formats.count(result["output_format"]) == 1);
    CHECK(shown.count(result["stdout_visibility"]) == 1);
    CHECK(result["extra_data"].is_object());
    REQUIRE(result["tests"].size() == lab.checks.size());
    for (const json& test : result["tests"]) {
        check_keys(test, {"score", "max_score", "status", "name", "number", "output", "output_format", "tags",
                          "visibility"});
        CHECK((test["status"] == "passed" || test["status"] == "failed"));
        CHECK(test["score"].get<double>() <= test["max_score"].get<double>());
        CHECK(test["number"].is_string());
        CHECK(!test["name"].get<std::string>().empty());
        CHECK(formats.count(test["output_format"]) == 1);
        CHECK(shown.count(test["visibility"]) == 1);
        for (const json& tag : test["tags"])
            CHECK(tag.is_string());
    }
    for (const json& entry : result["leaderboard"]) {
        check_keys(entry, {"name", "value", "order"});
        CHECK((entry["order"] == "asc" || entry["order"] == "desc"));
    }
}

TEST_CASE("Gradescope's results.json") {
    for (const report::graded_lab& lab : many())
        if (lab.state != "infrastructure_error") check_gradescope(lab);
    const json result = json::parse(gradescope_json(ordinary()));
    CHECK(result["output"] == "60.5 of 100 points");
    CHECK(result["tests"][0]["status"] == "passed");
    CHECK(result["tests"][1]["output"] == "too many\nloads\n\nof taps");
    CHECK(result["tests"][2]["tags"] == json{"crashed"});
    CHECK(result["tests"][3]["output"] == "not run");
}

static void check_classroom50(const report::graded_lab& lab) {
    const json result = json::parse(classroom50_json(lab, local_run(lab)));
    check_keys(result, {"schema", "classroom", "assignment", "assignment_type", "owner", "submission",
                        "commit", "release", "review", "datetime", "score", "max-score", "tests"});
    check_texts(result);
    CHECK(result["schema"] == "classroom50/result/v1");
    for (const char* key : {"classroom", "assignment", "owner", "commit", "release", "review"})
        CHECK(!result[key].get<std::string>().empty());
    CHECK((result["assignment_type"] == "individual" || result["assignment_type"] == "group"));
    CHECK(result["submission"].get<std::string>().rfind("submit/", 0) == 0);
    CHECK(std::regex_match(result["datetime"].get<std::string>(),
                           std::regex(R"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ)")));
    CHECK(result["score"].is_number_unsigned());
    CHECK(result["max-score"].is_number_unsigned());
    CHECK(result["score"].get<double>() <= lab.points);
    for (const json& test : result["tests"]) {
        check_keys(test, {"test-name", "passed", "score", "max-score"});
        CHECK(!test["test-name"].get<std::string>().empty());
        CHECK(test["passed"].is_boolean());
        CHECK(test["score"].is_number_unsigned());
        CHECK(test["score"].get<long>() <= test["max-score"].get<long>());
    }
}

TEST_CASE("Classroom 50's result.json") {
    for (const report::graded_lab& lab : many())
        if (lab.state != "infrastructure_error") check_classroom50(lab);
    const json result = json::parse(classroom50_json(ordinary(), local_run(ordinary())));
    CHECK(result["score"] == 60);
    CHECK(result["datetime"] == "2026-06-01T14:33:11Z");
    CHECK(result["submission"] == "submit/2026-06-01T14:33:11Z-aaaaaaa");
    CHECK(result["tests"][1]["max-score"] == 20);
}

TEST_CASE("Classroom 50 without what its run must say is refused") {
    const auto refused = [](void (*spoil)(classroom_run&)) {
        classroom_run run = local_run(ordinary());
        spoil(run);
        CHECK_THROWS_AS(classroom50_json(ordinary(), run), std::invalid_argument);
    };
    refused([](classroom_run& run) { run.owner = ""; });
    refused([](classroom_run& run) { run.classroom = ""; });
    refused([](classroom_run& run) { run.review = ""; });
    refused([](classroom_run& run) { run.submission = "main"; });
    refused([](classroom_run& run) { run.assignment_type = "pair"; });
    refused([](classroom_run& run) { run.datetime = "2026-06-01T25:33:11Z"; });
    refused([](classroom_run& run) { run.datetime = "yesterday"; });
}

TEST_CASE("Classroom 50's page holds students' words in code alone") {
    for (const report::graded_lab& lab : many())
        if (report::has_mark(lab)) CHECK(steering_character(classroom50_page(lab)).empty());
    for (const std::string& text : hostile_texts()) {
        const std::string outside = outside_code(classroom50_page(made_of(text)));
        CHECK_MESSAGE(outside.find_first_of("<>`@[]*&\\") == std::string::npos, outside);
    }
}

TEST_CASE("JUnit's XML follows its schema, and its counts are those of its cases") {
    const own_folder folder;
    for (const report::graded_lab& lab : many()) {
        const std::string text = junit_xml(lab);
        const fs::path file = folder.file("junit.xml", text);
        CHECK_MESSAGE(xmllint("--nonet --noout --schema tests/grade/junit.xsd", file) == "",
                      text.substr(0, 300));
        CHECK(steering_character(text).empty());
        const auto number = [&](const std::string& path) { return xpath(path, file); };
        CHECK(number("count(//testcase)") == number("string(//testsuite/@tests)"));
        CHECK(number("count(//failure)") == number("string(//testsuite/@failures)"));
        CHECK(number("count(//error)") == number("string(//testsuite/@errors)"));
        CHECK(number("count(//testcase)") ==
              std::to_string(lab.checks.size() + (lab.state == "checked" ? 0 : 1)));
    }
}

TEST_CASE("JUnit's XML says what was and what was not") {
    const own_folder folder;
    const fs::path file = folder.file("junit.xml", junit_xml(ordinary()));
    CHECK(xpath("string(//testcase[1]/@name)", file) == "sizes");
    CHECK(xpath("count(//testcase[1]/*)", file) == "0");
    CHECK(xpath("string(//testcase[2]/@time)", file) == "0.123");
    CHECK(xpath("string(//testcase[2]/failure/@message)", file) == "failed: too many");
    CHECK(xpath("string(//testcase[2]/failure)", file) == "too many\nloads\n\nof taps");
    CHECK(xpath("string(//testcase[3]/error/@message)", file) == "crashed: crashed in x.cu:41");
    CHECK(xpath("string(//testcase[4]/skipped/@message)", file) == "not run");
    CHECK(xpath("string(//property[@name='points']/@value)", file) == "60.5");
    CHECK(xpath("string(//property[@name='points: counts']/@value)", file) == "0 of 19.5");

    const fs::path lost = folder.file("lost.xml", junit_xml(in_trouble()));
    CHECK(xpath("string(//testcase[1]/error/@message)", lost) == "infrastructure error: the node was lost");
    CHECK(xpath("count(//property[@name='points'])", lost) == "0");
}

TEST_CASE("Autolab's line is one line with one score") {
    CHECK(autolab_line(ordinary()) == "{\"scores\":{\"05_conv2d_naive\":60.5}}\n");
    for (const std::string& text : hostile_texts()) {
        report::graded_lab lab = made_of(text);
        lab.lab = text;
        const std::string line = autolab_line(lab);
        CHECK(line.find('\n') == line.size() - 1);
        const json scores = json::parse(line);
        check_keys(scores, {"scores"});
        check_texts(scores);
        REQUIRE(scores["scores"].size() == 1);
        CHECK(scores["scores"].begin().value() == lab.points);
    }
}

TEST_CASE("PrairieLearn's results.json has a score of 0 to 1") {
    report::graded_lab empty = ordinary();
    empty.of = empty.points = 0, empty.checks.clear();
    CHECK(json::parse(prairielearn_json(empty))["score"] == 0);
    CHECK(json::parse(prairielearn_json(ordinary()))["score"] == 0.605);
    for (const report::graded_lab& lab : many()) {
        if (lab.state == "infrastructure_error") continue;
        const json result = json::parse(prairielearn_json(lab));
        check_keys(result, {"score", "message", "tests"});
        check_texts(result);
        CHECK(result["score"].get<double>() >= 0);
        CHECK(result["score"].get<double>() <= 1);
        for (const json& test : result["tests"]) {
            check_keys(test, {"name", "points", "max_points", "message"});
            CHECK(test["points"].get<double>() <= test["max_points"].get<double>());
        }
    }
}

TEST_CASE("a result without a mark has no file where a file would be a zero") {
    CHECK(gradescope_json(in_trouble()).empty());
    CHECK(classroom50_json(in_trouble(), local_run(in_trouble())).empty());
    CHECK(classroom50_page(in_trouble()).empty());
    CHECK(autolab_line(in_trouble()).empty());
    CHECK(prairielearn_json(in_trouble()).empty());
}

TEST_CASE("all formats are written, whole, and old ones go") {
    const own_folder folder;
    const fs::path out = folder.root / "formats";
    report::graded_lab other = ordinary();
    other.student = "ada lovelace";
    write_formats({ordinary(), other}, out / "");
    const strings written = files_below(out);
    for (const std::string form :
         {"gradescope/NAME/05.json", "classroom50/NAME/05.json", "classroom50/NAME/05.md",
          "junit/NAME/05.xml", "autolab/NAME/05.txt", "prairielearn/NAME/05.json", "html/NAME.html",
          "results.csv", "gradebook.csv", "students.html"}) {
        for (const std::string name : {"Ada_Lovelace", "ada_lovelace-2"}) {
            const std::string file = std::regex_replace(form, std::regex("NAME"), name);
            CHECK_MESSAGE(std::count(written.begin(), written.end(), file) == 1, file);
        }
    }
    CHECK(written.size() == 2 * 7 + 3);
    CHECK(xpath("string(//*[local-name()='a'][.='ada lovelace']/@href)", out / "students.html") ==
          "html/ada_lovelace-2.html");
    CHECK(text_of(out / "gradescope/Ada_Lovelace/05.json") == gradescope_json(ordinary()));

    report::graded_lab asked = ordinary();
    asked.answers = answered();
    write_formats({asked}, out);
    CHECK(files_below(out).size() == 7 + 6 + 3);
    CHECK(text_of(out / "gradescope/Ada_Lovelace/05.json") == gradescope_json(ordinary()));
    CHECK(text_of(out / "junit/Ada_Lovelace/05-questions.xml") == junit_xml(question_lab(asked)));
    CHECK(xpath("count(//*[local-name()='h3'][.='Questions'])", out / "html/Ada_Lovelace.html") == "1");

    report::graded_lab lost = in_trouble();
    write_formats({lost}, out);
    CHECK(files_below(folder.root) == strings{"formats/gradebook.csv", "formats/html/Ada_Lovelace.html",
                                              "formats/junit/Ada_Lovelace/05.xml", "formats/results.csv",
                                              "formats/students.html"});
}

TEST_CASE("formats that cannot be written leave the old ones") {
    const own_folder folder;
    write_formats({ordinary()}, folder.root / "formats");
    CHECK_THROWS_AS(write_formats({ordinary(), ordinary()}, folder.root / "formats"), std::invalid_argument);
    CHECK(fs::exists(folder.root / "formats/gradescope/Ada_Lovelace/05.json"));
    CHECK_THROWS_AS(write_formats({ordinary()}, "/dev/null/formats"), std::runtime_error);
}

TEST_CASE("students' names lead nowhere else, and no two students share a file") {
    const own_folder folder;
    std::vector<report::graded_lab> all;
    for (const std::string& text : hostile_texts())
        all.push_back(made_of(text));
    write_formats(all, folder.root / "formats");
    strings pages;
    for (const std::string& file : files_below(folder.root))
        if (file.find("/html/") != std::string::npos) pages.push_back(file);
    CHECK(pages.size() == hostile_texts().size());
    const fs::path index = folder.root / "formats/students.html";
    CHECK(xmllint("--nonet --noout", index) == "");
    CHECK(steering_character(text_of(index)).empty());
    CHECK(xpath("count(//@href[starts-with(., 'html/') and not(contains(substring(., 6), '/'))])", index) ==
          std::to_string(pages.size()));
    CHECK(xpath("count(//@href | //@src | //@*[starts-with(name(), 'on')])", index) ==
          std::to_string(pages.size()));
    for (const auto& entry : fs::directory_iterator(folder.root))
        CHECK(entry.path().filename() == "formats");
}
