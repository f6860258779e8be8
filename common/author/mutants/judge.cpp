// Starts common/build/judge_mutant.sh for one mutant after the other, on all processors.
#include "author/mutants/judge.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <set>
#include <stdexcept>

#include "author/promises.h"
#include "author/regions.h"

extern char** environ;

namespace fs = std::filesystem;

namespace author {
namespace {

using steady = std::chrono::steady_clock;

double seconds_since(steady::time_point begin) {
    return std::chrono::duration<double>(steady::now() - begin).count();
}

double seconds_of(const timeval& time) {
    return double(time.tv_sec) + 1e-6 * double(time.tv_usec);
}

std::string duration(double seconds) {
    const int whole = int(seconds + 0.5);
    return whole < 60 ? std::to_string(whole) + " s" : std::to_string((whole + 30) / 60) + " min";
}

/// A line that is written over itself on a terminal, and now and then where there is none.
class progress_line {
public:
    explicit progress_line(size_t all) : all_(all), terminal_(isatty(STDERR_FILENO)) {}

    void show(size_t done) {
        const double seconds = seconds_since(begin_);
        if (done < all_ && seconds - shown_ < (terminal_ ? 0.2 : 30)) return;
        shown_ = seconds;
        const double left = done ? seconds / double(done) * double(all_ - done) : 0;
        std::fprintf(stderr, "%s  judged %zu of %zu mutants, %s left%s", terminal_ ? "\r" : "", done, all_,
                     duration(left).c_str(), terminal_ && done < all_ ? "   " : "   \n");
        std::fflush(stderr);
    }

private:
    size_t all_;
    bool terminal_;
    steady::time_point begin_ = steady::now();
    double shown_ = 0;
};

/// Runs scripts side by side.
class pool {
public:
    explicit pool(unsigned jobs) : jobs_(std::max(1u, jobs)) {}

    /// Waits for a place if there is none; then `ended` is told which task left it, and how many seconds of a
    /// processor it took.
    template <class function>
    void start(size_t task, std::vector<std::string> words, const fs::path& out, const function& ended) {
        if (running_.size() == jobs_) wait(ended);
        std::vector<char*> arguments;
        for (std::string& word : words)
            arguments.push_back(word.data());
        arguments.push_back(nullptr);
        posix_spawn_file_actions_t files;
        posix_spawn_file_actions_init(&files);
        posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, out.c_str(), O_WRONLY | O_CREAT | O_TRUNC,
                                         0644);
        pid_t child = 0;
        const int trouble = posix_spawn(&child, arguments[0], &files, nullptr, arguments.data(), environ);
        posix_spawn_file_actions_destroy(&files);
        if (trouble) throw std::runtime_error(words[0] + ": cannot be started");
        running_[child] = task;
    }

    template <class function>
    void finish(const function& ended) {
        while (!running_.empty())
            wait(ended);
    }

private:
    template <class function>
    void wait(const function& ended) {
        for (;;) {
            rusage used = {};
            const pid_t child = wait4(-1, nullptr, 0, &used);
            if (child < 0 && errno != EINTR) throw std::runtime_error("a judge was lost");
            const auto found = running_.find(child);
            if (found == running_.end()) continue;
            const size_t task = found->second;
            running_.erase(found);
            return ended(task, seconds_of(used.ru_utime) + seconds_of(used.ru_stime));
        }
    }

    size_t jobs_;
    std::map<pid_t, size_t> running_;
};

const char* const SCRIPT = "common/build/judge_mutant.sh";

/// One mutant that has no verdict yet.
struct task {
    judged_lab* lab;
    verdict_file* file;
    size_t index;  // of the lab's mutants
    std::string key;

    const mutant& what() const { return lab->mutants[index]; }
    fs::path path(const char* ending) const {
        return fs::path("build/mutants") / lab->key / (what().id + ending);
    }
};

/// What the script's word and the judge's report say.
verdict read_verdict(const task& of, double seconds) {
    verdict read{of.key, of.what().id, "failed", "", "", 0, "", seconds};
    const std::string word = fs::exists(of.path(".word")) ? read_text(of.path(".word")) : "";
    if (word == "stillborn\n" || word == "equivalent\n") read.result = word.substr(0, word.size() - 1);
    if (word != "judged\n") return read;
    const judgement seen = read_judgement(of.path(".json"));
    if (!seen.trouble.empty()) return read;
    read.result = "survived";
    std::set<std::string> causes;
    for (const check_result& check : seen.checks) {
        read.wrong_images += check.wrong_images;
        causes.insert(check.diagnosed.begin(), check.diagnosed.end());
        if (check.points == check.of || read.result != "survived") continue;
        read.result = check.how == "judge" ? "failed" : "killed";
        read.check = check.name;
        read.how = check.how;
    }
    for (const std::string& id : causes)
        read.diagnosed += (read.diagnosed.empty() ? "" : " ") + id;
    return read;
}

/// Of a mutant that was judged well nothing stays but what there is to look at.
void tidy(const task& of, const verdict& seen) {
    for (const char* ending : {".word", ".json", ".log", ".cu"}) {
        const bool of_interest =
            seen.result == "survived" ? std::string(ending) == ".cu" : seen.result == "failed";
        if (!of_interest) fs::remove(of.path(ending));
    }
}

/// Two that judge in one tree would take each other's files away: the second waits.
class lock_file {
public:
    explicit lock_file(const fs::path& file) {
        fs::create_directories(file.parent_path());
        descriptor_ = open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
        if (descriptor_ < 0) throw std::runtime_error(file.string() + ": cannot be written");
        if (flock(descriptor_, LOCK_EX | LOCK_NB) == 0) return;
        std::fprintf(stderr, "another make judges mutants here: waiting for it\n");
        while (flock(descriptor_, LOCK_EX) != 0 && errno == EINTR) {
        }
    }
    ~lock_file() { close(descriptor_); }
    lock_file(const lock_file&) = delete;

private:
    int descriptor_;
};

/// What mutants are compared with: a solution's machine code.
void compile_solutions(const std::vector<task>& tasks, unsigned jobs) {
    std::vector<std::string> keys;
    for (const task& one : tasks)
        if (keys.empty() || keys.back() != one.lab->key) keys.push_back(one.lab->key);
    pool running(jobs);
    const auto folder = [](const std::string& key) { return "build/mutants/" + key; };
    const auto ended = [](size_t, double) {};
    for (size_t k = 0; k < keys.size(); k++) {
        fs::create_directories(folder(keys[k]));
        fs::remove(folder(keys[k]) + "/solution.plain.code");
        const std::string file = solution_in("solutions/" + keys[k]).string();
        running.start(k, {SCRIPT, keys[k], file, folder(keys[k])}, folder(keys[k]) + "/solution.word", ended);
    }
    running.finish(ended);
    for (const std::string& key : keys)
        if (!fs::exists(folder(key) + "/solution.plain.code"))
            throw std::runtime_error(key + ": the solution does not compile: " + folder(key) +
                                     "/solution.log");
}

}  // namespace

void judge_mutants(std::vector<judged_lab>& labs, unsigned jobs, bool whole) {
    setenv("WHOLE", whole ? "1" : "0", 1);
    const lock_file lock("build/mutants/lock");
    std::vector<verdict_file> files;
    for (judged_lab& lab : labs)
        files.emplace_back("build/mutants/" + lab.key + "/verdicts.csv");
    std::vector<task> tasks;
    for (size_t k = 0; k < labs.size(); k++) {
        const std::string judge = key_of_judge(labs[k].key) + (whole ? "whole" : "");
        labs[k].verdicts.resize(labs[k].mutants.size());
        for (size_t index = 0; index < labs[k].mutants.size(); index++) {
            const std::string key = key_of(judge, labs[k].mutants[index]);
            if (const verdict* known = files[k].find(key))
                labs[k].verdicts[index] = *known;
            else
                tasks.push_back({&labs[k], &files[k], index, key});
        }
    }
    if (tasks.empty()) return;
    compile_solutions(tasks, jobs);

    progress_line progress(tasks.size());
    size_t done = 0;
    const auto ended = [&](size_t number, double seconds) {
        const task& one = tasks[number];
        const verdict seen = read_verdict(one, seconds);
        one.lab->verdicts[one.index] = seen;
        if (seen.result != "failed") one.file->add(seen);
        tidy(one, seen);
        progress.show(++done);
    };
    pool running(jobs);
    for (size_t number = 0; number < tasks.size(); number++) {
        const task& one = tasks[number];
        write_text(one.path(".cu"), one.what().text);
        running.start(number, {SCRIPT, one.lab->key, one.path(".cu").string()}, one.path(".word"), ended);
    }
    running.finish(ended);
}

}  // namespace author
