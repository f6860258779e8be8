// A class of lab 01 in a folder of its own, and what grading it gives.
#pragma once
#include <doctest/doctest.h>
#include <unistd.h>

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "author/regions.h"
#include "grade/box.h"
#include "grade/run_program.h"
#include "report/graded.h"

namespace fs = std::filesystem;

inline constexpr char LAB[] = "01_conv1d_basic", FILE_NAME[] = "conv1d_basic.cu";

/// Submissions and results of this test's own.
struct class_folder {
    const fs::path root = fs::absolute("build/tmp/graded-" + std::to_string(getpid()));
    const std::string right = author::read_text(std::string("solutions/") + LAB + "/" + FILE_NAME);

    class_folder() { fs::create_directories(root / "from"); }
    ~class_folder() { fs::remove_all(root); }
    class_folder(const class_folder&) = delete;

    void hand_in(const std::string& student, const std::string& text) const {
        fs::create_directories(root / "from" / student);
        author::write_text(root / "from" / student / FILE_NAME, text);
    }
    std::vector<std::string> command(const std::string& out = "out", const std::string& jobs = "2") const {
        return {"build/bin/grade",
                "--from=" + (root / "from").string(),
                std::string("--labs=") + LAB,
                "--out=" + (root / out).string(),
                "--jobs=" + jobs,
                "--compile-seconds=4"};
    }
    grade::program_end run(const std::string& seed = "7") const {
        return grade::run_program(command(), 120, {"SEED=" + seed});
    }
    /// "STATE POINTS" by student.
    std::map<std::string, std::string> verdicts() const {
        std::map<std::string, std::string> all;
        for (const auto& entry : fs::directory_iterator(root / "out/students")) {
            const report::graded_lab lab = report::read_graded(entry.path() / "01.json");
            all[lab.student] = lab.state + " " + std::to_string(int(lab.points));
            messages[lab.student] = lab.message;
        }
        return all;
    }
    mutable std::map<std::string, std::string> messages;
};

/// True if a box can be made; says why not.
inline bool can_box() {
    const std::string why = grade::why_no_box();
    if (!why.empty()) MESSAGE("skipped: " << why);
    return why.empty();
}

/// Processes of this machine whose command line holds the text.
inline std::string processes_with(const std::string& text) {
    return grade::run_program({"pgrep", "-f", "-a", text}, 5).output;
}
