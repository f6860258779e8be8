// Where the workers around the pretended students of tests/common/students are.
#pragma once
#include <cstdlib>
#include <filesystem>
#include <string>

#include "check/worker_process.h"
#include "students/student.h"

/// build/tests/students/NAME.KIND, or the same in $STUDENT_WORKERS; KIND is worker (plain) or inspect.
inline std::filesystem::path student_worker(const std::string& name, const std::string& kind = "worker") {
    const char* elsewhere = std::getenv("STUDENT_WORKERS");
    return std::filesystem::path(elsewhere != nullptr ? elsewhere : "build/tests/students") /
           (name + "." + kind);
}
