// Where the workers around the pretended students of tests/call/students are.
#pragma once
#include <cstdlib>
#include <filesystem>
#include <string>

#include "call/worker_process.h"
#include "students/student.h"

/// build/tests/call/students/NAME.KIND, or the same in $STUDENT_WORKERS; KIND is worker (plain) or inspect.
inline std::filesystem::path student_worker(const std::string& name, const std::string& kind = "worker") {
    const char* elsewhere = std::getenv("STUDENT_WORKERS");
    return std::filesystem::path(elsewhere != nullptr ? elsewhere : "build/tests/call/students") /
           (name + "." + kind);
}
