// Students that try to leave their box (students/escapes.cu): nothing succeeds, and the call returns.
#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "call/call_filter.h"
#include "call/landlock.h"
#include "call/sandbox.h"
#include "student_workers.h"

namespace {

/// What one of the ways out printed; in their order in escapes.cu.
std::string printed_by(int escape, const std::string& student = "escapes") {
    const std::vector<float> in = {1, 2, 3};
    std::vector<float> out(in.size());
    check::worker_process worker(student_worker(student));
    const check::call_result result = CALL(worker, {}, scale, out, in, float(escape), rounding::none);
    CHECK(result.trouble == "");
    CHECK(out == in);
    return result.printed;
}

bool has_landlock() {
    return check::why_no_file_ruleset() == nullptr;
}

}  // namespace

TEST_CASE("the terminal is out of reach") {
    CHECK(printed_by(0) == "");
}

TEST_CASE("no file is read but the worker and its libraries" * doctest::skip(!has_landlock())) {
    CHECK(printed_by(1) == "");
}

TEST_CASE("of packages that the system lacks the libraries are read alone" * doctest::skip(!has_landlock())) {
    const char* const before = std::getenv("DEPS");
    const std::string kept = before ? before : "";
    const auto deps = std::filesystem::absolute("build/tmp/confined-deps");
    std::filesystem::create_directories(deps / "lib");
    for (const char* file : {"lib/library", "other"})
        std::ofstream(deps / file) << "x";
    setenv("DEPS", deps.c_str(), 1);
    const check::file_ruleset rules(student_worker("right"));
    before ? setenv("DEPS", kept.c_str(), 1) : unsetenv("DEPS");
    const auto reads = [&](const char* file) { return open((deps / file).c_str(), O_RDONLY) >= 0; };
    CHECK(reads("other"));
    const pid_t child = fork();
    if (child == 0) {
        const bool confined = prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && rules.enforce() == 0;
        _exit(confined && reads("lib/library") && !reads("other") ? 0 : 1);
    }
    int status = -1;
    CHECK(waitpid(child, &status, 0) == child);
    CHECK(status == 0);
    std::filesystem::remove_all(deps);
}

TEST_CASE("no file is written, made, removed or renamed") {
    CHECK(printed_by(2) == "");
}

TEST_CASE("modes, owners, times and sizes of files stay") {
    CHECK(printed_by(3) == "");
}

TEST_CASE("limits and scheduling of others are theirs") {
    CHECK(printed_by(4) == "");
}

TEST_CASE("no descriptor signals another process") {
    CHECK(printed_by(5) == "");
}

TEST_CASE("a worker ends with its judge") {
    CHECK(printed_by(6) == "");
}

TEST_CASE("rings, namespaces, keys and shared memory are refused") {
    CHECK(printed_by(7) == "");
}

TEST_CASE("a worker becomes no other program, not even itself, not even before main()") {
    CHECK(printed_by(8) == "");
    CHECK(printed_by(1, "becomes_another") == "");
}

TEST_CASE("the environment is a short list") {
    setenv("CONFINED_TEST", "a secret of the judge's", 1);
    setenv("SIMT_CONFINED", "of the backend", 1);
    setenv("CUDA_CONFINED", "of a GPU", 1);
    const std::string printed = printed_by(9);
    CHECK(printed.find("CONFINED_TEST") == std::string::npos);
    CHECK(printed.find("CUDA_CONFINED") == std::string::npos);
    CHECK(printed.find("HOME=") == std::string::npos);
    CHECK(printed.find("SIMT_CONFINED=of the backend\n") != std::string::npos);
    CHECK(printed.find("PATH=/usr/bin:/bin\nLANG=C.UTF-8\n") == 0);
}

TEST_CASE("a profiler's variables reach a GPU's worker alone, and only where one is at work") {
    const std::string path = "build/tests/call/as_on_a_gpu";
    std::ofstream(path) << "#!/bin/sh\nenv\n";
    std::filesystem::permissions(path, std::filesystem::perms::owner_all);
    const auto told = [](const std::filesystem::path& program) {
        const std::vector<float> in = {1, 2, 3};
        std::vector<float> out(in.size());
        check::worker_process worker(program);
        return CALL(worker, {}, scale, out, in, 9.0F, rounding::none).printed;
    };
    setenv("CONFINED_TEST", "a profiler's", 1);
    CHECK(told(path).find("CONFINED_TEST") == std::string::npos);
    setenv("PROFILED", "1", 1);
    CHECK(told(path).find("CONFINED_TEST=a profiler's\n") != std::string::npos);
    CHECK(told(student_worker("escapes")).find("CONFINED_TEST") == std::string::npos);
    unsetenv("PROFILED");
}

TEST_CASE("no descriptor of the judge's is open") {
    CHECK(printed_by(10) == "");
}

TEST_CASE("what this machine lacks is named") {
    const std::string missing = check::missing_protection(check::sandbox::cpu_backend);
    const bool complete = has_landlock() && check::why_no_call_filter() == nullptr;
    CHECK(complete == missing.empty());
    CHECK((complete || missing.find("this machine confines the program less than it should: no ") == 0));
}

TEST_CASE("a worker that cannot be started says why") {
    const std::string path = "build/tests/call/no_program";
    std::ofstream(path) << "lab-worker-backend:cpu";
    std::filesystem::permissions(path, std::filesystem::perms::owner_all);
    check::worker_process worker(path);
    CHECK_THROWS_WITH(worker.device(),
                      ("a worker cannot be started: " + path + ": Exec format error").c_str());
}
