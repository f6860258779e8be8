// The way of one file through compiler and judge.
#include "grade/program/grade_one.h"

#include <chrono>
#include <fstream>
#include <stdexcept>

#include "call/plain_text.h"
#include "grade/program/compile.h"
#include "grade/program/workbook.h"
#include "grade/run_program.h"

namespace grade {

namespace fs = std::filesystem;

namespace {

/// A folder of its own for what is made on the way, gone at the end.
class workplace {
public:
    explicit workplace(fs::path folder) : folder_(std::move(folder)) {
        fs::remove_all(folder_);  // of a run that was killed
        fs::create_directories(folder_ / "source");
        fs::create_directories(folder_ / "made");
    }
    ~workplace() {
        std::error_code ignored;
        fs::remove_all(folder_, ignored);
    }
    workplace(const workplace&) = delete;
    workplace& operator=(const workplace&) = delete;
    const fs::path& folder() const { return folder_; }

private:
    fs::path folder_;
};

void write_file(const fs::path& path, const std::string& bytes) {
    std::ofstream file(path, std::ios::binary);
    file << bytes;
    file.close();
    if (!file) throw std::runtime_error(path.string() + ": cannot be written; is the disk full?");
}

graded_lab judge(const std::string& lab, const fs::path& folder, const grading& how) {
    const fs::path report = folder / "report.json";
    std::vector<std::string> command = {fs::absolute("build/tests/" + lab).string(),
                                        "--worker=" + (folder / "made/student.inspect").string(),
                                        "--json=" + report.string(), "--seed-file=" + how.seed_file.string()};
    if (how.boxes || how.other_user)
        command.push_back("--box=" +
                          fs::absolute(how.boxes ? "build/bin/boxed" : "build/bin/other_user").string());
    command.emplace_back("check");
    const program_end end = run_program(command, how.judge_seconds,
                                        {"SIMT_THREADS=" + std::to_string(how.threads), "LC_ALL=C.UTF-8"});
    using why = program_end::why;
    const bool gave_verdict = end.how == why::exited && end.code <= 1;
    if (gave_verdict || (end.how == why::too_late && fs::exists(report))) {
        graded_lab result = read_graded(report);
        if (gave_verdict) return result;
        result.state = "timed_out";
        result.message = "its checks did not end within " + std::to_string(int(how.judge_seconds)) + " s";
        return result;
    }
    throw std::runtime_error("the judge " + end.text() + ": " + last_line(end.output));
}

graded_lab without_mark(const std::string& lab, const trouble& why) {
    graded_lab result;
    result.lab = lab;
    result.state = why.state;
    result.message = why.message;
    return result;
}

graded_lab compile_and_judge(const std::string& lab, const std::string& source, const fs::path& folder,
                             const grading& how) {
    try {
        const workplace place(folder);
        write_file(place.folder() / "source" / hand_in_name(lab), source);
        const trouble why = compile(lab, place.folder(), how);
        return why.state.empty() ? judge(lab, place.folder(), how) : without_mark(lab, why);
    } catch (const std::exception& error) {
        return without_mark(lab, {"infrastructure_error", check::plain_text(error.what(), false)});
    }
}

}  // namespace

graded_lab grade_one(const std::string& lab, const std::string& source, const std::string& key,
                     const grading& how) {
    const auto begin = std::chrono::steady_clock::now();
    graded_lab result = compile_and_judge(lab, source, how.folder / key, how);
    result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return result;
}

}  // namespace grade
