// grade - judges a folder of submissions, in the workbook's folder.
//   grade --from=FOLDER --labs=05_conv2d_naive,... --all-labs=... [--out=FOLDER] [--jobs=N]
//   grade --list=FILE [--out=FOLDER] [--jobs=N]       a part of it, as a task of a cluster (work_list.h)
// Ends with 0 if every submission has a mark, 1 if a person must look at one that has none, 2 if it could not
// begin or go on.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <sstream>
#include <stdexcept>
#include <thread>

#include "call/sandbox.h"
#include "grade/box.h"
#include "grade/formats/class_files.h"
#include "grade/formats/question_lab.h"
#include "grade/gpu.h"
#include "grade/program/cluster.h"
#include "grade/program/jobs.h"
#include "grade/program/kept_answers.h"
#include "grade/program/side_by_side.h"
#include "grade/program/store.h"
#include "grade/program/summary.h"
#include "grade/program/work_list.h"
#include "grade/program/workbook.h"
#include "grade/submissions.h"
#include "report/escape.h"

namespace fs = std::filesystem;

namespace {

struct command_line {
    std::string from, list, out = "build/grade", compiler = "g++";
    std::vector<std::string> labs, all_labs;
    unsigned jobs = 0;  // as fits
    unsigned compile_seconds = grade::grading{}.compile_seconds;
    bool unsafe = false, gpu = false;
    std::string cluster, sbatch;
    grade::cluster_wishes wishes;
};

void define(CLI::App& app, command_line& line) {
    app.add_option("--from", line.from, "folder or archive of submissions");
    app.add_option("--labs", line.labs, "NN_name of the labs to judge")->delimiter(',');
    app.add_option("--all-labs", line.all_labs, "NN_name of all labs there are")->delimiter(',');
    app.add_option("--out", line.out, "folder of results");
    app.add_option("--jobs", line.jobs, "files to judge at a time")->check(CLI::Range(1, 1024));
    app.add_option("--compiler", line.compiler, "as in CXX");
    app.add_option("--compile-seconds", line.compile_seconds, "of a processor, for one file");
    app.add_flag("--gpu", line.gpu, "judge on the GPU of this machine, too; NVCC, NVCC_FLAGS: its compiler");
    app.add_flag("--unsafe", line.unsafe, "without a box");
    app.add_option("--list", line.list, "instead of --from: files that a task of a cluster judges");
    app.add_option("--cluster", line.cluster, "let it judge")->check(CLI::IsMember({"slurm"}));
    app.add_option("--chunk", line.wishes.files_a_task, "files of a task of it")
        ->check(CLI::Range(1, 100000));
    app.add_option("--tasks", line.wishes.tasks_at_once, "at most so many at a time")
        ->check(CLI::Range(1, 100000));
    app.add_option("--sbatch", line.sbatch, "options of sbatch, with spaces between");
}

void require_complete(const command_line& line) {
    if (!line.list.empty()) return;
    if (line.from.empty()) throw CLI::RequiredError("--from");
    if (line.labs.empty()) throw CLI::RequiredError("--labs");
}

/// SEED in the environment: a command line is for all to read.
std::string wanted_seed() {
    const char* const given = std::getenv("SEED");
    const std::string seed = given == nullptr ? "" : given;
    const bool is_number = seed.size() < 19 && std::all_of(seed.begin(), seed.end(),
                                                           [](unsigned char c) { return std::isdigit(c); });
    if (!is_number)
        throw std::invalid_argument("SEED=" + seed + ": a number of at most 18 digits is asked for");
    return seed;
}

bool lies_in(const fs::path& inner, const fs::path& outer) {
    const fs::path there = fs::weakly_canonical(inner), here = fs::weakly_canonical(outer);
    return std::mismatch(here.begin(), here.end(), there.begin(), there.end()).first == here.end();
}

void require_places(const command_line& line) {
    if (!fs::exists(line.from))
        throw std::invalid_argument("FROM=" + line.from + ": no such folder or archive");
    if (lies_in(line.out, line.from))
        throw std::invalid_argument("OUT=" + line.out + ": lies in FROM, where submissions are");
}

/// With UNSAFE=1 says what is missing; without it a box has to be possible.
void require_box(bool unsafe) {
    if (unsafe) {
        std::fprintf(
            stderr,
            "UNSAFE=1: NO BOX. Students' files are compiled and run as you: the compiler can read all "
            "your files,\n          and nothing but limits of their processes is between their code and "
            "this machine.\n");
        return;
    }
    const std::string why = grade::why_no_box();
    if (!why.empty()) throw std::runtime_error(why);
}

std::string variable(const char* name) {
    const char* const value = std::getenv(name);
    return value == nullptr ? "" : value;
}

/// What a result's name depends on, too.
grade::grading wanted_grading(const command_line& line) {
    grade::grading how;
    how.compiler = line.compiler;
    how.compile_seconds = line.compile_seconds;
    how.boxes = !line.unsafe;
    if (!line.gpu) return how;
    how.nvcc = variable("NVCC");
    how.nvcc_flags = variable("NVCC_FLAGS");
    if (!how.gpu())
        throw std::invalid_argument("--gpu: NVCC does not name nvcc; make grade BACKEND=gpu does");
    grade::gpu_lease().require_clean();  // says now what else every file would be told
    return how;
}

/// One row a student and lab: those without a file have their result, the others the number of their job.
struct plan {
    struct entry {
        report::graded_lab result;
        bool ambiguous = false;
        size_t job = SIZE_MAX;
    };
    std::vector<entry> entries;
    std::vector<grade::job> jobs;
};

plan make_plan(const std::vector<grade::submission>& submissions, const command_line& line,
               const grade::grading& how, const std::string& seed) {
    plan made;
    std::map<std::string, size_t> job_of;
    grade::result_names names(seed, how);
    for (const grade::submission& one : submissions) {
        for (const grade::hand_in& file : one.labs) {
            if (std::find(line.labs.begin(), line.labs.end(), file.lab) == line.labs.end()) continue;
            plan::entry entry;
            entry.result.student = one.student;
            entry.result.lab = file.lab;
            entry.result.state = "not_submitted";
            entry.result.message = file.missing;
            entry.result.submitted = file.submitted;
            entry.ambiguous = file.ambiguous;
            if (file.missing.empty()) {
                entry.result.source_hash = grade::sha256(file.bytes);
                const std::string hash = names.name(file.lab, entry.result.source_hash);
                const auto [known, is_new] = job_of.emplace(hash, made.jobs.size());
                if (is_new)
                    made.jobs.push_back(
                        {file.lab, file.bytes, hash, report::visible(one.student, false), {}});
                entry.job = known->second;
            }
            made.entries.push_back(std::move(entry));
        }
    }
    return made;
}

std::string why_look(const report::graded_lab& result, bool ambiguous, bool earlier,
                     const std::string& trouble) {
    if (ambiguous) return "ambiguous: " + result.message;
    if (earlier) return "the earlier result counts, for now: " + trouble;
    if (result.state == "forbidden" || result.state == "infrastructure_error")
        return result.state + ": " + result.message;
    return "";
}

std::vector<grade::row> rows_of(const plan& made, const grade::store& results) {
    std::vector<grade::row> rows;
    for (const plan::entry& entry : made.entries) {
        report::graded_lab now = entry.result;
        if (entry.job != SIZE_MAX) {
            now = made.jobs[entry.job].result;
            now.student = entry.result.student;
            now.submitted = entry.result.submitted;
            now.source_hash = entry.result.source_hash;
        }
        const auto [counts, earlier] = results.count(now);
        rows.push_back({counts, why_look(counts, entry.ambiguous, earlier, now.message)});
    }
    return rows;
}

/// Puts the answers beside the code, and for the summary a row of their own behind all of the code's.
std::vector<grade::row> add_answers(std::vector<grade::row>& rows, const grade::class_answers& answers) {
    std::vector<grade::row> told = rows;
    for (grade::row& one : rows) {
        const auto found = answers.find({one.result.student, one.result.lab});
        if (found == answers.end()) continue;
        one.result.answers = found->second;
        told.push_back({grade::question_lab(one.result), found->second.doubt});
    }
    return told;
}

/// Answers that wait for a person, for instructors alone, so not among the formats. Returns a line that says
/// where.
std::string write_kept_answers(const grade::class_answers& answers, const std::vector<std::string>& labs,
                               const fs::path& out) {
    const fs::path page = out / "answers.html", table = out / "answers.csv";
    if (answers.empty()) {
        fs::remove(page);  // of an earlier run
        fs::remove(table);
        return "";
    }
    const auto kept = grade::kept_answers(answers, labs);
    grade::write_whole(page, grade::kept_answers_html(kept, answers));
    grade::write_whole(table, grade::kept_answers_csv(kept));
    return std::to_string(kept.size()) + " answers for a person to read: " + page.string() + ", " +
           table.string() + "\n";
}

/// A task of a cluster: what it has of a machine is its processors, and no more.
int run_list(const command_line& line) {
    require_box(line.unsafe);
    check::hide_this_process();
    const unsigned at_once = std::max(1u, line.jobs);
    grade::judge_work_list(line.list, line.out, wanted_grading(line), at_once);
    return 0;
}

/// By its tasks, each of which judges as many files at a time as it has processors.
void judge_on_cluster(plan& made, const command_line& line, const grade::store& results) {
    constexpr unsigned PROCESSORS = 2;
    const std::string processors = std::to_string(line.jobs > 0 ? line.jobs : PROCESSORS);
    grade::cluster_wishes wishes = line.wishes;
    // A compiler may have 2 GB, and a worker with its judge.
    wishes.options = {"--cpus-per-task=" + processors, "--mem-per-cpu=3G", "--time=60"};
    std::istringstream words(line.sbatch);
    for (std::string word; words >> word;)
        wishes.options.push_back(word);
    std::vector<std::string> task = {"build/bin/grade", "--out=" + results.folder().string(),
                                     "--jobs=" + processors, "--compiler=" + line.compiler,
                                     "--compile-seconds=" + std::to_string(line.compile_seconds)};
    if (line.unsafe) task.emplace_back("--unsafe");
    if (line.gpu) task.emplace_back("--gpu");
    grade::run_on_cluster(made.jobs, results, wishes, task);
}

void judge_here(plan& made, grade::grading how, const command_line& line, const grade::store& results) {
    const unsigned processors = std::max(1u, std::thread::hardware_concurrency());
    const unsigned at_once = line.jobs > 0 ? line.jobs : processors;
    how.threads = std::max(1u, processors / at_once);
    how.folder = results.work();
    how.seed_file = results.seed_file();
    grade::run_jobs(made.jobs, how, results, at_once);
}

int run(const command_line& line) {
    if (!line.list.empty()) return run_list(line);
    require_places(line);
    if (line.cluster.empty() || line.unsafe) require_box(line.unsafe);
    check::hide_this_process();
    grade::store results(line.out);
    const std::string seed = grade::read_whole(results.keep_seed(wanted_seed()));

    const auto submissions =
        grade::find_submissions(line.from, line.all_labs.empty() ? line.labs : line.all_labs);
    if (submissions.empty()) throw std::runtime_error("FROM=" + line.from + ": holds no submission");
    const grade::grading how = wanted_grading(line);
    plan made = make_plan(submissions, line, how, seed);
    std::fprintf(stderr, "%zu submissions, %zu different files to judge\n", submissions.size(),
                 made.jobs.size());
    if (line.cluster.empty())
        judge_here(made, how, line, results);
    else
        judge_on_cluster(made, line, results);

    std::vector<grade::row> rows = rows_of(made, results);
    const grade::class_answers answers = grade::mark_class(submissions, line.labs);
    const std::vector<grade::row> told = add_answers(rows, answers);
    std::vector<report::graded_lab> graded;
    for (const grade::row& one : rows)
        graded.push_back(one.result);
    const fs::path out = line.out;
    grade::write_whole(out / "gradebook.csv", grade::results_csv(graded));
    grade::write_formats(graded, out / "formats");
    const std::string alike = grade::write_side_by_side(submissions, line.labs, out / "similarity");
    const std::string to_read = write_kept_answers(answers, line.labs, out);
    std::printf("%s%s%sgradebook: %s; other forms: %s\n", grade::summary(told).c_str(), alike.c_str(),
                to_read.c_str(), (out / "gradebook.csv").c_str(), (out / "formats").c_str());
    return std::all_of(graded.begin(), graded.end(), report::has_mark) ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
    command_line line;
    CLI::App app("Grades a folder of submissions");
    define(app, line);
    try {
        app.parse(argc, argv);
        require_complete(line);
        return run(line);
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() == 0) return app.exit(error);  // --help
        std::fprintf(stderr, "grade: %s\n", error.what());
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
    }
    return 2;
}
