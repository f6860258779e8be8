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

/// Kinds of worker, as common/build/worker.sh calls them.
enum class worker_kind { inspect, gpu };

/// Where compile() leaves one.
std::filesystem::path made_worker(const std::filesystem::path& folder, worker_kind kind);

/// Runs common/build/worker.sh over FOLDER/source/NAME.cu, which gives made_worker(). In the
/// box, where the compiler runs, the file has the name that students know, labs/NN_name/NAME.cu.
trouble compile(const std::string& lab, const std::filesystem::path& folder, worker_kind kind,
                const grading& how);

}  // namespace grade
