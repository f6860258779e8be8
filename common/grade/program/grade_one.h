// One file of a student for one lab: compiled, judged, and what came of it.
#pragma once
#include <filesystem>
#include <string>

#include "report/graded.h"

namespace grade {

/// How all files of a run are graded.
struct grading {
    std::filesystem::path folder;     // for what is made on the way; absolute
    std::filesystem::path seed_file;  // of the judges' inputs; absolute
    std::string compiler = "g++";
    std::string nvcc, nvcc_flags;   // of the GPU that judges, too; no nvcc: the CPU backend alone
    unsigned compile_seconds = 30;  // of a processor; the largest solution takes 6
    unsigned threads = 1;           // that emulate a GPU, of one worker
    bool boxes = true;              // else the student's code runs with all rights of whoever grades,
    bool other_user = false;        // or with those of a user who owns nothing (other_user.h)
    double judge_seconds = 600;     // the longest solution takes 10 s of one processor

    bool gpu() const { return !nvcc.empty(); }
};

/// Compiles and judges `source`, a hand-in file of this lab. With a GPU, what has points on the CPU backend is
/// judged once more with the values that come from there, and the lower result counts. `key` names it and nothing else that is graded
/// at the same time. The student's name and time are not set. Whatever goes wrong on our side is an
/// infrastructure_error; nothing is thrown but that memory is out. No process and no file is left.
report::graded_lab grade_one(const std::string& lab, const std::string& source, const std::string& key,
                             const grading& how);

}  // namespace grade
