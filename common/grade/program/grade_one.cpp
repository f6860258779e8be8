// The way of one file through compiler and judge.
#include "grade/program/grade_one.h"

#include <chrono>
#include <fstream>
#include <stdexcept>

#include "call/plain_text.h"
#include "grade/gpu.h"
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

/// `worker` computes, the inspected one counts; `variables` are for the worker.
report::graded_lab judge(const std::string& lab, const fs::path& folder, worker_kind worker,
                         const grading& how, const std::vector<std::string>& variables = {}) {
    const fs::path report = folder / "report.json";
    std::vector<std::string> command = {fs::absolute("build/tests/" + lab).string(),
                                        "--worker=" + made_worker(folder, worker).string(),
                                        "--inspector=" + made_worker(folder, worker_kind::inspect).string(),
                                        "--json=" + report.string(), "--seed-file=" + how.seed_file.string()};
    if (how.boxes || how.other_user)
        command.push_back("--box=" +
                          fs::absolute(how.boxes ? "build/bin/boxed" : "build/bin/other_user").string());
    command.emplace_back("check");
    std::vector<std::string> environment = {"SIMT_THREADS=" + std::to_string(how.threads), "LC_ALL=C.UTF-8"};
    environment.insert(environment.end(), variables.begin(), variables.end());
    const program_end end = run_program(command, how.judge_seconds, environment);
    using why = program_end::why;
    const bool gave_verdict = end.how == why::exited && end.code <= 1;
    if (gave_verdict || (end.how == why::too_late && fs::exists(report))) {
        report::graded_lab result = report::read_graded(report);
        if (gave_verdict) return result;
        result.state = "timed_out";
        result.message = "its checks did not end within " + std::to_string(int(how.judge_seconds)) + " s";
        return result;
    }
    throw std::runtime_error("the judge " + end.text() + ": " + last_line(end.output));
}

report::graded_lab without_mark(const std::string& lab, const trouble& why) {
    report::graded_lab result;
    result.lab = lab;
    result.state = why.state;
    result.message = why.message;
    return result;
}

/// Alone on its GPU, which has to be as it was before when the judge has ended.
report::graded_lab judge_on_gpu(const std::string& lab, const fs::path& folder, const grading& how) {
    const gpu_lease gpu;
    report::graded_lab result =
        judge(lab, folder, worker_kind::gpu, how, {"CUDA_VISIBLE_DEVICES=" + std::to_string(gpu.number())});
    gpu.require_clean();
    return result;
}

/// The CPU backend's result, unless the GPU's is lower or none.
report::graded_lab lower_of(report::graded_lab here, report::graded_lab there) {
    const bool is_lower = there.state != here.state || there.points < here.points;
    if (!is_lower) return here;
    const std::string why = there.message.empty() ? "fewer points than on the CPU backend" : there.message;
    there.message = "on the GPU: " + why;
    return there;
}

report::graded_lab compile_and_judge(const std::string& lab, const std::string& source,
                                     const fs::path& folder, const grading& how) {
    try {
        const workplace place(folder);
        write_file(place.folder() / "source" / hand_in_name(lab), source);
        trouble why = compile(lab, place.folder(), worker_kind::inspect, how);
        if (!why.state.empty()) return without_mark(lab, why);
        report::graded_lab result = judge(lab, place.folder(), worker_kind::inspect, how);
        if (!how.gpu() || result.points == 0) return result;
        why = compile(lab, place.folder(), worker_kind::gpu, how);
        return lower_of(std::move(result),
                        why.state.empty() ? judge_on_gpu(lab, place.folder(), how) : without_mark(lab, why));
    } catch (const std::exception& error) {
        return without_mark(lab, {"infrastructure_error", check::plain_text(error.what(), false)});
    }
}

}  // namespace

report::graded_lab grade_one(const std::string& lab, const std::string& source, const std::string& key,
                             const grading& how) {
    const auto begin = std::chrono::steady_clock::now();
    report::graded_lab result = compile_and_judge(lab, source, how.folder / key, how);
    result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return result;
}

}  // namespace grade
