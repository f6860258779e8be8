// Tests of the TODOs of a student's file: which are written, what waits for them, and what to mend first.
#include "check/steps.h"

#include <doctest/doctest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "check/lab_result_text.h"

namespace fs = std::filesystem;
using namespace check;

namespace {

const char* const LIST = R"({
  "todos": [
    {"id": "07.1", "skeleton": ["return 0;", "}"]},
    {"id": "07.2", "skeleton": ["out[x] = sum;"]},
    {"id": "07.3", "skeleton": ["// TODO"]},
    {"id": "07.4", "skeleton": ["(void)s_tile;", "}"]}
  ],
  "needed": {
    "sizes": {"naive": "07.1 07.2", "tiled": "07.1 07.3 07.4"},
    "tiles": {"tiled": "07.3 07.4"}
  }
})";
const std::string SKELETON = R"(int width() {
    // TODO 07.1 (about 2 lines) Do this
    // and that.
    return 0;  // always: replace this line
}
    // TODO 07.2 (about 1 line) Add.
    out[x] = sum;
    // TODO 07.3 (about 1 line) Load.
    // TODO 07.4 (about 1 line) Wait.
    (void)s_tile;
}
)";

struct folder {
    fs::path path = fs::temp_directory_path() / ("steps-" + std::to_string(getpid()));
    folder() { fs::create_directories(path); }
    ~folder() { fs::remove_all(path); }
    fs::path write(const std::string& name, const std::string& text) const {
        std::ofstream(path / name) << text;
        return path / name;
    }
    steps of(const std::string& students_text) const {
        return steps(write("steps.json", LIST), write("fake.cu", students_text));
    }
};

std::string with(std::string text, const std::string& from, const std::string& to) {
    return text.replace(text.find(from), from.size(), to);  // throws where there is none
}

/// "sizes" and "tiles" have called both methods, or tiled alone; these failed.
lab_result judged(const std::vector<std::string>& sizes, const std::vector<std::string>& tiles,
                  call_end how = call_end::wrong_values) {
    lab_result result;
    for (const char* title : {"[60] sizes", "[40] tiles"}) {
        check_result one = parse_check(title);
        one.ran = true;
        one.methods = one.name == "sizes" ? std::vector<std::string>{"naive", "tiled"}
                                          : std::vector<std::string>{"tiled"};
        for (const std::string& method : one.name == "sizes" ? sizes : tiles) {
            one.failures.push_back({method + ": 3x3", {"pixel of " + method}, how});
            one.failures.back().method = method;
        }
        result.checks.push_back(one);
    }
    result.lab = "07_fake";
    return result;
}

std::string untouched(const steps& all) {
    std::string text;
    for (size_t place = 0; place < all.count(); place++)
        text += all.is_untouched(place) ? "-" : "x";
    return text;
}

const std::string WITHOUT_1 = with(SKELETON, "return 0;", "return 9;");
const std::string WITHOUT_2 = with(WITHOUT_1, "    out[x] = sum;", "    sum = 3;\n    out[x] = sum;");

}  // namespace

TEST_CASE_FIXTURE(folder, "a TODO is untouched while the skeleton's lines stand below it") {
    CHECK(untouched(of(SKELETON)) == "----");
    CHECK(untouched(of(WITHOUT_1)) == "x---");
    CHECK(untouched(of(WITHOUT_2)) == "xx--");
    CHECK(untouched(of(with(SKELETON, "    // TODO 07.4", "    load();\n    // TODO 07.4"))) == "--x-");
    CHECK(untouched(of(with(SKELETON, "(void)s_tile;\n", "(void)s_tile;\n    wait();\n"))) == "---x");
    CHECK(untouched(of(with(SKELETON, "    // TODO 07.2 (about 1 line) Add.\n", ""))) == "-x--");
    // Blanks, comments and empty lines are no code.
    CHECK(untouched(of(with(SKELETON, "    return 0;", "\n    // how?\n  return  0;"))) == "----");
}

TEST_CASE_FIXTURE(folder, "the state of every TODO") {
    const auto states = [&](const std::string& text, const lab_result& result) {
        const steps all = of(text);
        return to_text(states_of(all, result), all);
    };
    CHECK(states(SKELETON, judged({"naive", "tiled"}, {"tiled"})) == "07.1 next, 07.2-07.4 open");
    CHECK(states(WITHOUT_1, judged({"naive", "tiled"}, {"tiled"})) ==
          "07.1 written, 07.2 next, 07.3-07.4 open");
    CHECK(states(WITHOUT_2, judged({"tiled"}, {"tiled"})) == "07.1-07.2 ok, 07.3 next, 07.4 open");
    CHECK(states(WITHOUT_2, judged({"naive", "tiled"}, {"tiled"})) ==
          "one of 07.1-07.2 wrong, 07.3-07.4 open");
    CHECK(states("", judged({}, {})) == "07.1-07.4 ok");
    // What another method of the same check does right is hardly what is wrong, but may be: a factor of 1 hides a lot.
    const std::string tiled_wrong = "07.1 ok so far, 07.2 ok, one of 07.3-07.4 likely wrong";
    CHECK(states("", judged({"tiled"}, {})) == tiled_wrong);
    CHECK(states("", judged({"tiled"}, {"tiled"})) == tiled_wrong);
    CHECK(states("", judged({"naive"}, {})) == "07.1 ok so far, 07.2 likely wrong, 07.3-07.4 ok");
    // What fails later may fail for the first mistake: nothing is known of the rest.
    CHECK(states("", judged({"naive", "tiled"}, {})) == "one of 07.1-07.2 wrong, 07.3-07.4 ok");
    CHECK(states("", judged({"naive", "tiled"}, {"tiled"})) == "one of 07.1-07.4 wrong");
    // Where all that needs it passes it is written, wherever that stands; else the skeleton's lines may have done.
    CHECK(states(SKELETON, judged({"tiled"}, {"tiled"})) == "07.1 next, 07.2 ok, 07.3-07.4 open");
    CHECK(states(SKELETON, judged({}, {})) == "07.1-07.4 ok");
    CHECK(to_text(states_of({}, judged({"naive"}, {})), {}) == "");
    // METHODS=tiled: the TODO of the other method can wait.
    lab_result tiled_alone = judged({"tiled"}, {"tiled"});
    tiled_alone.checks[0].methods = {"tiled"};
    CHECK(states(WITHOUT_1, tiled_alone) == "07.1 written, 07.2 open, 07.3 next, 07.4 open");
}

TEST_CASE_FIXTURE(
    folder, "what does for another method may be right: what only this method needs is suspected, too") {
    const steps all(write("steps.json", R"({
  "todos": [{"id": "07.1", "skeleton": ["1"]}, {"id": "07.2", "skeleton": ["2"]}, {"id": "07.3", "skeleton": ["3"]}],
  "needed": {
    "sizes": {"naive": "07.1 07.2", "tiled": "07.1 07.2"},
    "tiles": {"tiled": "07.1 07.2 07.3"}
  }
})"),
                    write("fake.cu", ""));
    CHECK(to_text(states_of(all, judged({"tiled"}, {"tiled"})), all) == "one of 07.1-07.3 wrong");
    CHECK(to_text(states_of(all, judged({"naive", "tiled"}, {"tiled"})), all) ==
          "one of 07.1-07.2 wrong, 07.3 written");
}

TEST_CASE_FIXTURE(folder, "what its first check passes may be what a later one fails for") {
    const steps all(write("steps.json", with(LIST, "\"07.3 07.4\"}\n", "\"07.1 07.3 07.4\"}\n")),
                    write("fake.cu", ""));
    CHECK(to_text(states_of(all, judged({}, {"tiled"})), all) ==
          "07.1 ok so far, 07.2 ok, one of 07.3-07.4 likely wrong");
}

TEST_CASE_FIXTURE(folder, "those of which one is wrong stand together") {
    const steps all = of("");
    CHECK(to_text({"wrong", "ok", "wrong", "wrong"}, all) == "one of 07.1, 07.3-07.4 wrong, 07.2 ok");
    CHECK(to_text({"ok", "wrong", "next", "open"}, all) == "07.1 ok, 07.2 wrong, 07.3 next, 07.4 open");
    CHECK(to_text({"ok", "wrong", "open", "wrong"}, all) == "07.1 ok, one of 07.2, 07.4 wrong, 07.3 open");
}

TEST_CASE_FIXTURE(folder, "what is being written leads, not what is not begun") {
    const auto first = [&](const std::string& text, const lab_result& result) {
        const first_failure found = first_to_mend(of(text), result);
        return found.check ? found.check->name + " " + found.method + (found.waits ? " waits" : "")
                           : "nothing";
    };
    CHECK(first("", judged({}, {})) == "nothing");
    CHECK(first(WITHOUT_2, judged({"tiled", "naive"}, {"tiled"})) == "sizes naive");
    CHECK(first(WITHOUT_2, judged({"tiled"}, {"tiled"})) == "sizes tiled waits");
    CHECK(first("", judged({"tiled", "naive"}, {})) == "sizes naive");  // its last TODO comes first
    // Nothing is known of a method that only an odd file fails.
    CHECK(first("", judged({"odd"}, {"tiled"})) == "tiles tiled");
    CHECK(first(SKELETON, judged({"odd"}, {})) == "sizes odd waits");
}

TEST_CASE_FIXTURE(folder, "one mistake is one message") {
    const lab_result result = judged({"tiled", "naive"}, {"tiled"});
    lab_result_text text(false, true, of(WITHOUT_2));
    CHECK(text.check(result.checks[0]) == "  FAIL    0 of 60   sizes\n");
    CHECK(text.check(result.checks[1]) == "  open    0 of 40   tiles\n");
    CHECK(text.footer(result) ==
          "\nTODO one of 07.1-07.2 wrong, 07.3-07.4 open\n"
          "start with: sizes\n          naive: 3x3\n          pixel of naive\n"
          "\n0 of 100 points\n"
          "stuck: make hint07; what the kernel does: make inspect07; all else: ALL=1\n");
    const lab_result waiting = judged({"tiled"}, {"tiled"});
    CHECK(text.check(waiting.checks[0]) == "  open    0 of 60   sizes\n");
    CHECK(text.footer(waiting).find("\n07.3 is next, for: sizes\n          tiled: 3x3\n") !=
          std::string::npos);
    lab_result explained = waiting;
    failure& first = explained.checks[0].failures[0];
    first.lines = {"pixel of tiled", "likely: nothing runs: is it so?"};
    first.how = call_end::found_errors;
    CHECK(text.footer(explained).find("likely: nothing runs: is it so?\n") != std::string::npos);
    first.how = call_end::wrong_values;  // that nobody has computed yet
    CHECK(text.footer(explained).find("          so far: nothing runs\n") != std::string::npos);
    first.cause = {"shifted", "another", true};  // guessed from them
    CHECK(text.footer(explained).find("so far") == std::string::npos);
    CHECK(text.footer(explained).find("likely") == std::string::npos);
    lab_result_text whole(false, false, of(WITHOUT_2));
    CHECK(whole.check(result.checks[1]) ==
          "  open    0 of 40   tiles\n          tiled: 3x3\n          pixel of tiled\n");
}

TEST_CASE_FIXTURE(folder, "what a check meets aside blames what no check could see yet") {
    const steps all = of(WITHOUT_1);
    const auto judged_aside = [](lab_result result) {
        for (failure& one : result.checks[1].failures)
            one.aside = one.method == "aside";
        return result;
    };
    // All but 07.1 is open, and "tiles" needs nothing of it.
    const lab_result met = judged_aside(judged({"naive", "tiled"}, {"aside"}));
    CHECK(to_text(states_of(all, met), all) == "07.1 wrong, 07.2-07.4 open");
    // What a check asks for leads; then it is of no check.
    const lab_result both = judged_aside(judged({"naive"}, {"aside"}));
    lab_result_text text(false, true, of(""));
    CHECK(text.start_with(both) == "start with: sizes\n          naive: 3x3\n          pixel of naive\n");
    CHECK(text.start_with(judged_aside(judged({}, {"aside"}))) ==
          "start with: a store beside the memory that it is meant for\n"
          "          aside: 3x3\n          pixel of aside\n");
    CHECK(to_text(states_of(of(""), both), of("")) == "07.1 ok so far, 07.2 likely wrong, 07.3-07.4 ok");
}

TEST_CASE_FIXTURE(folder, "of a call that threw what comes behind is not wrong") {
    const steps all = of(WITHOUT_2 + "    return 0;\n");
    CHECK(all.at("fake.cu:1") == 4);  // before the first
    CHECK(all.at("fake.cu:2") == 0);
    CHECK(all.at("fake.cu:4") == 0);
    CHECK(all.at("fake.cu:5") == 4);  // where the function ends
    CHECK(all.at("fake.cu:8") == 1);
    CHECK(all.at("fake.cu:13") == 4);
    CHECK(all.at("other.cu:8") == 4);
    const auto threw = [&](lab_result result, const std::string& place) {
        result.checks[0].failures[0].place = place;
        return to_text(states_of(all, result), all);
    };
    const std::string naive_wrong = "07.1 ok so far, 07.2 likely wrong, 07.3-07.4 ok";
    CHECK(threw(judged({"naive"}, {}), "fake.cu:8") == naive_wrong);
    CHECK(threw(judged({"naive"}, {}), "fake.cu:2") == "07.1 wrong, 07.2 written, 07.3-07.4 ok");
    CHECK(threw(judged({"naive"}, {}), "fake.cu:13") == naive_wrong);
    CHECK(threw(judged({"naive", "naive"}, {}), "fake.cu:8") == naive_wrong);  // not alone
    // Without any TODO line in the file it may be each of them.
    const steps bare = of("int width();\n");
    CHECK(all.knows_places());
    CHECK(!bare.knows_places());
    lab_result result = judged({"tiled"}, {"tiled"});
    result.checks[1].failures[0].place = "fake.cu:1";
    result.checks[1].methods = {"tiled"};
    result.checks[0] = result.checks[1];
    CHECK(to_text(states_of(bare, result), bare) == "one of 07.1-07.4 wrong");
}

TEST_CASE_FIXTURE(folder, "a call that threw in a TODO that is written waits for none behind it") {
    const steps all = of(WITHOUT_1);
    lab_result result = judged({"naive", "naive"}, {"tiled"});
    std::vector<failure>& failures = result.checks[0].failures;
    failures[1].subject = "naive: 1x1";
    failures[1].lines = {"threw: fake.cu:4"};
    const auto told = [&] {
        lab_result_text text(false, true, all);
        return text.check(result.checks[0]) + text.footer(result);
    };
    CHECK(told().starts_with("  open    0 of 60   sizes\n"));
    failures[1].place = "fake.cu:4";
    CHECK(told().find("  FAIL    0 of 60   sizes\n\nTODO 07.1 wrong, 07.2-07.4 open\n"
                      "start with: sizes\n          naive: 1x1\n          threw: fake.cu:4\n") !=
          std::string::npos);
    failures[1].place = "fake.cu:8";  // below a TODO that is not begun
    CHECK(told().starts_with("  open    0 of 60   sizes\n"));
}

TEST_CASE_FIXTURE(folder, "where a count is missed the cause that other values have is told") {
    lab_result result = judged({"naive"}, {"naive"}, call_end::missed_counts);
    result.checks[0].failures[0].lines = {"loads: now 0", "inspector: fake.cu:8: 3 loads"};
    failure& wrong = result.checks[1].failures[0];
    wrong.wrong_image = true;
    const auto told = [&] { return lab_result_text(false, true, of("")).start_with(result); };
    CHECK(told().find("likely") == std::string::npos);
    wrong.cause = {"shifted", "all is shifted", true};
    CHECK(told() ==
          "start with: sizes\n          naive: 3x3\n          loads: now 0\n"
          "          likely: all is shifted (so says another check: tiles)\n"
          "          inspector: fake.cu:8: 3 loads\n");
    result.checks[0].failures[0].wrong_image = true;  // it has values of its own
    CHECK(told().find("likely") == std::string::npos);
}

TEST_CASE_FIXTURE(folder, "of a refusal the TODO is wrong that other checks do without") {
    const steps all = of("");
    lab_result result = judged({}, {"tiled"});
    CHECK(to_text(states_of(all, result), all) == "07.1-07.2 ok, one of 07.3-07.4 wrong");
    const steps refusing(write("steps.json", with(LIST, "07.3 07.4\"}\n", "07.2 07.3 07.4\"}\n")),
                         write("fake.cu", ""));
    CHECK(refusing.own("tiles", "tiled") == std::vector<size_t>{1});
    CHECK(refusing.own("sizes", "naive") == std::vector<size_t>{0, 1});  // it has no other check
    result.checks[1].failures[0].of_refusal = true;
    CHECK(to_text(states_of(refusing, result), refusing) == "07.1 ok, 07.2 wrong, 07.3-07.4 ok");
}

TEST_CASE_FIXTURE(folder, "the judge's own trouble waits for nothing") {
    lab_result_text text(false, true, of(SKELETON));
    CHECK(text.check(judged({"naive"}, {}, call_end::judge_failed).checks[0]).starts_with("  FAIL"));
}

TEST_CASE_FIXTURE(folder, "a list that cannot be read is named") {
    const fs::path student = write("fake.cu", "");
    CHECK_THROWS_WITH((steps{path / "none.json", student}),
                      ((path / "none.json").string() + ": cannot be read").c_str());
    const std::string broken = write("broken.json", "{\"todos\": 3}").string();
    try {
        steps all(broken, student);
        FAIL("it was read");
    } catch (const std::runtime_error& error) {
        CHECK(std::string(error.what()).starts_with(broken + ": "));
    }
}

TEST_CASE(
    "what no check sees by itself may be the mistake that others meet, and a refusal comes behind results") {
    const folder where;
    const fs::path list = where.write("list.json", R"({
  "todos": [
    {"id": "03.1", "skeleton": ["return 0;"]},
    {"id": "03.2", "skeleton": ["// TODO"]},
    {"id": "03.3", "skeleton": ["out[x] = sum;"]}
  ],
  "needed": {
    "limits": {"tiled": "03.1 03.2 03.3"},
    "sizes": {"tiled": "03.2 03.3"}
  }
})");
    const steps all(list, where.write("fake.cu", "int x;\n"));
    lab_result result;
    result.lab = "03_fake";
    for (const char* title : {"[40] limits", "[60] sizes"}) {
        check_result one = parse_check(title);
        one.ran = true;
        one.methods = {"tiled"};
        one.failures.push_back({"tiled: 7", {"wrong"}, call_end::wrong_values});
        one.failures.back().method = "tiled";
        one.failures.back().of_refusal = one.name == "limits";
        result.checks.push_back(one);
    }
    CHECK(to_text(states_of(all, result), all) == "one of 03.1-03.3 wrong");
    result.checks[1].methods = {};
    result.checks[1].failures.clear();
    CHECK(first_to_mend(all, result).check == &result.checks[0]);
    result.checks[1] = result.checks[0];
    result.checks[1].failures.back().of_refusal = false;
    CHECK(first_to_mend(all, result).check == &result.checks[1]);  // it needs the same
    // An earlier call did not end: that one says more.
    result.checks[1].failures.back().how = call_end::not_run;
    CHECK(first_to_mend(all, result).check == &result.checks[0]);
}

TEST_CASE("a TODO in whose lines the inspector finds the first mistake is not ok so far") {
    const folder where;
    const std::string text = R"(
    // TODO 03.1 (about 1 line) Load.
    s_tile[tx] = 1;
    // TODO 03.2 (about 1 line) Add.
    sum += s_tile[0];
)";
    const fs::path list = where.write("list.json", R"({
  "todos": [{"id": "03.1", "skeleton": ["// TODO"]}, {"id": "03.2", "skeleton": ["out[x] = sum;"]}],
  "needed": {"tiles": {"tiled": "03.1"}, "sizes": {"tiled": "03.1 03.2"}}
})");
    const steps all(list, where.write("fake.cu", text));
    lab_result result;
    result.lab = "03_fake";
    for (const char* title : {"[40] tiles", "[60] sizes"}) {
        check_result one = parse_check(title);
        one.ran = true;
        one.methods = {"tiled"};
        result.checks.push_back(one);
    }
    result.checks[1].failures.push_back({"tiled: 7", {"wrong"}, call_end::wrong_values});
    failure& wrong = result.checks[1].failures.back();
    wrong.method = "tiled";
    CHECK(to_text(states_of(all, result), all) == "03.1 ok so far, 03.2 likely wrong");
    wrong.lines.push_back("inspector: fake.cu:3: element 1 is written here, with no barrier between");
    CHECK(to_text(states_of(all, result), all) == "one of 03.1-03.2 wrong");
    wrong.lines.back() =
        "inspector: fake.cu:5: element 1 is read here and written at line 3 by thread (1,0,0)";
    CHECK(to_text(states_of(all, result), all) == "one of 03.1-03.2 wrong");
    wrong.lines.back() = "inspector: fake.cu:3: 20 bytes of device memory (in) are never freed";
    CHECK(to_text(states_of(all, result), all) == "03.1 ok so far, 03.2 likely wrong");
    wrong.lines.back() = "inspector: other.cu:3: element 1";
    CHECK(to_text(states_of(all, result), all) == "03.1 ok so far, 03.2 likely wrong");
    wrong.lines.back() = "inspector: ";
    CHECK(to_text(states_of(all, result), all) == "03.1 ok so far, 03.2 likely wrong");
}
