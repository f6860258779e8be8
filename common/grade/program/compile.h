// Makes a worker of a student's file, with limits.
#pragma once
#include <filesystem>
#include <string>

#include "grade/program/grade_one.h"

namespace grade {

/// A state and its sentence; no state: all went well.
struct trouble {
    std::string state, message;
};

/// Runs common/build/worker.sh over FOLDER/source/NAME.cu, which gives FOLDER/made/student.inspect. In the
/// box, where the compiler runs, the file has the name that students know, labs/NN_name/NAME.cu.
trouble compile(const std::string& lab, const std::filesystem::path& folder, const grading& how);

}  // namespace grade
