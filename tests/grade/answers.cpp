// Answers of a class: whose they are, what they give, and what waits for a person.
#include <doctest/doctest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "class_folder.h"
#include "grade/program/kept_answers.h"
#include "grade/program/marked_answers.h"
#include "hostile.h"
#include "questions/mark.h"
#include "read_back.h"

namespace {

const std::string QUESTIONS = std::string("handouts/questions/") + LAB + ".txt";

/// All answers right, for a name.
std::string all_right(const std::string& name) {
    std::string text = "name: " + name + "\n";
    for (const questions::question& which : questions::read_questions(QUESTIONS)) {
        const std::string right = right_answer(which, variant_of(which, name));
        text += which.id + ": " + (right.empty() ? "because <b>so</b>" : right) + "\n";
    }
    return text;
}

grade::handed_file file_of(const std::string& bytes) {
    return {bytes, "", false, ""};
}

report::graded_answers marked(const std::string& bytes) {
    return grade::marked_answers(file_of(bytes), questions::read_questions(QUESTIONS));
}

grade::submission student(const std::string& name, const std::string& bytes) {
    grade::submission one{name, {{}}};
    one.labs[0].lab = LAB;
    one.labs[0].answers = file_of(bytes);
    if (bytes.empty()) one.labs[0].answers.missing = "no answers.txt was handed in";
    return one;
}

/// What an instructor is told, by student.
std::map<std::string, std::string> doubts(const std::vector<grade::submission>& all) {
    std::map<std::string, std::string> told;
    for (const auto& [who, one] : grade::mark_class(all, {LAB}))
        told[who.first] = one.doubt;
    return told;
}

}  // namespace

TEST_CASE("right answers give all points but those that wait for a person") {
    const report::graded_answers all = marked(all_right("Ada Lovelace"));
    CHECK(all.state == "checked");
    CHECK(all.points + all.to_read == all.of);
    CHECK(all.points > all.of / 2);
    CHECK(all.name == "Ada Lovelace");
    CHECK(all.hash.size() == 64);
    std::string of_another = all_right("Ada Lovelace");
    of_another.replace(of_another.find("Ada"), 3, "Eve");
    CHECK(marked(of_another).points < all.points / 2);
}

TEST_CASE("hostile answers are one sentence and no points") {
    for (const std::string& text :
         {std::string("01.a: 3\n"), std::string("name: A\n01.a: 3\n01.a: 4\n"),
          std::string("name: A\n77.a: 1\n"), std::string("name: A\n01.a: \x1b[2J\n"),
          "name: A\n01.a: " + std::string(500, '('), "name: A\n" + std::string(1'000'000, '\n'),
          std::string("name: \0A\n01.a: 1", 16)}) {
        const report::graded_answers all = marked(text);
        CHECK(all.state == "incomplete");
        CHECK(!all.message.empty());
        CHECK(all.points == 0);
        CHECK(all.of > 0);
    }
    // Deep and large, yet within the limits of a line: no number, or none that is right.
    for (const std::string& answer :
         {std::string(390, '('), std::string(390, '-'), std::string("9^9^9^9^9^9^9^9"), std::string("1/0"),
          std::string("nan"), std::string(390, '9')})
        CHECK(marked("name: A\n01.a: " + answer + "\n").points == 0);
}

TEST_CASE("a name that is not the student's, or is two students', is seen") {
    const auto told =
        doubts({student("Ada Lovelace_123", all_right("ada  LOVELACE")),
                student("lovelaceada_9", all_right("Ada M. Lovelace")),
                student("Bo Li_124", all_right("Ada Lovelace")), student("Cy Day", all_right("C. D.")),
                student("Di Ng", ""), student("Zo\u00eb O'Neil_7", all_right("Zo\u00eb O'Neil"))});
    CHECK(told.at("Ada Lovelace_123") == "the name in answers.txt is in that of Bo Li_124 too");
    CHECK(told.at("lovelaceada_9") == "");
    CHECK(told.at("Bo Li_124") ==
          "answers.txt is 'Ada Lovelace's, and 'Ada' is not in this student's name; the name in answers.txt "
          "is in "
          "that of Ada Lovelace_123 too");
    CHECK(told.at("Cy Day") == "answers.txt is 'C. D.'s, and 'C. D.' is not in this student's name");
    CHECK(told.at("Di Ng") == "");
    CHECK(told.at("Zo\u00eb O'Neil_7") == "");
}

TEST_CASE("another name in another lab is seen") {
    grade::class_answers all;
    all[{"Ada Lovelace", "01_a"}].name = "Ada";
    all[{"Ada Lovelace", "02_b"}].name = "Lovelace";
    all[{"Bob", "01_a"}].name = all[{"Bob", "02_b"}].name = "Bob";
    grade::doubt_names(all);
    CHECK(all[{"Ada Lovelace", "01_a"}].doubt == "answers.txt of another lab has another name than 'Ada'");
    CHECK(all[{"Bob", "02_b"}].doubt == "");
}

TEST_CASE("labs of which nobody answers anything have no points for questions") {
    CHECK(grade::mark_class({student("a", ""), student("b", "")}, {LAB}).empty());
    const auto some = grade::mark_class({student("a", ""), student("b", all_right("b"))}, {LAB, "99_none"});
    CHECK(some.size() == 2);
    CHECK(some.at({"a", LAB}).state == "not_submitted");
    CHECK(some.at({"a", LAB}).of == some.at({"b", LAB}).of);
}

TEST_CASE("texts are kept beside the model answer") {
    const auto all =
        grade::mark_class({student("ada", all_right("ada")), student("bob", all_right("bob"))}, {LAB});
    const auto kept = grade::kept_answers(all, {LAB});
    size_t texts = 0;
    for (const questions::question& which : questions::read_questions(QUESTIONS))
        texts += which.what == questions::asks_for::text;
    REQUIRE(kept.size() == 2 * texts);
    if (!kept.empty()) {
        CHECK(kept[0].student == "ada");
        CHECK(kept[1].student == "bob");
        CHECK(kept[0].id == kept[1].id);
        CHECK(kept[0].answer == "because <b>so</b>");
        CHECK(!kept[0].model.empty());
    }
}

TEST_CASE("hostile words in an answer or a name reach tables and pages as text, and nobody else's points") {
    const std::string text_of_bob = all_right("bob");
    const double points_of_bob = marked(text_of_bob).points;
    std::string read;  // the id of a question that a person reads
    for (const questions::question& which : questions::read_questions(QUESTIONS))
        if (which.what == questions::asks_for::text) read = which.id;
    REQUIRE(!read.empty());
    for (const std::string& text : hostile_texts())
        for (const std::string& file :
             {"name: ada\n" + read + ": " + text + "\n", "name: ada " + text + "\n" + read + ": because\n",
              "name: ada\n01.a: " + text + "\n", "name: ada\n" + text + ": 1\n"}) {
            CAPTURE(text);
            const auto all = grade::mark_class({student("ada", file), student("bob", text_of_bob)}, {LAB});
            CHECK(all.at({"bob", LAB}).points == points_of_bob);
            CHECK(all.at({"bob", LAB}).doubt == "");
            CHECK(all.at({"ada", LAB}).points == 0);
            const auto kept = grade::kept_answers(all, {LAB});
            const std::string table_text = grade::kept_answers_csv(kept);
            const auto rows = read_csv(table_text);
            CHECK(rows.size() == kept.size() + 1);
            for (const auto& row : rows) {
                CHECK(row.size() == 7);
                for (const std::string& cell : row)
                    CHECK_MESSAGE(!begins_formula(cell), cell);
            }
            const std::string page = grade::kept_answers_html(kept, all);
            CHECK(page.find("<script>alert") == std::string::npos);
            CHECK(page.find("<img src=x") == std::string::npos);
            CHECK(steering_character(table_text) == "");
            CHECK(steering_character(page) == "");
        }
}

TEST_CASE("make grade marks answers beside the code, and again the same") {
    if (!can_box()) return;
    const class_folder here;
    for (const char* name : {"ada", "bob"})
        here.hand_in(name, here.right);
    author::write_text(here.root / "from/ada/answers.txt", all_right("ada"));
    author::write_text(here.root / "from/bob/answers.txt", all_right("ada"));
    const grade::program_end end = here.run();
    CHECK_MESSAGE(end.code == 0, end.output);
    CHECK(end.output.find("  bob, lab 01: answers.txt is 'ada's") != std::string::npos);
    const report::graded_answers right = marked(all_right("ada"));
    const std::string points = std::to_string(int(right.points)), of = std::to_string(int(right.of));
    const std::string rows = author::read_text(here.root / "out/gradebook.csv");
    CHECK_MESSAGE(
        rows.find("ada,01_conv1d_basic_questions,checked," + points + "," + of + ",") != std::string::npos,
        rows);
    const auto json =
        nlohmann::json::parse(author::read_text(here.root / "out/formats/gradescope/ada/01-questions.json"));
    CHECK(json["score"].get<double>() == right.points);
    const std::string page = author::read_text(here.root / "out/formats/html/ada.html");
    CHECK(page.find("<h3>Questions</h3>") != std::string::npos);
    CHECK(page.find("<b>so</b>") == std::string::npos);
    CHECK(author::read_text(here.root / "out/answers.html").find("Whose answers are these?") !=
          std::string::npos);
    CHECK(here.run("").succeeded());
    CHECK(author::read_text(here.root / "out/gradebook.csv") == rows);
}
