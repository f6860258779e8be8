// Rounds of submitting, waiting and collecting.
#include "grade/program/cluster.h"

#include <poll.h>

#include <algorithm>
#include <csignal>
#include <map>
#include <set>
#include <stdexcept>

#include "grade/program/progress.h"
#include "grade/program/slurm.h"
#include "grade/program/work_list.h"
#include "grade/program/workbook.h"
#include "grade/run_program.h"

namespace grade {

namespace fs = std::filesystem;

namespace {

constexpr unsigned MOST_TRIES = 3;

volatile std::sig_atomic_t stopped = 0;

/// While this lives, Ctrl-C, the end of make and of the terminal are noticed and no more.
class stop_signals {
public:
    stop_signals() {
        struct sigaction notice = {};
        notice.sa_handler = [](int) { stopped = 1; };
        for (size_t k = 0; k < COUNT; k++)
            sigaction(SIGNALS[k], &notice, &before_[k]);
    }
    ~stop_signals() {
        for (size_t k = 0; k < COUNT; k++)
            sigaction(SIGNALS[k], &before_[k], nullptr);
    }
    stop_signals(const stop_signals&) = delete;
    stop_signals& operator=(const stop_signals&) = delete;

private:
    static constexpr size_t COUNT = 3;
    static constexpr int SIGNALS[COUNT] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction before_[COUNT] = {};
};

/// The lists of one try: one a task, the files dealt out in turn.
struct deal {
    fs::path folder;
    unsigned number = 0;
    std::map<std::string, size_t> task_of;  // by a file's hash

    std::string name(const std::string& task) const { return std::to_string(number) + "." + task; }
    fs::path lists() const { return folder / name(""); }
    fs::path log_of(const std::string& hash) const {
        return folder / (name(std::to_string(task_of.at(hash))) + ".log");
    }
    void next(const std::vector<job*>& open, size_t tasks) {
        number++;
        task_of.clear();
        std::vector<std::vector<const job*>> hands(tasks);
        for (size_t k = 0; k < open.size(); k++) {
            hands[k % tasks].push_back(open[k]);
            task_of[open[k]->hash] = k % tasks;
        }
        for (size_t task = 0; task < tasks; task++)
            write_work_list(folder / name(std::to_string(task)), hands[task]);
    }
};

/// A name of a file in which sbatch replaces nothing.
std::string without_patterns(const std::string& path) {
    std::string text;
    for (const char c : path)
        text += c == '%' ? "%%" : std::string(1, c);
    return text;
}

/// Two makes of one OUT cannot be, so what has this name belongs to one that was killed.
std::string job_name(const store& results) {
    constexpr size_t DIGITS = 12;
    return "grade-" + sha256(results.folder().string()).substr(0, DIGITS);
}

/// Until every file has a result or no task is left to give one.
void wait_for(const slurm_array& array, const std::vector<job*>& open, const store& results, progress& shown,
              size_t done) {
    // A shared file system and Slurm's controller have others to serve.
    constexpr int LOOK_AT_RESULTS_MS = 1000;
    constexpr unsigned LOOK_AT_QUEUE = 5, SURE = 12, NEARLY_SURE = 6;
    std::set<std::string> wanted;
    for (const job* one : open)
        wanted.insert(one->hash);
    slurm_array::queue queue = array.look();
    for (unsigned k = 1, quiet = 0; quiet < SURE && !queue.held_for_good; k++) {
        const size_t known = results.count_known(wanted);
        shown.reached(done + known, queue.text());
        if (known == wanted.size()) return;
        poll(nullptr, 0, LOOK_AT_RESULTS_MS);
        if (stopped)
            throw std::runtime_error(
                "stopped: what ran on the cluster is cancelled, what was judged is kept; the "
                "same command goes on from there");
        if (quiet == 0 && k % LOOK_AT_QUEUE != 0) continue;
        queue = array.look();
        const bool is_alive = !queue.answered || queue.running + queue.waiting > 0;
        quiet = is_alive ? 0 : quiet + (queue.ending > 0 ? 1 : NEARLY_SURE);
    }
}

std::string text_if_there(const fs::path& file) {
    return fs::exists(file) ? read_whole(file) : "";
}

/// What is known of a file's way through its last task.
std::string why_no_result(const deal& last, const std::string& hash) {
    const std::string trouble = text_if_there(trouble_file(last.lists(), hash));
    if (!trouble.empty()) return trouble;
    const std::string said = last_line(text_if_there(last.log_of(hash)));
    // Lines of progress say nothing of the end.
    const bool has_reason = !said.empty() && !said.starts_with(' ');
    return "no result from the cluster in " + std::to_string(MOST_TRIES) +
           " tries: " + (has_reason ? said : "its task ended without a word (node lost, or killed)");
}

}  // namespace

void run_on_cluster(std::vector<job>& jobs, const store& results, const cluster_wishes& wishes,
                    const std::vector<std::string>& task) {
    std::vector<job*> open = still_open(jobs, results);
    if (open.empty()) return;
    const stop_signals noticed;
    const std::string name = job_name(results);
    cancel_slurm_jobs(name);
    const fs::path folder = results.work() / "slurm";
    fs::remove_all(folder);
    fs::create_directories(folder);

    const size_t all = open.size(), most_tasks = (all + wishes.files_a_task - 1) / wishes.files_a_task;
    progress shown(all);
    deal dealt{folder, 0, {}};
    while (!open.empty() && dealt.number < MOST_TRIES) {
        // What is tried again has a task of its own where there are enough: one file may be the end of them.
        const size_t tasks = std::min(most_tasks, open.size());
        dealt.next(open, tasks);
        std::vector<std::string> options = {
            "--job-name=" + name, "--open-mode=append",
            "--output=" + without_patterns(folder.string()) + "/" + dealt.name("%a") + ".log"};
        options.insert(options.end(), wishes.options.begin(), wishes.options.end());
        std::vector<std::string> script = {"common/grade/slurm.sh", dealt.lists().string()};
        script.insert(script.end(), task.begin(), task.end());
        const slurm_array array(tasks, wishes.tasks_at_once, options, script);
        wait_for(array, open, results, shown, all - open.size());
        open = still_open(jobs, results);
    }
    for (job* one : open) {
        one->result.lab = one->lab;
        one->result.state = "infrastructure_error";
        one->result.message = why_no_result(dealt, one->hash);
    }
    if (open.empty()) fs::remove_all(folder);
}

}  // namespace grade
