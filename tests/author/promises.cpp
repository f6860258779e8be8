// Tests of selfcheck: a lab that keeps its promises, then each promise broken in turn.
#include <doctest/doctest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <set>
#include <string>

#include "author/cases.h"
#include "author/handout_tables.h"
#include "author/promises.h"
#include "author/regions.h"
#include "author/steps.h"

namespace fs = std::filesystem;

static const char KEY[] = "07_fake";
static const char SECRET[] = "const int secret = outside * 1234567;";

/// A judge's report with two checks of 60 and 40 points.
static std::string report(int first, int second, const std::string& how = "passed") {
    return R"({"points": )" + std::to_string(first + second) + R"(, "of": 100, "checks": [)" +
           R"({"name": "values", "points": )" + std::to_string(first) + R"(, "of": 60, "how": ")" + how +
           R"("},)" + R"({"name": "counts", "points": )" + std::to_string(second) +
           R"(, "of": 40, "how": "passed", "messages": ["now 9, right is 4\nmore"]}]})";
}

/// A small workbook of one lab in a folder of its own, which becomes the current one.
struct workbook {
    fs::path before = fs::current_path(),
             path = fs::temp_directory_path() / ("promises-" + std::to_string(getpid()));

    workbook() {
        fs::create_directories(path);
        fs::current_path(path);
        solution(std::string("// Lab 07 - A title.\n// begin 07.1 Do it.\n") + SECRET + "\n// end 07.1\n");
        author::write_text("labs/07_fake/fake.cu",
                           author::skeleton_of(author::read_solution("solutions/07_fake/fake.cu")));
        author::write_text("handouts/07_fake.md", "07.1\n### Hint 1\n### Hint 2\n### Hint 3\n");
        author::write_text("labs/07_fake/steps.json",
                           author::steps_of(author::read_solution("solutions/07_fake/fake.cu"), {}));
        judged("solution", report(60, 40));
        judged("skeleton", report(0, 0, "wrong"));
        judged("without_07.1", report(0, 40, "wrong"));
        for (int k = 0; k < 8; k++)
            kernel("wrong", "w" + std::to_string(k), "// Fails: values\n", report(0, 40, "wrong"));
        for (int k = 0; k < 3; k++)
            kernel("right", "r" + std::to_string(k), "// Right: odd\n", report(60, 40));
    }
    ~workbook() {
        fs::current_path(before);
        fs::remove_all(path);
    }

    static void solution(const std::string& text) { author::write_text("solutions/07_fake/fake.cu", text); }
    static void judged(const std::string& name, const std::string& json) {
        author::write_text("cases/07_fake/" + name + ".json", json);
    }
    static void kernel(const std::string& kind, const std::string& name, const std::string& text,
                       const std::string& json) {
        author::write_text("solutions/07_fake/" + kind + "/" + name + ".cu", text);
        judged(kind + "_" + name, json);
    }
    /// A report like report(0, 40) with one wrong image, diagnosed as `id` unless that is "".
    static std::string spoiled(const std::string& id) {
        std::string json = report(0, 40, "value");
        const std::string diagnosis =
            id.empty() ? "" : R"({"id": ")" + id + R"(", "from": "output", "cases": 1, "text": "why"})";
        json.insert(json.find(R"("of": 60)"), R"("wrong_images": 1, "diagnoses": [)" + diagnosis + "], ");
        return json;
    }
    /// The first broken promise, "" if there is none.
    static std::string broken() {
        author::ledger book;
        author::check_lab(book, KEY, "cases/07_fake");
        author::check_leaks(book, {KEY}, {"labs"});
        return book.broken.empty() ? "" : book.broken[0];
    }
};

TEST_CASE_FIXTURE(workbook, "a good lab keeps all promises") {
    CHECK(broken() == "");
}

TEST_CASE_FIXTURE(workbook, "the skeleton") {
    SUBCASE("is stale") {
        author::write_text("labs/07_fake/fake.cu", "int other;\n");
        CHECK(broken() == "labs/07_fake/fake.cu is not what its solution gives: make skeletons");
    }
    SUBCASE("has full marks") {
        judged("skeleton", report(60, 40));
        CHECK(broken() == "07_fake: the skeleton has full marks");
    }
    SUBCASE("crashes") {
        judged("skeleton", report(0, 40, "crashed"));
        CHECK(broken() == "07_fake: the skeleton does not fail by value alone: 'values' crashed");
    }
    SUBCASE("does not build") {
        judged("skeleton", "{}");
        author::write_text("cases/07_fake/skeleton.log", "x.cu:3: error: what\nmore\n");
        CHECK(broken() == "07_fake: the skeleton was not judged: x.cu:3: error: what");
    }
}

TEST_CASE_FIXTURE(workbook, "the solution") {
    SUBCASE("loses points") {
        judged("solution", report(60, 30));
        CHECK(broken() == "07_fake: the solution scores 90/100, loses in 'counts': now 9, right is 4");
    }
    SUBCASE("has checks that do not add up") {
        judged("solution",
               R"({"points": 60, "of": 60, "checks": [{"name": "values", "points": 60, "of": 60}]})");
        CHECK(broken() == "07_fake: the points of its checks add up to 60");
    }
}

TEST_CASE_FIXTURE(workbook, "a wrong kernel") {
    SUBCASE("is not caught") {
        judged("wrong_w3", report(60, 40));
        CHECK(broken() == "solutions/07_fake/wrong/w3.cu does not lose in 'values': loses no points");
    }
    SUBCASE("is caught by another check") {
        judged("wrong_w3", report(60, 0));
        CHECK(broken() ==
              "solutions/07_fake/wrong/w3.cu does not lose in 'values': "
              "loses in 'counts': now 9, right is 4");
    }
    SUBCASE("names no check") {
        kernel("wrong", "w3", "// A comment\n", report(0, 40));
        CHECK(broken() == "solutions/07_fake/wrong/w3.cu names no check that it fails: ''");
    }
    SUBCASE("is one of too few") {
        fs::remove("solutions/07_fake/wrong/w3.cu");
        CHECK(broken() == "07_fake: 7 wrong kernels, at least 8 are asked for");
    }
    SUBCASE("was never judged") {
        fs::remove("cases/07_fake/wrong_w3.json");
        CHECK(broken() == "solutions/07_fake/wrong/w3.cu was not judged: no report (was it judged?)");
    }
}

TEST_CASE_FIXTURE(workbook, "a wrong kernel of wrong.txt") {
    const auto mutation = [](const std::string& more, const std::string& json) {
        author::write_text("solutions/07_fake/wrong.txt",
                           "[m]\nwrong: Changed.\n" + more + "- 1234567\n+ 7654321\n");
        judged("wrong_m", json);
    };
    SUBCASE("counts as one of wrong/") {
        fs::remove("solutions/07_fake/wrong/w3.cu");
        mutation("fails: values\n", report(0, 40));
        CHECK(broken() == "");
        author::ledger book;
        CHECK(author::check_lab(book, KEY, "cases/07_fake").wrong == "8/8");
    }
    SUBCASE("is not caught") {
        mutation("fails: values\n", report(60, 40));
        CHECK(broken() == "solutions/07_fake/wrong.txt:1: m does not lose in 'values': loses no points");
    }
    SUBCASE("names no check") {
        mutation("fails: value\n", report(0, 40));
        CHECK(broken() == "solutions/07_fake/wrong.txt:1: m names no check that it fails: 'value'");
    }
    SUBCASE("was never judged") {
        mutation("fails: values\n", "{}");
        CHECK(broken() == "solutions/07_fake/wrong.txt:1: m was not judged: no report (was it judged?)");
    }
    SUBCASE("was left out with the others of its kind") {
        mutation("fails: values\n", "{}");
        author::write_text("cases/07_fake/left_out.txt", "wrong_m\n");
        CHECK(broken() == "");
    }
    SUBCASE("is diagnosed as another one") {
        mutation("fails: values\ndiagnosed: shifted\n", spoiled("ghost-clamped"));
        CHECK(broken() == "solutions/07_fake/wrong.txt:1: m is diagnosed as 'ghost-clamped' in 'values'");
    }
    SUBCASE("says nothing of a diagnosis") {
        mutation("fails: values\n", spoiled("shifted"));
        CHECK(
            broken() ==
            "solutions/07_fake/wrong.txt:1: m gives wrong images and says nothing of how they are diagnosed");
    }
}

TEST_CASE_FIXTURE(workbook, "a faster form of the solution") {
    author::write_text("solutions/07_fake/fast.cu", "// Lab 07, faster: two at a time.\nint x;\n");
    judged("fast", report(60, 40));
    SUBCASE("keeps all promises") {
        CHECK(broken() == "");
    }
    SUBCASE("loses points") {
        judged("fast", report(60, 30));
        CHECK(broken() == "solutions/07_fake/fast.cu scores 90/100, loses in 'counts': now 9, right is 4");
    }
    SUBCASE("was never judged") {
        fs::remove("cases/07_fake/fast.json");
        CHECK(broken() == "solutions/07_fake/fast.cu was not judged: no report (was it judged?)");
    }
    SUBCASE("does not say what it is") {
        for (const std::string head :
             {"// Lab 07 - A title.", "// Lab 08, faster: so.", "// Lab 07, faster: "}) {
            author::write_text("solutions/07_fake/fast.cu", head + "\nint x;\n");
            CHECK(broken() == "solutions/07_fake/fast.cu does not open with '// Lab 07, faster: '");
        }
    }
    SUBCASE("leaks") {
        const std::string line = "out[x] = two_at_a_time(in, x) * 7654321;";
        author::write_text("solutions/07_fake/fast.cu", "// Lab 07, faster: so.\n" + line + "\n");
        author::write_text("labs/07_fake/fake.h", "  " + line + "\n");
        CHECK(broken() == "labs/07_fake/fake.h:1 shows a line of solutions/07_fake/fast.cu: " + line);
    }
}

TEST_CASE_FIXTURE(workbook, "the cases that are judged") {
    author::write_text("solutions/07_fake/wrong.txt",
                       "[m]\nfails: values\nwrong: Changed.\n- 1234567\n+ 7654321\n");
    author::write_text("solutions/07_fake/right.txt", "[n]\nright: Halved.\n- 1234567\n+ 2469134 / 2\n");
    author::write_text("solutions/07_fake/wrong/w1.cu", "// Fails: values\n// Diagnosed: shifted\n");
    author::write_text("solutions/07_fake/right/r3.cu", "// Right: the fifth\n");
    author::write_text("solutions/07_fake/fast.cu", "int fast;\n");
    author::write_text("cut/wrong_gone.cu", "int x;\n");
    author::write_cases("solutions/07_fake/", "cut");
    CHECK(author::read_text("cut/solution.cu") == author::read_text("solutions/07_fake/fake.cu"));
    CHECK(author::read_text("cut/skeleton.cu") == author::read_text("labs/07_fake/fake.cu"));
    CHECK(author::read_text("cut/fast.cu") == "int fast;\n");
    CHECK(author::read_text("cut/wrong_m.cu").find("const int secret = outside * 7654321;") !=
          std::string::npos);
    CHECK(author::read_text("cut/wrong_w0.cu") == "// Fails: values\n");
    CHECK(author::read_text("cut/wrong_w0.only") == "values");
    CHECK(author::read_text("cut/wrong_w1.only").empty());
    CHECK(author::read_text("cut/right_r0.cu") == "// Right: odd\n");
    const std::string edited = author::read_text("cut/right_n.cu");
    CHECK(edited.starts_with("// Right: Halved.\n#line 1 \"solutions/07_fake/fake.cu\"\n"));
    CHECK(edited.find("const int secret = outside * 2469134 / 2;") != std::string::npos);
    CHECK(author::kernels_in("cut").size() == 4 + 8 + 1 + 4 + 1);
    CHECK(author::read_text("cut/left_out.txt").empty());
    author::write_text("cut/fast.json", "{}");
    fs::remove("solutions/07_fake/fast.cu");
    author::write_cases("solutions/07_fake", "cut");
    CHECK(!fs::exists("cut/fast.json"));
    CHECK(!fs::exists("cut/fast.cu"));
    CHECK_THROWS_WITH(author::write_cases("solutions", "cut"), "solutions: a lab's folder is called NN_name");
}

TEST_CASE_FIXTURE(workbook,
                  "every case is of one part of the cases, and the other parts say that they left it out") {
    author::write_cases("solutions/07_fake", "all");
    const std::vector<fs::path> all = author::kernels_in("all");
    const std::set<std::string> in_every_part = {"solution", "skeleton"};
    std::map<std::string, int> taken, left_out;
    for (int part = 0; part < author::shard::SHARDS; part++) {
        author::write_cases("solutions/07_fake", "cut", {part});
        for (const fs::path& file : author::kernels_in("cut"))
            taken[file.stem()]++;
        for (const std::string& name : author::lines_of(author::read_text("cut/left_out.txt")))
            left_out[name]++;
    }
    CHECK(taken.size() == all.size());
    for (const auto& [name, parts] : taken) {
        CAPTURE(name);
        CHECK(parts == (in_every_part.count(name) ? author::shard::SHARDS : 1));
        CHECK(parts + left_out[name] == author::shard::SHARDS);
    }
    CHECK(author::read_text("cut/left_out.txt").find("solution") == std::string::npos);
}

TEST_CASE("the part that is asked for") {
    const auto asked = [](const char* part, const char* all) {
        setenv("SHARD", part, 1);
        setenv("ALL", all, 1);
        return author::wanted_shard().number;
    };
    CHECK(asked("", "") == 0);
    CHECK(asked("3", "0") == 3);
    CHECK(asked("3", "1") == std::nullopt);
    CHECK_THROWS_WITH(asked("4", ""), "SHARD=4: 0 to 3, or ALL=1 for everything");
    CHECK_THROWS_WITH(asked("two", ""), "SHARD=two: 0 to 3, or ALL=1 for everything");
    unsetenv("SHARD");
    unsetenv("ALL");
}

TEST_CASE_FIXTURE(workbook, "the diagnosis of a wrong kernel") {
    const std::string expected =
        "// Fails: values\n// Two lines\n// of reason.\n// Diagnosed: shifted, ghost-zero\n";
    const auto rate = [] {
        author::ledger book;
        return author::to_text(author::check_lab(book, KEY, "cases/07_fake").diagnosed);
    };
    SUBCASE("is the expected one") {
        kernel("wrong", "w3", expected, spoiled("ghost-zero"));
        CHECK(broken() == "");
        CHECK(rate() == "diagnosed 1 of 1 (100 %), 1 of them from the output alone");
    }
    SUBCASE("is absent") {
        kernel("wrong", "w3", expected, spoiled(""));
        CHECK(broken() == "");
        CHECK(rate() == "diagnosed 0 of 1 (0 %), 0 of them from the output alone");
    }
    SUBCASE("is another one") {
        kernel("wrong", "w3", expected, spoiled("ghost-clamped"));
        CHECK(broken() == "solutions/07_fake/wrong/w3.cu is diagnosed as 'ghost-clamped' in 'values'");
    }
    SUBCASE("is one where there is no name for it") {
        kernel("wrong", "w3", "// Fails: values\n// Diagnosed: nothing\n", spoiled("shifted"));
        CHECK(broken() == "solutions/07_fake/wrong/w3.cu is diagnosed as 'shifted' in 'values'");
    }
    SUBCASE("is not foreseen") {
        kernel("wrong", "w3", "// Fails: values\n", spoiled(""));
        CHECK(broken() ==
              "solutions/07_fake/wrong/w3.cu gives wrong images and says nothing of how they are diagnosed");
    }
    SUBCASE("is foreseen for right images") {
        kernel("wrong", "w3", expected, report(0, 40));
        CHECK(broken() == "solutions/07_fake/wrong/w3.cu expects a diagnosis and gives no wrong image");
    }
    SUBCASE("is foreseen by a judge who asked for one check alone") {
        std::string alone = report(0, 40);
        alone.insert(alone.rfind("}]}"), R"(, "ran": false)");
        kernel("wrong", "w3", expected, alone);
        CHECK(broken() == "");
        CHECK(rate() == "diagnosed 0 of 0 (100 %), 0 of them from the output alone");
    }
    SUBCASE("is foreseen by no known name") {
        kernel("wrong", "w3", "// Fails: values\n// Diagnosed: moved\n", spoiled(""));
        CHECK(broken() == "solutions/07_fake/wrong/w3.cu expects the unknown cause 'moved'");
    }
    CHECK(author::diagnosis_count{10, 7, 7}.rate() >= author::LEAST_DIAGNOSED);
    CHECK(author::diagnosis_count{10, 6, 6}.rate() < author::LEAST_DIAGNOSED);
}

TEST_CASE_FIXTURE(workbook, "a right kernel that loses points, or too few of them") {
    judged("right_r1", report(60, 35));
    CHECK(broken() == "solutions/07_fake/right/r1.cu scores 95/100, loses in 'counts': now 9, right is 4");
    judged("right_r1", report(60, 40));
    kernel("right", "r1", "// It is odd.\n", report(60, 40));
    CHECK(broken() == "solutions/07_fake/right/r1.cu does not open with '// Right: '");
    author::write_text("cases/07_fake/left_out.txt", "right_r1\n");
    CHECK(broken() == "");
    author::write_text("cases/07_fake/left_out.txt", "");
    fs::remove("solutions/07_fake/right/r1.cu");
    author::write_text("solutions/07_fake/right.txt", "[r1]\nright: Halved.\n- 1234567\n+ 2469134 / 2\n");
    judged("right_r1", report(60, 35));
    CHECK(broken() ==
          "solutions/07_fake/right.txt:1: r1 scores 95/100, loses in 'counts': now 9, right is 4");
    author::write_text("solutions/07_fake/right.txt", "[r0]\nright: Halved.\n- 1234567\n+ 2469134 / 2\n");
    CHECK_THROWS_WITH(broken(),
                      "solutions/07_fake/right.txt:1: r0 and solutions/07_fake/right/r0.cu have one name");
    fs::remove("solutions/07_fake/right.txt");
    CHECK(broken() == "07_fake: 2 unusual but right kernels, at least 3 are asked for");
}

TEST_CASE_FIXTURE(workbook, "a region that nobody misses") {
    judged("without_07.1", report(60, 40));
    CHECK(broken() == "07_fake: the solution without region 07.1 still has full marks");
    author::write_text("cases/07_fake/left_out.txt", "without_07.1\n");
    CHECK(broken() == "");
}

TEST_CASE_FIXTURE(workbook, "what a check needs") {
    const std::string file = "labs/07_fake/steps.json";
    const auto without = [](const std::string& failing) {
        judged("without_07.1",
               R"({"points": 0, "of": 100, "checks": [{"name": "values", "points": 0, "of": 100,)"
               R"("ran": true, "failing": [)" +
                   failing + "]}]}");
    };
    SUBCASE("is not written down") {
        fs::remove(file);
        CHECK(broken() == file + " is missing: make steps");
    }
    SUBCASE("is of another skeleton") {
        author::write_text(file, "{}");
        CHECK(broken() == file + ": its TODOs are not those of the skeleton: make steps");
    }
    SUBCASE("is something else") {
        without("\"tiled\"");
        CHECK(broken() == file + ": not what 'values' says without 07.1: make steps");
        author::write_steps(KEY, "cases/07_fake");
        CHECK(broken() == "");
        CHECK(author::read_text(file).find("\"values\": {\n      \"tiled\": \"07.1\"\n") !=
              std::string::npos);
        without("");
        CHECK(broken() == file + ": not what 'values' says without 07.1: make steps");
        author::write_text(file, author::read_text(file));
        judged("without_07.1",
               R"({"points": 0, "of": 100, "checks": [{"name": "values", "points": 0, "of": 100,)"
               R"("ran": false}]})");
        CHECK(broken() == "");  // of a check that was not run nothing is known
        CHECK_THROWS(author::write_steps(KEY, "cases/07_fake"));
    }
}

TEST_CASE_FIXTURE(workbook, "steps stand in the same order whichever method failed first") {
    solution("// Lab 07 - A title.\n// begin 07.1 Do it.\nint a;\n// end 07.1\n");
    const author::solution solved = author::read_solution("solutions/07_fake/fake.cu");
    author::check_result values;
    values.name = "values";
    const auto steps = [&](const std::vector<std::string>& failing) {
        values.failing = failing;
        author::judgement judged;
        judged.checks = {values};
        return author::steps_of(solved, {{"07.1", judged}});
    };
    CHECK(steps({"tiled", "naive"}) == steps({"naive", "tiled"}));
    CHECK(steps({"tiled", "naive"}).find("\"naive\": \"07.1\",\n      \"tiled\": \"07.1\"") !=
          std::string::npos);
}

TEST_CASE_FIXTURE(workbook, "what a student hears who has come half the way") {
    solution(
        "// Lab 07 - A title.\n// begin 07.1 Do it.\nint a;\n// end 07.1\n// begin 07.2 Do more.\nint b;\n// "
        "end 07.2\n");
    const author::solution solved = author::read_solution("solutions/07_fake/fake.cu");
    author::write_text("labs/07_fake/fake.cu", author::skeleton_of(solved));
    author::write_text("labs/07_fake/steps.json", author::steps_of(solved, {}));
    judged("without_07.2", report(0, 40, "wrong"));
    const std::string page = "| 07.2 | more | done |\n### Hint 1\n### Hint 2\n### Hint 3\n";
    const auto halfway = [](const std::string& first, const std::string& second) {
        judged("upto_07.1",
               R"({"points": 10, "of": 100, "checks": [], "start_with": "07.2 is next\nelement 0: got nan",)"
               R"("todos": [{"id": "07.1", "state": ")" +
                   first + R"("}, {"id": "07.2", "state": ")" + second + R"("}]})");
    };
    author::write_text("handouts/07_fake.md",
                       "| 07.1 | do | `nan`, 10 points<!--! got nan--><!--! 10 points--> |\n" + page);
    halfway("ok", "next");
    CHECK(broken() == "");
    halfway("written", "next");
    CHECK(broken() == "");
    halfway("wrong", "next");
    CHECK(broken() == "07_fake: the solution up to 07.1 has 07.1 wrong");
    halfway("ok", "ok");
    CHECK(broken() == "07_fake: the solution up to 07.1 has 07.2 ok");
    halfway("ok", "next");
    author::write_text("handouts/07_fake.md", "| 07.1 | do | 20 points<!--! 20 points--> |\n" + page);
    CHECK(broken() == "07_fake: the solution up to 07.1 does not say '20 points', as the handout does");
    author::write_text("handouts/07_fake.md",
                       "| 07.1 | do | it is 0<!-- ! got 0 --><!--! got 0--> |\n" + page);
    CHECK(broken() == "07_fake: the solution up to 07.1 does not say 'got 0', as the handout does");
}

TEST_CASE_FIXTURE(workbook, "a handout without a task or a hint") {
    author::write_text("handouts/07_fake.md", "07.1\n### Hint 1\n### Hint 2\n");
    CHECK(broken() == "handouts/07_fake.md has no hint 3");
    author::write_text("handouts/07_fake.md", "### Hint 1\n### Hint 2\n### Hint 3\n");
    CHECK(broken() == "handouts/07_fake.md does not mention 07.1");
}

TEST_CASE_FIXTURE(workbook, "a handout whose table of steps is not that of their times") {
    const std::string tasks = "07.1\n### Hint 1\n### Hint 2\n### Hint 3\n";
    const std::string marked = tasks + "<!-- steps times.csv: make readme -->\nold\n<!-- /steps -->\n";
    author::write_text("handouts/07_fake.md", marked);
    CHECK(broken() == "handouts/07_fake.md: what it shows of recorded times is stale: make readme");
    author::write_text("handouts/07_fake.md", author::handout_with_tables(marked));
    CHECK(broken() == "");
    CHECK(author::handout_with_tables(tasks) == tasks);
}

TEST_CASE_FIXTURE(workbook, "solution text that leaks") {
    SUBCASE("into a header, indented and with another comment") {
        author::write_text("labs/07_fake/fake.h", std::string("int a;\n  ") + SECRET + "  // here\n");
        CHECK(broken() == std::string("labs/07_fake/fake.h:2 shows a line of region 07.1: ") + SECRET);
    }
    SUBCASE("as a comment") {
        author::write_text("labs/07_fake/fake.h", std::string("// ") + SECRET + "\n");
        CHECK(broken() != "");
    }
    SUBCASE("but is given away by the solution itself") {
        solution(std::string("// Lab 07 - A title.\n") + SECRET + "\n// begin 07.1 Do it.\n" + SECRET +
                 "\n// end 07.1\n");
        author::write_text("labs/07_fake/fake.cu",
                           author::skeleton_of(author::read_solution("solutions/07_fake/fake.cu")));
        CHECK(broken() == "");
    }
}

TEST_CASE_FIXTURE(workbook, "the table of labs in README.md") {
    const std::string text =
        author::readme_with_table("a\n<!-- labs: make readme -->\nold\n<!-- /labs -->\nb\n", {KEY});
    CHECK(text.find("| [07_fake](handouts/07_fake.md) | A title | 1 | 1 |\n<!-- /labs -->\nb\n") !=
          std::string::npos);
    CHECK(text.find("old") == std::string::npos);
    CHECK_THROWS(author::readme_with_table("no markers", {KEY}));
}
