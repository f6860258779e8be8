// Where the workers around the pretended students of tests/call/students are, and lines of those students.
#pragma once
#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "call/worker_process.h"
#include "marks.h"
#include "students/student.h"

/// build/tests/call/students/NAME.KIND, or the same in $STUDENT_WORKERS; KIND is worker (plain) or inspect.
inline std::filesystem::path student_worker(const std::string& name, const std::string& kind = "worker") {
    const char* elsewhere = std::getenv("STUDENT_WORKERS");
    return std::filesystem::path(elsewhere != nullptr ? elsewhere : "build/tests/call/students") /
           (name + "." + kind);
}

/// "FILE:LINE" of the line of tests/call/students/FILE that has the one mark of this name.
inline std::string marked_place(const std::string& file, const std::string& name) {
    const std::vector<mark> found = marks_of(("tests/call/students/" + file).c_str(), name);
    REQUIRE(found.size() == 1);
    return file + ":" + std::to_string(found.front().line);
}
