// Every question of every lab: keys beside brute force, right answers, wrong answers, neighbours' answers, and what a release
// has of them.
#include <doctest/doctest.h>

#include <unistd.h>

#include <cmath>
#include <map>

#include "author/regions.h"
#include "counts_01.h"
#include "counts_02.h"
#include "counts_03.h"
#include "counts_04.h"
#include "counts_05.h"
#include "counts_06.h"
#include "counts_07.h"
#include "counts_08.h"
#include "counts_09.h"
#include "counts_10.h"
#include "counts_11.h"
#include "counts_12.h"
#include "counts_13.h"
#include "counts_14.h"
#include "counts_15.h"
#include "counts_16.h"
#include "counts_17.h"
#include "counts_18.h"
#include "counts_19.h"
#include "counts_20.h"
#include "questions/expression.h"
#include "questions/mark.h"
#include "questions/pages.h"

namespace fs = std::filesystem;
using namespace questions;

namespace {

counts all_counts() {
    counts all;
    for (const counts& of_lab :
         {counts_01(), counts_02(), counts_03(), counts_04(), counts_05(), counts_06(), counts_07(),
          counts_08(), counts_09(), counts_10(), counts_11(), counts_12(), counts_13(), counts_14(),
          counts_15(), counts_16(), counts_17(), counts_18(), counts_19(), counts_20()})
        all.insert(of_lab.begin(), of_lab.end());
    return all;
}

/// Runs for every question of every lab, and says in which one an expectation failed.
template <class Look>
void for_every_question(const Look& look) {
    for (const fs::path& file : question_files())
        for (const question& which : read_questions(file)) {
            INFO(which.id);
            look(which);
        }
}

bool is_near(double one, double other) {
    return std::fabs(one - other) <= 1e-9 * std::max(1.0, std::fabs(other));
}

bool is_whole(double value) {
    return value == std::floor(value);
}

}  // namespace

TEST_CASE("every key equals what is counted one by one, for every student") {
    const counts counted = all_counts();
    for_every_question([&](const question& which) {
        if (which.key.empty()) return;
        const auto count = counted.find(which.id);
        REQUIRE_MESSAGE(count != counted.end(), "no count beside this key");
        for (int variant = 0; which.what == asks_for::number && variant < variants(which); variant++) {
            const variables numbers = numbers_of(which, variant);
            const double key = evaluate(which.key, numbers);
            CHECK_MESSAGE(is_near(key, count->second(numbers)), "variant ", variant, ": ", key, " and ",
                          count->second(numbers));
            CHECK_MESSAGE((which.tolerance > 0 || is_whole(key)), "a fraction needs a tolerance: ", key);
        }
        for (const variables& point : points_of(which))
            if (which.what == asks_for::formula)
                CHECK(is_near(evaluate(which.key, point), count->second(point)));
    });
}

TEST_CASE("every exercise of PMPP 7.8 that asks for no code, and every slip of the sources, is asked about") {
    std::string asked;
    for_every_question([&](const question& which) { asked += which.id + " " + which.text + "\n"; });
    for (const char* exercise :
         {"exercise 1 ", "exercise 2,", "exercise 3 ", "exercise 4a", "exercise 4b", "exercise 4c",
          "exercise 5a", "exercise 5b", "exercise 5c", "exercise 6a", "exercise 6b", "exercise 6c",
          "exercise 7a", "exercise 7b", "exercise 7c", "exercise 7d"})
        CHECK_MESSAGE(asked.find(std::string("PMPP ") + exercise) != std::string::npos, exercise);
    const std::pair<const char*, const char*> slips[] = {
        {"03.k", "Fig. 7.11 computes Pvalue and ends, and so does fig. 7.14"},  // P[i] is never stored
        {"03.d", "Fig. 7.11 loads the centre of its tile without a test"},      // past the array
        {"07.c", "Fig. 7.19 begins its input tile at row_o - Mask_Width/2 + 1"},
        {"07.d", "Fig. 7.20 ends with the loads of the tile"},  // no barrier
        {"07.e", "Fig. 7.21 stores data[row_o*width + col_o]"},
        {"07.b", "loads (O_TILE_SIZE + Mask_Width + 1)^2"},
        {"03.c", "(128 * 11 - 10) / (128 + 10)"},
        {"05.c", "540 for n = 8 and m = 3"},
        {"01.c", "the filter 0 0 1 moves an array to the right"},
        {"08.f", "filters of 93 x 93"},
        {"06.c", "consistently outperforms"},
        {"09.a", "then does d_h[oPixelPos] +="}};
    for (const auto& [id, slip] : slips) {
        CHECK_MESSAGE(asked.find(std::string(id) + " What is wrong here?") != std::string::npos, id);
        CHECK_MESSAGE(asked.find(slip) != std::string::npos, id, ": ", slip);
    }
}

TEST_CASE("every count has its question") {
    counts left = all_counts();
    for_every_question([&](const question& which) { left.erase(which.id); });
    for (const auto& [id, count] : left)
        FAIL_CHECK(id);
}

TEST_CASE("model answers mark as right and three typical mistakes as wrong, for every student") {
    for_every_question([](const question& which) {
        if (which.what == asks_for::text) {
            CHECK(!which.model.empty());
            CHECK(mark(which, 0, "because").is == verdict::kept);
            return;
        }
        CHECK(!which.why.empty());
        CHECK(which.wrong.size() >= 3);
        for (int variant = 0; variant < variants(which); variant++) {
            const std::string right = right_answer(which, variant);
            CHECK_MESSAGE(mark(which, variant, right).is == verdict::right, variant, ": ", right);
            for (const std::string& wrong : which.wrong) {
                const std::string answer = wrong_answer(which, variant, wrong);
                CHECK_MESSAGE(mark(which, variant, answer).is == verdict::wrong, variant, ": ", wrong, " is ",
                              answer, ", right is ", right);
            }
        }
    });
}

TEST_CASE("a neighbour's answer does not fit") {
    for_every_question([](const question& which) {
        if (which.draw.empty() || which.what != asks_for::number) return;
        int same = 0;
        for (int variant = 0; variant < VARIANTS; variant++)
            for (const int other : {1, 5, 23})
                same += mark(which, variant, right_answer(which, (variant + other) % VARIANTS)).is ==
                        verdict::right;
        CHECK_MESSAGE(same <= 3 * VARIANTS / 5, same, " of ", 3 * VARIANTS,
                      " answers fit a neighbour's numbers");
    });
}

TEST_CASE("questions are asked in whole, 80 columns wide") {
    for (const fs::path& file : question_files()) {
        const auto all = read_questions(file);
        for (const char* name : {"Ada", "Grace", "Kurt", "Alan", "Edsger", "Barbara"}) {
            const std::string page = pages_for(all, name);
            CHECK_MESSAGE(page.find_first_of("{}") == std::string::npos, file);
            for (const std::string& line : author::lines_of(page))
                CHECK_MESSAGE(line.size() <= 80, file, ": ", line);
        }
    }
}

TEST_CASE("what a release has marks the same and tells no answer") {
    for (const fs::path& asked : question_files()) {
        const auto all = read_questions(asked);
        const std::string text = released(all);
        for (const char* key : {"\nkey:", "\nright:", "\nwrong:", "\nwhy:", "\nmodel:"})
            CHECK_MESSAGE(text.find(key) == std::string::npos, asked, key);
        const fs::path file =
            fs::temp_directory_path() / (asked.filename().string() + std::to_string(getpid()));
        author::write_text(file, text);
        const auto given = read_questions(file);
        fs::remove(file);
        REQUIRE(given.size() == all.size());
        for (size_t k = 0; k < all.size(); k++) {
            const question &which = all[k], &same = given[k];
            INFO(which.id);
            for (int variant = 0; variant < variants(which); variant += 9) {
                CHECK(text_with_numbers(which.text, numbers_of(which, variant)) ==
                      text_with_numbers(same.text, numbers_of(same, variant)));
                CHECK(options_of(which, variant) == options_of(same, variant));
                const std::string right = right_answer(which, variant);
                const bool told = which.what == asks_for::number || which.what == asks_for::formula;
                CHECK(mark(same, variant, right).is == (told            ? verdict::right
                                                        : right.empty() ? verdict::empty
                                                                        : verdict::kept));
                for (const std::string& wrong : which.wrong)
                    if (told)
                        CHECK(mark(same, variant, wrong_answer(which, variant, wrong)).is == verdict::wrong);
            }
        }
    }
}

TEST_CASE("PMPP's exercises and the sources' slips are among the questions") {
    std::map<std::string, std::string> text_of;  // by question
    std::string all;
    for (const fs::path& file : question_files()) {
        for (const question& one : read_questions(file)) {
            text_of[one.id] = one.text;
            all += one.text + "\n";
        }
    }
    for (const char* exercise :
         {"1", "2", "3", "4a", "4b", "4c", "5a", "5b", "5c", "6a", "6b", "6c", "7a", "7b", "7c", "7d"})
        CHECK_MESSAGE(all.find(std::string("PMPP exercise ") + exercise) != std::string::npos, exercise);
    const std::map<std::string, std::string> slips = {
        {"01.c", "0 0 1"},     {"03.c", "(128 * 11 - 10) / (128 + 10)"},
        {"03.d", "Fig. 7.11"}, {"03.k", "Fig. 7.11"},
        {"04.k", "Fig. 7.14"}, {"05.c", "540"},
        {"05.f", "wrong"},     {"06.c", "consistently outperforms"},
        {"06.h", "d_h"},       {"07.b", "+ 1)^2"},
        {"07.c", "Fig. 7.19"}, {"07.d", "Fig. 7.20"},
        {"07.e", "Fig. 7.21"}, {"08.f", "93 x 93"},
        {"09.a", "d_h"}};
    for (const auto& [id, words] : slips)
        CHECK_MESSAGE(text_of[id].find(words) != std::string::npos, id, ": ", text_of[id]);
}

TEST_CASE("the instructors' page shows names where students have numbers") {
    const std::string page = instructors_page(question_files());
    CHECK(page.find_first_of("{}") == std::string::npos);
    // Markdown would make bold, italic or HTML of these.
    CHECK(page.find("pointers \\_\\_restrict\\_\\_.") != std::string::npos);
    CHECK(page.find("static_cast\\<double>(") != std::string::npos);
    CHECK(page.find("n2\\*m2\\*r1(r1+1)") != std::string::npos);
    CHECK(page.find("(128 * 11 - 10)") != std::string::npos);
}

TEST_CASE("answer files and the instructors' page are those of the questions") {
    for (const fs::path& file : question_files()) {
        const fs::path answers = fs::path("labs") / file.stem() / "answers.txt";
        CHECK_MESSAGE(author::read_text(answers) == skeleton(read_questions(file)), answers,
                      ": make skeletons");
    }
    CHECK_MESSAGE(author::read_text("handouts/instructor/answers.md") == instructors_page(question_files()),
                  "handouts/instructor/answers.md is stale: make readme");
}

TEST_CASE("the script that makes a release leaves the keys and the instructors' page out") {
    const std::string script = author::read_text("common/build/release.sh");
    CHECK(script.find("build/bin/questions release") != std::string::npos);
    CHECK(script.find("handouts/instructor") == std::string::npos);
    CHECK(
        script.find("cp -Rp Makefile README.md LICENSE .gitignore .clang-format .vscode labs common data") !=
        std::string::npos);
}
