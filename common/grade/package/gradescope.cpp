// gradescope ROOT SECONDS [COMPILER] - grades the one submission of a container of Gradescope, in the folder of
// a workbook that has the labs to grade and no others.
//   ROOT/submission                 what the student handed in
//   ROOT/submission_metadata.json   who that is
//   ROOT/results/results.json       written once, when all is known and no process of the student's is left
// What is printed is for instructors. Ends with 0 if that file has a mark in it.
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

#include "call/sandbox.h"
#include "grade/box.h"
#include "grade/formats/formats.h"
#include "grade/formats/question_lab.h"
#include "grade/other_user.h"
#include "grade/program/grade_one.h"
#include "grade/program/marked_answers.h"
#include "grade/program/store.h"
#include "grade/program/workbook.h"
#include "grade/submissions.h"
#include "report/escape.h"
#include "report/words.h"

namespace fs = std::filesystem;

namespace {

using clock = std::chrono::steady_clock;

std::vector<std::string> labs_here() {
    std::vector<std::string> labs;
    for (const auto& entry : fs::directory_iterator("labs"))
        labs.push_back(entry.path().filename().string());
    std::sort(labs.begin(), labs.end());
    return labs;
}

/// "Ada Lovelace, Bob": a group has several. A file that is not as Gradescope promises names nobody.
std::string student_of(const fs::path& metadata) {
    std::ifstream file(metadata);
    const auto json = nlohmann::json::parse(file, nullptr, false);
    std::string names;
    if (!json.is_object() || !json.contains("users") || !json["users"].is_array()) return "a student";
    for (const auto& user : json["users"])
        if (user.is_object() && user.contains("name") && user["name"].is_string())
            names += (names.empty() ? "" : ", ") + user["name"].get<std::string>();
    return names.empty() ? "a student" : names;
}

/// With a box, or without one as another user, or as this one: the container is the box then, and an instructor
/// is told what stands between the student's code and the grader.
void choose_walls(grade::grading& how) {
    const std::string no_box = grade::why_no_box();
    how.boxes = no_box.empty();
    if (how.boxes) return;
    const std::string no_user = grade::why_no_other_user(fs::current_path());
    how.other_user = no_user.empty();
    std::printf(
        "%s\nThis container is the box: as with UNSAFE=1 the student's file is compiled and run beside the "
        "grader, %s.\n",
        no_box.c_str(),
        how.other_user ? "as a user who owns nothing" : ("as the same user, for " + no_user).c_str());
}

/// What nobody but the grader reads, where others run as another user.
void close_to_others(const fs::path& root) {
    for (const fs::path& folder :
         {root / "results", root / "submission", fs::path("tests"), fs::path("build/tests"),
          fs::path("common/problem"), fs::path("common/grade")})
        if (fs::exists(folder) && chmod(folder.c_str(), 0700) != 0)
            std::printf("%s stays open to others\n", folder.c_str());
}

/// This lab's share of the time that is left. A compiler may take half of it by the clock, at half a processor.
void set_limits(grade::grading& how, clock::time_point end, size_t labs_left) {
    constexpr double TO_START = 10, LEAST = 5;
    const double left = std::chrono::duration<double>(end - clock::now()).count();
    const double share = std::max(2 * TO_START, left / double(labs_left));
    const double compiler = (share / 2 - TO_START) / 2;
    how.compile_seconds = unsigned(std::clamp(compiler, LEAST, double(grade::grading{}.compile_seconds)));
    how.judge_seconds = share / 2;
}

report::graded_lab grade_lab(const grade::hand_in& file, const grade::grading& how) {
    report::graded_lab result;
    if (file.missing.empty()) {
        result = grade::grade_one(file.lab, file.bytes, file.lab, how);
        result.source_hash = grade::sha256(file.bytes);
    } else {
        result.state = "not_submitted";
        result.message = file.missing;
    }
    result.lab = file.lab;
    return result;
}

/// Of the labs whose questions the student answered, each as a lab of its own.
std::vector<report::graded_lab> grade_answers(const grade::submission& handed_in,
                                              const std::vector<std::string>& labs) {
    std::vector<report::graded_lab> graded;
    for (const auto& [who, answers] : grade::mark_class({handed_in}, labs)) {
        report::graded_lab code;
        code.lab = who.second;
        code.answers = answers;
        graded.push_back(grade::question_lab(code));
        if (!answers.doubt.empty()) std::printf("%s\n", report::visible(answers.doubt, false).c_str());
    }
    return graded;
}

void tell(const std::string& student, const report::graded_lab& lab) {
    std::printf("%s, %s: %s\n", report::visible(student, false).c_str(), grade::title_of(lab).c_str(),
                report::visible(report::sentence_of(lab), false).c_str());
    std::fflush(stdout);
}

int run(const fs::path& root, double seconds, const std::string& compiler) {
    const clock::time_point end =
        clock::now() + std::chrono::duration_cast<clock::duration>(std::chrono::duration<double>(seconds));
    umask(022);
    check::hide_this_process();
    close_to_others(root);
    const fs::path own = fs::absolute("build/gradescope");
    grade::store kept(own);
    grade::grading how;
    how.folder = kept.work();
    how.seed_file = kept.keep_seed("");
    how.compiler = compiler;
    choose_walls(how);

    const std::vector<std::string> labs = labs_here();
    const grade::submission handed_in =
        grade::find_submission(root / "submission", student_of(root / "submission_metadata.json"), labs);
    std::vector<report::graded_lab> graded;
    for (const grade::hand_in& file : handed_in.labs) {
        set_limits(how, end, labs.size() - graded.size());
        graded.push_back(grade_lab(file, how));
        tell(handed_in.student, graded.back());
    }
    for (report::graded_lab& questions : grade_answers(handed_in, labs)) {
        tell(handed_in.student, questions);
        graded.push_back(std::move(questions));
    }
    const std::string results = grade::gradescope_json(graded);
    if (results.empty()) return 1;
    grade::write_whole(root / "results/results.json", results);
    return 0;
}

}  // namespace

int main(int argc, char** argv) try {
    if (argc != 3 && argc != 4) throw std::invalid_argument("usage: gradescope ROOT SECONDS [COMPILER]");
    return run(fs::absolute(argv[1]), std::stod(argv[2]), argc == 4 ? argv[3] : "g++");
} catch (const std::exception& error) {
    std::printf("%s\n", error.what());
    return 2;
}
