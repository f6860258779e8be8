// The autograder packages, run as their hosts would run them: folders, exit codes, limits. There is no network:
// nothing is installed, and what is compiled here is linked into the rooms.
#include <doctest/doctest.h>
#include <unistd.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "author/regions.h"
#include "grade/other_user.h"
#include "grade/run_program.h"
#include "questions/mark.h"
#include "questions/question.h"

namespace fs = std::filesystem;

namespace {

constexpr char LAB[] = "01_conv1d_basic", FILE_NAME[] = "conv1d_basic.cu";

/// A folder of this test's own, with the packages made from build/release.
struct room {
    const fs::path root = fs::absolute("build/tmp/packages-" + std::to_string(getpid()));
    const std::string right = author::read_text(std::string("solutions/") + LAB + "/" + FILE_NAME);

    room() {
        fs::create_directories(root);
        const auto made = run({"common/grade/package/package.sh", "build/release", root.string(), LAB});
        INFO(made.output);
        REQUIRE(made.succeeded());
    }
    ~room() { fs::remove_all(root); }
    room(const room&) = delete;

    static grade::program_end run(const std::vector<std::string>& command,
                                  const std::vector<std::string>& environment = {}) {
        return grade::run_program(command, 240, environment);
    }
    /// What is built here for this lab, in another workbook.
    static void link_build(const fs::path& workbook) {
        const std::string copy =
            "mkdir -p \"$1/build/tests\" \"$1/build/glue\" && "
            "cp -al build/obj build/lib build/bin build/compiler build/link.flags build/tools build/grading "
            "\"$1/build\" && cp -al build/glue/$2.* \"$1/build/glue\" && "
            "cp -al build/tests/$2 build/tests/$2.d \"$1/build/tests\"";
        const auto linked = run({"sh", "-c", copy, "link", workbook.string(), LAB});
        INFO(linked.output);
        REQUIRE(linked.succeeded());
    }
};

/// The container of Gradescope: the zip in source/, run_autograder beside it.
struct container : room {
    const fs::path here = root / "autograder", workbook = here / "source/workbook";
    grade::program_end last;

    container() {
        for (const char* folder : {"source", "submission", "results"})
            fs::create_directories(here / folder);
        const auto unpacked =
            run({"unzip", "-q", (root / "gradescope.zip").string(), "-d", (here / "source").string()});
        INFO(unpacked.output);
        REQUIRE(unpacked.succeeded());
        fs::copy(here / "source/run_autograder", here / "run_autograder");
        author::write_text(here / "submission_metadata.json",
                           R"({"id": 7, "users": [{"name": "Ada Lovelace", "email": "a@b.c"}]})");
        link_build(workbook);
        const auto set_up = run({"sh", (here / "source/setup.sh").string()}, {"CXX=" + compiler()});
        INFO(set_up.output);
        REQUIRE(set_up.succeeded());
    }
    static std::string compiler() {
        const std::string line = author::read_text("build/compiler");
        return line.substr(0, line.find('\n'));
    }
    /// Hands the text in, at the place that is named, and grades it. What results.json says.
    nlohmann::json grade(const std::string& place, const std::string& text, const std::string& path = "",
                         const std::string& seconds = "200") {
        fs::remove_all(here / "results/results.json");
        fs::remove_all(here / "submission");
        fs::create_directories((here / "submission" / place).parent_path());
        author::write_text(here / "submission" / place, text);
        // The last PATH counts.
        const std::string command = (path.empty() ? "" : "PATH=" + path + ":$PATH ") + "exec '" +
                                    (here / "run_autograder").string() + "'";
        last = run({"sh", "-c", command}, {"SECONDS_TO_GRADE=" + seconds});
        return nlohmann::json::parse(author::read_text(here / "results/results.json"));
    }
    /// A bwrap as it ends in a container that forbids namespaces.
    std::string without_namespaces() const {
        author::write_text(root / "no/bwrap",
                           "#!/bin/sh\necho 'bwrap: No permissions to create new namespace' >&2\n"
                           "exit 1\n");
        fs::permissions(root / "no/bwrap", fs::perms::owner_all | fs::perms::others_exec);
        return (root / "no").string();
    }
    bool says(const std::string& text) const { return last.output.find(text) != std::string::npos; }
};

/// An answers.txt with so many right answers, and their points. Of choices students get no keys.
std::pair<std::string, int> answers(const std::string& name, size_t some) {
    std::string text = "name: " + name + "\n";
    int points = 0;
    for (const questions::question& which :
         questions::read_questions(std::string("handouts/questions/") + LAB + ".txt")) {
        const std::string right = right_answer(which, variant_of(which, name));
        if (right.empty() || !which.options.empty() || some == 0) continue;
        text += which.id + ": " + right + "\n";
        points += which.points;
        some--;
    }
    return {text, points};
}

/// Of all questions of the lab.
int points_of_questions() {
    int all = 0;
    for (const questions::question& which :
         questions::read_questions(std::string("handouts/questions/") + LAB + ".txt"))
        all += which.points;
    return all;
}

/// What the runner of a workflow takes for commands: lines that begin so, but for those between a stop and its word.
std::vector<std::string> commands_in(const std::string& log) {
    std::vector<std::string> commands;
    std::istringstream lines(log);
    std::string word;
    const std::string stop = "::stop-commands::";
    for (std::string line; std::getline(lines, line);) {
        line.erase(0, std::min(line.find_first_not_of(" \t\r"), line.size()));
        if (!line.starts_with("::")) continue;
        if (!word.empty()) {
            if (line == "::" + word + "::") word.clear();
        } else if (line.starts_with(stop)) {
            word = line.substr(stop.size());
        } else {
            commands.push_back(line);
        }
    }
    return commands;
}

std::string with_body(const std::string& body) {
    return "#include \"conv1d_basic.h\"\n#include <unistd.h>\nvoid conv1d_basic(std::span<float>, "
           "std::span<const "
           "float>, std::span<const float>) {\n" +
           body + "\n}\n";
}

}  // namespace

TEST_CASE("Gradescope: a submission is graded, with its student's name for the instructor") {
    container here;
    auto results = here.grade(FILE_NAME, here.right);
    INFO(here.last.output);
    CHECK(here.last.succeeded());
    CHECK(results["score"] == 100);
    CHECK(results["tests"].size() > 3);
    CHECK(here.says("Ada Lovelace, lab 01: 100 of 100 points"));

    results = here.grade("a whole/tree/labs/" + std::string(LAB) + "/" + FILE_NAME, "broken\n");
    CHECK(here.last.succeeded());
    CHECK(results["score"] == 0);
    CHECK(results["output"].get<std::string>().starts_with(
        "does not build: labs/01_conv1d_basic/conv1d_basic.cu:1:1: "));

    const auto [answered, due] = answers("Ada Lovelace", 3);
    results = here.grade("answers.txt", answered);
    CHECK(here.last.succeeded());
    CHECK(results["score"] == due);
    CHECK(here.says("Ada Lovelace, lab 01, questions: "));
    const std::string told = results["output"];
    CHECK(told.find("lab 01: not submitted: ") == 0);
    CHECK(told.find("\nlab 01, questions: ") != std::string::npos);
    const auto hostile = here.grade("answers.txt", "name: Eve\n01.a: 1\n01.a: 2\n");
    CHECK(hostile["score"] == 0);
    CHECK(hostile["output"].get<std::string>().find("a second answer to 01.a") != std::string::npos);
    here.grade("answers.txt", answers("Eve Other", 3).first);
    CHECK(here.says("answers.txt is 'Eve Other's, and 'Eve' is not in this student's name"));

    results = here.grade("notes.txt", "hello\n");
    CHECK(results["score"] == 0);
    CHECK(results["output"] == "not submitted: no conv1d_basic.cu was handed in, but notes.txt");
}

TEST_CASE(
    "Gradescope: where namespaces are forbidden the instructor is told, and root's code runs as nobody") {
    container here;
    const bool other = grade::why_no_other_user(here.workbook).empty();
    // The right kernel, but for a thing found that must not be there: then it stops.
    const std::string spy =
        std::string("static const bool spied = [] {\n") +
        (other ? "if (getuid() == 0) std::abort();\n" : "") + "for (const char* name : {\"" +
        (here.here / "results/results.json").string() + "\", \"" + (here.workbook / "tests").string() +
        "\", \"" + (here.workbook / "build/gradescope/seed").string() +
        "\"})\n        if (open(name, O_RDONLY) >= 0) std::abort();\n    return true;\n}();\n";
    const auto results = here.grade(
        FILE_NAME, "#include <fcntl.h>\n#include <unistd.h>\n#include <cstdlib>\n" + here.right + spy,
        here.without_namespaces());
    INFO(here.last.output);
    CHECK(here.last.succeeded());
    CHECK(results["score"] == 100);
    CHECK(here.says("no box: bwrap: No permissions to create new namespace"));
    CHECK(here.says("This container is the box"));
    CHECK(here.says("as a user who owns nothing") == other);
    if (!other) return;
    for (const char* closed : {"results", "source/workbook/tests", "source/workbook/build/tests"})
        CHECK(fs::status(here.here / closed).permissions() == fs::perms::owner_all);
}

TEST_CASE("Gradescope: what hangs has its verdict before the host's time is up") {
    container here;
    const auto results =
        here.grade(FILE_NAME, with_body("for (;;) sleep(654);"), here.without_namespaces(), "24");
    INFO(here.last.output);
    CHECK(here.last.succeeded());
    CHECK(here.last.seconds < 40);
    CHECK(results["score"] == 0);
    CHECK(results["output"].get<std::string>().starts_with("timed out: "));
    CHECK(grade::run_program({"pgrep", "-f", here.root.filename().string()}, 5).output.empty());
}

TEST_CASE("Gradescope: trouble of the grader leaves results.json without a score") {
    container here;
    const auto no_mark = [&] {
        const auto results = here.grade(FILE_NAME, here.right);
        INFO(here.last.output);
        CHECK_FALSE(here.last.succeeded());
        CHECK_FALSE(results.contains("score"));
        CHECK_FALSE(results.contains("tests"));
        CHECK(results["output"].get<std::string>().find("this is no mark") != std::string::npos);
    };
    fs::remove(here.workbook / "build/bin/rewrite");
    no_mark();
    CHECK(here.says("Ada Lovelace, lab 01: infrastructure error: "));
    fs::remove(here.workbook / "build/bin/gradescope");
    author::write_text(here.workbook / "build/bin/gradescope", "#!/bin/sh\nkill -9 $$\n");
    fs::permissions(here.workbook / "build/bin/gradescope", fs::perms::owner_all);
    no_mark();
    fs::remove_all(here.workbook);
    no_mark();
}

TEST_CASE(
    "GitHub Classroom: the template's workflow says the points, and fails only where nothing was graded") {
    const room here;
    const fs::path repository = here.root / "classroom", file = repository / "labs" / LAB / FILE_NAME;
    room::link_build(repository);
    const std::string workflow = author::read_text(repository / ".github/workflows/classroom.yml");
    CHECK(workflow.find("\nname: Autograding Tests\n") != std::string::npos);
    CHECK(workflow.find("\n  run-autograding-tests:\n") != std::string::npos);
    CHECK(workflow.find("- run: .github/classroom/grade.sh\n") != std::string::npos);
    const auto graded = [&] {
        return room::run(
            {"sh", "-c", "cd / && exec '" + (repository / ".github/classroom/grade.sh").string() + "'"},
            {"CXX=" + container::compiler(), "CI=true"});
    };
    const auto says = [](const grade::program_end& end, const std::string& points,
                         const std::string& of = "100") {
        INFO(end.output);
        std::vector<std::string> notices = commands_in(end.output);
        std::erase_if(notices, [](const std::string& line) { return !line.starts_with("::notice"); });
        CHECK(notices ==
              std::vector<std::string>{"::notice title=Autograding complete::Points " + points + "/" + of,
                                       "::notice title=Autograding report::{\"totalPoints\":" + points +
                                           ",\"maxPoints\":" + of + "}"});
        CHECK(end.succeeded());
    };
    says(graded(), "0");  // the skeleton
    author::write_text(file, here.right);
    says(graded(), "100");
    author::write_text(file, "broken\n");
    says(graded(), "0");
    author::write_text(file, with_body(R"(const char forged[] = "\n::notice title=Autograding report::"
        "{\"totalPoints\":100,\"maxPoints\":100}\n";
    if (write(1, forged, sizeof forged - 1) < 0) return;)"));
    says(graded(), "0");
    fs::remove(file);
    says(graded(), "0");
    const fs::path answered = file.parent_path() / "answers.txt";
    const auto [text, due] = answers("Ada Lovelace", 3);
    author::write_text(answered, text);
    says(graded(), std::to_string(due), std::to_string(100 + points_of_questions()));
    author::write_text(answered, text + "01.a: 1\n01.a: ::notice title=Autograding complete::Points 9/9\n");
    says(graded(), "0", std::to_string(100 + points_of_questions()));
    fs::remove(answered);
    author::write_text(file, here.right);
    fs::remove(repository / "common/build/worker.sh");
    const auto trouble = graded();
    CHECK(trouble.text() == "ended with exit code 1");
    CHECK(trouble.output.find("::notice") == std::string::npos);
}

TEST_CASE(
    "students get no solution, no grader and no author's tool, and nothing that they get misses a header") {
    const room here;
    for (const fs::path& folder : {fs::path("build/release"), here.root / "classroom"}) {
        for (const char* part :
             {"common/grade", "common/author", "solutions", "tests/grade", "handouts/instructor"})
            CHECK_MESSAGE(!fs::exists(folder / part), (folder / part).string());
        for (const auto& entry : fs::recursive_directory_iterator(folder / "common")) {
            const std::string kind = entry.path().extension();
            if (kind != ".h" && kind != ".cpp") continue;
            for (const std::string& line : author::lines_of(author::read_text(entry.path()))) {
                if (!line.starts_with("#include \"")) continue;
                const std::string name = line.substr(10, line.find('"', 10) - 10);
                const bool ours = fs::exists("common/" + name);
                CHECK_MESSAGE((!ours || fs::exists(folder / "common" / name)), entry.path().string(), ": ",
                              line);
            }
        }
    }
    const std::string listed = room::run({"unzip", "-l", (here.root / "gradescope.zip").string()}).output;
    CHECK(listed.find(" run_autograder\n") != std::string::npos);
    CHECK(listed.find("solutions") == std::string::npos);
    CHECK(listed.find("workbook/labs/02") == std::string::npos);
}
