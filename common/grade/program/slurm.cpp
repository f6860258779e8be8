// Slurm's commands, and what they say.
#include "grade/program/slurm.h"

#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <sstream>
#include <stdexcept>

#include "call/plain_text.h"
#include "grade/run_program.h"

namespace grade {

namespace {

constexpr double MOST_SECONDS = 120;  // of a controller that is busy; squeue itself gives up before

/// What Slurm's commands and a task's programs may read of our environment: the seed is not among it.
std::vector<std::string> environment() {
    std::vector<std::string> kept;
    for (char** variable = environ; *variable != nullptr; variable++) {
        const std::string text = *variable;
        for (const char* begin : {"HOME=", "LD_LIBRARY_PATH=", "SLURM_CONF=", "SBATCH_"})
            if (text.starts_with(begin)) kept.push_back(text);
    }
    return kept;
}

program_end run_slurm(const std::vector<std::string>& command) {
    return run_program(command, MOST_SECONDS, environment());
}

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);)
        lines.push_back(line);
    return lines;
}

bool has(const std::string& text, const char* words) {
    return text.find(words) != std::string::npos;
}

/// What a person can do about a submission that was refused.
std::string remedy(const std::string& said) {
    struct known {
        const char *words, *remedy;
    };
    static constexpr known REMEDIES[] = {
        {"ontact", "is its controller up? scontrol ping"},
        {"onnect", "is its controller up? scontrol ping"},
        {"onfiguration file", "is this a machine of the cluster? sinfo"},
        {"partition", "choose one with PARTITION=name (sinfo lists them)"},
        {"account", "choose one with ACCOUNT=name"},
        {"array", "fewer tasks: a larger CHUNK="},
        {"ime limit", "ask for less with TIME=minutes"},
        {"emory", "ask for less with MEM= (3G a file judged at a time if not said) or JOBS="},
        {"node configuration", "ask for less with JOBS=, MEM= or another PARTITION="},
    };
    for (const known& one : REMEDIES)
        if (has(said, one.words)) return one.remedy;
    return "PARTITION=, ACCOUNT=, TIME=, MEM= and SBATCH='options' say what to ask for";
}

/// The first line of an error, without the name of who says it.
std::string reason_of(const program_end& end) {
    const std::vector<std::string> lines = lines_of(end.output);
    if (lines.empty()) return "sbatch " + end.text();
    const std::string begin = "sbatch: error: ";
    const std::string line = check::plain_text(lines.front(), false);
    return line.starts_with(begin) ? line.substr(begin.size()) : line;
}

bool is_number(const std::string& text) {
    return !text.empty() &&
           std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isdigit(c); });
}

/// The job's number in what sbatch --parsable says, "12" or "12;cluster"; a site may have more to say.
std::string number_in(const std::string& output) {
    for (const std::string& line : lines_of(output))
        if (const std::string first = line.substr(0, line.find(';')); is_number(first)) return first;
    return "";
}

}  // namespace

slurm_array::slurm_array(size_t tasks, size_t most_at_once, const std::vector<std::string>& options,
                         const std::vector<std::string>& script) {
    std::string numbers = "0-" + std::to_string(tasks - 1);
    if (most_at_once > 0) numbers += "%" + std::to_string(most_at_once);
    std::vector<std::string> command = {"sbatch", "--parsable", "--requeue", "--array=" + numbers};
    command.insert(command.end(), options.begin(), options.end());
    command.insert(command.end(), script.begin(), script.end());
    const program_end end = run_slurm(command);
    if (end.how == program_end::why::not_started)
        throw std::runtime_error(
            "CLUSTER=slurm: there is no sbatch here; log in where jobs are submitted, or "
            "leave out CLUSTER= to grade on this machine");
    id_ = number_in(end.output);
    if (!end.succeeded() || id_.empty())
        throw std::runtime_error("Slurm refused the array: " + reason_of(end) + "; " + remedy(end.output));
}

slurm_array::~slurm_array() {
    try {
        run_slurm({"scancel", "--quiet", id_});
    } catch (const std::exception&) {
        // Its tasks end by themselves: they do no more than what was asked of them.
    }
}

slurm_array::queue slurm_array::look() const {
    const program_end end = run_slurm({"squeue", "--noheader", "--array", "--format=%T %r", "--jobs=" + id_});
    queue seen;
    // Of an array that ended a while ago Slurm knows nothing any more.
    if (!end.succeeded()) {
        seen.answered = has(end.output, "Invalid job id");
        return seen;
    }
    for (const std::string& line : lines_of(end.output)) {
        if (line.starts_with("squeue:")) continue;
        const std::string state = line.substr(0, line.find(' '));
        const std::string reason = line.substr(std::min(line.size(), state.size() + 1));
        if (state == "PENDING" && seen.waiting++ == 0) seen.reason = check::plain_text(reason, false);
        if (state == "COMPLETING") seen.ending++;
        if (state != "PENDING" && state != "COMPLETING") seen.running++;
        if (has(reason, "launch") && has(reason, "held")) seen.held_for_good = true;
    }
    return seen;
}

std::string slurm_array::queue::text() const {
    if (!answered) return "Slurm does not answer";
    std::string text = std::to_string(running) + (running == 1 ? " task runs" : " tasks run");
    if (waiting > 0) text += ", " + std::to_string(waiting) + " wait (" + reason + ")";
    return text;
}

void cancel_slurm_jobs(const std::string& name) {
    run_slurm({"scancel", "--quiet", "--user=" + std::to_string(getuid()), "--name=" + name});
}

}  // namespace grade
