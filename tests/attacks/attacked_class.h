// A class of honest students and others, graded by the program that grades classes.
#pragma once
#include <doctest/doctest.h>
#include <unistd.h>

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "attack_file.h"
#include "author/regions.h"
#include "grade/box.h"
#include "grade/run_program.h"
#include "report/graded.h"

namespace attacks {

/// Submissions and results of this test's own.
struct attacked_class {
    const fs::path root = fs::absolute("build/tmp/attacked-" + std::to_string(getpid()));

    attacked_class() { fs::create_directories(root / "from"); }
    ~attacked_class() { fs::remove_all(root); }
    attacked_class(const attacked_class&) = delete;

    void hand_in(const std::string& student, const std::string& text, const target& of = usual_lab()) const {
        fs::create_directories(root / "from" / student);
        author::write_text(root / "from" / student / of.file_name, text);
    }
    void hand_in_honest() const {
        // The same file twice would be judged once.
        for (const char* when : {"00", "08", "15", "99"})
            hand_in(std::string(when) + " right", usual_lab().solution + "// " + when + "\n");
        hand_in("07 skeleton", author::read_text(fs::path("labs") / usual_lab().lab / usual_lab().file_name));
    }
    grade::program_end run(const std::vector<std::string>& more = {},
                           const std::string& labs = usual_lab().lab) const {
        // More jobs than processors: some of them sleep until their time is over. A file takes 3 seconds of a processor, by the
        // clock several times as many beside other jobs and tests.
        std::vector<std::string> command = {"build/bin/grade", "--from=" + (root / "from").string(),
                                            "--labs=" + labs,  "--out=" + (root / "out").string(),
                                            "--jobs=4",        "--compile-seconds=15"};
        command.insert(command.end(), more.begin(), more.end());
        const auto students = std::distance(fs::directory_iterator(root / "from"), fs::directory_iterator());
        constexpr double MOST_SECONDS_OF_ONE = 10;  // 2 on a quiet machine with 2 processors
        return grade::run_program(command, MOST_SECONDS_OF_ONE * double(students), {"SEED=11"});
    }
    /// Of each student in the lab that he handed in.
    std::map<std::string, report::graded_lab> verdicts() const {
        std::map<std::string, report::graded_lab> all;
        for (const auto& entry : fs::recursive_directory_iterator(root / "out/students")) {
            if (entry.path().extension() != ".json") continue;
            const report::graded_lab lab = report::read_graded(entry.path());
            if (lab.state != "not_submitted" || !all.contains(lab.student)) all[lab.student] = lab;
        }
        return all;
    }
    /// Where a file of an attack's may lie.
    std::vector<fs::path> places() const {
        return {"/tmp",  "/var/tmp",      "/dev/shm", "/dev/mqueue", ".",
                "build", "build/reports", root,       root / "out",  root / "out/work"};
    }
};

inline void check_honest(std::map<std::string, report::graded_lab>& seen) {
    for (const char* when : {"00", "08", "15", "99"}) {
        const report::graded_lab& right = seen[std::string(when) + " right"];
        CHECK(right.state == "checked");
        CHECK(right.points == 100);
        CHECK(right.message == "");
    }
    CHECK(seen["07 skeleton"].state == "checked");
    CHECK(seen["07 skeleton"].points == 0);
}

inline bool can_box() {
    const std::string why = grade::why_no_box();
    if (!why.empty()) MESSAGE("skipped: " << why);
    return why.empty();
}

}  // namespace attacks
