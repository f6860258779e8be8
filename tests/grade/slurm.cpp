// A class graded on a Slurm of two nodes (slurm.sh): a node and tasks are lost on the way, and the gradebook
// is that of this machine.
#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <future>
#include <iterator>
#include <map>
#include <regex>
#include <string>
#include <thread>

#include "class_folder.h"
#include "grade/program/store.h"
#include "grade/program/work_list.h"
#include "grade/program/workbook.h"

namespace {

using words = std::vector<std::string>;

bool wait_until(double seconds, const std::function<bool()>& holds) {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
    while (!holds()) {
        if (std::chrono::steady_clock::now() > deadline) return false;
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
    return true;
}

/// A class of four, and a Slurm that ends when this does.
class small_cluster : public class_folder {
public:
    small_cluster() {
        script_ = popen(("exec tests/grade/slurm.sh '" + slurm_.string() + "'").c_str(), "w");
        setenv("SLURM_CONF", (slurm_ / "slurm.conf").c_str(), 1);
        for (const char* student : {"a", "b"})
            hand_in(student, right + "// " + student + "\n");
        hand_in("skeleton", author::read_text(std::string("labs/") + LAB + "/" + FILE_NAME));
        hand_in("broken", "this is no C++\n");
    }
    ~small_cluster() {
        if (script_ != nullptr) pclose(script_);
    }
    /// False, with the reason, where there can be none.
    bool runs() const {
        const fs::path skipped = slurm_ / "skipped";
        REQUIRE(wait_until(30, [&] { return fs::exists(slurm_ / "ready") || fs::exists(skipped); }));
        if (fs::exists(skipped)) MESSAGE("skipped: " << author::read_text(skipped));
        return !fs::exists(skipped);
    }
    words on_slurm(const std::string& out, const words& more) const {
        words line = command(out, "1");
        line.emplace_back("--cluster=slurm");
        line.insert(line.end(), more.begin(), more.end());
        return line;
    }
    /// Grades in the background.
    std::future<grade::program_end> begin(words line) const {
        const std::string conf = "SLURM_CONF=" + (slurm_ / "slurm.conf").string();
        return std::async(std::launch::async, [line = std::move(line), conf] {
            return grade::run_program(line, 100, {"SEED=7", conf});
        });
    }
    /// True while a task's processes run on a node, which is later than when squeue calls it running.
    bool has_begun_on(const std::string& name) const {
        for (const auto& entry : fs::directory_iterator(slurm_ / ("spool." + name)))
            if (entry.path().filename().string().starts_with(name + "_")) return true;
        return false;
    }
    void lose_node(const std::string& name) const {
        kill(std::stoi(author::read_text(slurm_ / (name + ".pid"))), SIGKILL);
    }
    std::string log() const { return author::read_text(slurm_ / "slurmctld.log"); }
    size_t results(const std::string& out) const {
        const fs::path folder = root / out / "results";
        return fs::exists(folder) ? size_t(std::distance(fs::directory_iterator(folder), {})) : 0;
    }

private:
    const fs::path slurm_ = root / "slurm";
    FILE* script_ = nullptr;
};

std::string say(const words& command) {
    return grade::run_program(command, 20, {std::string("SLURM_CONF=") + std::getenv("SLURM_CONF")}).output;
}

std::string running_on(const std::string& node) {
    return say({"squeue", "--noheader", "--states=RUNNING", "--nodelist=" + node});
}

/// All that a run wrote, names and texts, but for times.
std::string written(const fs::path& out) {
    static const std::regex times(
        R"re(((seconds|execution_time|time)"?[:=] ?"?)[0-9.e+-]+|,[0-9.]+,([0-9a-f]{64})\n)re");
    std::map<std::string, std::string> files;
    for (const auto& entry : fs::recursive_directory_iterator(out))
        if (entry.is_regular_file())
            files[fs::relative(entry.path(), out)] =
                std::regex_replace(author::read_text(entry.path()), times, "$1 $3\n");
    std::string all;
    for (const auto& [name, text] : files)
        all += "== " + name + "\n" + text;
    return all;
}

void check_same(const std::string& one, const std::string& other) {
    const bool same = one == other;
    CHECK(same);
    if (same) return;
    const size_t place =
        size_t(std::mismatch(one.begin(), one.end(), other.begin(), other.end()).first - one.begin());
    MESSAGE("first difference: " << one.substr(place - std::min<size_t>(place, 200), 400) << "\n---\n"
                                 << other.substr(place - std::min<size_t>(place, 200), 400));
}

}  // namespace

TEST_CASE("a lost node, a killed task and Ctrl-C: the gradebook is that of this machine") {
    const small_cluster here;
    if (!can_box()) return;
    auto local = here.begin(here.command("local"));
    if (!here.runs()) return;
    CHECK(local.get().succeeded());
    const std::string wanted = written(here.root / "local");

    // Ctrl-C when something is there: nothing is left in the queue.
    words line = {"sh", "-c",
                  "\"$@\" & p=$!; until ls " + (here.root / "out/results").string() +
                      "/*.json; do sleep 0.1; done; kill -INT $p; wait $p",
                  "sh"};
    for (const std::string& word : here.on_slurm("out", {"--chunk=1"}))
        line.push_back(word);
    grade::program_end end = here.begin(line).get();
    CAPTURE(end.output);
    CHECK(end.code == 2);
    CHECK(end.output.find("\nstopped: what ran on the cluster is cancelled, what was judged is kept; ") !=
          std::string::npos);
    CHECK(wait_until(10, [] { return say({"squeue", "--noheader"}) == ""; }));
    const size_t kept = here.results("out");
    CHECK(kept >= 1);
    CHECK(kept < 4);

    // It goes on; tasks are killed, and what they had is submitted again.
    auto goes_on = here.begin(here.on_slurm("out", {"--chunk=1"}));
    CHECK(wait_until(20, [] { return running_on("n1") != ""; }));
    CHECK(here.results("out") == kept);
    say({"scancel", "--me"});
    end = goes_on.get();
    CHECK(end.succeeded());
    check_same(written(here.root / "out"), wanted);
    CHECK(fs::is_empty(here.root / "out/work"));

    // A node with all that runs there is gone: Slurm has its task begin again on the other. Meanwhile there is
    // one that cannot be judged: it has no zero, and says why.
    auto loses = here.begin(here.on_slurm("lost", {"--chunk=2"}));
    CHECK(wait_until(20, [&] { return here.has_begun_on("n2"); }));
    here.lose_node("n2");
    auto cannot = here.begin(here.on_slurm("none", {"--sbatch=--chdir=/"}));
    end = loses.get();
    CHECK(end.succeeded());
    CHECK(here.log().find("due to failure of node n2") != std::string::npos);
    check_same(written(here.root / "lost"), wanted);
    CHECK(fs::is_empty(here.root / "lost/work"));
    end = cannot.get();
    CHECK(end.code == 1);
    CHECK(end.output.find("infrastructure_error: no result from the cluster in 3 tries: ") !=
          std::string::npos);
    CHECK(end.output.find("build/bin/grade: not found") != std::string::npos);

    // What Slurm refuses is one line with the remedy.
    end = here.begin(here.on_slurm("refused", {"--sbatch=--partition=nowhere"})).get();
    CHECK(end.code == 2);
    CHECK(end.output.ends_with(
        "\nSlurm refused the array: invalid partition specified: nowhere; choose one with "
        "PARTITION=name (sinfo lists them)\n"));
}

TEST_CASE("two tasks may work through one list, and none through that of another workbook") {
    if (!can_box()) return;
    const class_folder here;
    grade::store results(here.root / "out");  // has the lock, as who submits
    const std::string seed = grade::read_whole(results.keep_seed("7"));
    const std::string name = grade::result_names(seed, grade::grading{}).name(LAB, grade::sha256(here.right));
    const grade::job one = {LAB, here.right, name, "", {}}, other = {LAB, here.right + " ", name, "", {}};
    fs::create_directories(here.root / "lists");
    const fs::path list = here.root / "lists/1", wrong = here.root / "wrong";
    const auto task = [&](const fs::path& file) {
        return grade::run_program(
            {"build/bin/grade", "--list=" + file.string(), "--out=" + (here.root / "out").string()}, 60);
    };
    grade::write_work_list(list, {&one});
    auto second = std::async(std::launch::async, task, list);
    const grade::program_end first = task(list);
    CHECK(first.output == "  1 of 1: " + name.substr(0, 12) + ", lab 01: 100 of 100 points\n");
    CHECK(second.get().output == first.output);
    CHECK(results.count_known({name}) == 1);
    // The list, and the file that it names.
    CHECK(std::distance(fs::directory_iterator(here.root / "lists"), {}) == 2);

    grade::write_work_list(wrong, {&other});
    const grade::program_end refused = task(wrong);
    CHECK(refused.code == 2);
    CHECK(refused.output == fs::current_path().string() +
                                ": the workbook or the seed here is another than when this was submitted\n");
}

TEST_CASE("without sbatch one line says what to do") {
    const class_folder here;
    here.hand_in("a", "this is no C++\n");
    const fs::path programs = here.root / "programs";
    fs::create_directories(programs);
    fs::create_symlink("/usr/bin/sha256sum", programs / "sha256sum");
    words line = {"env", "PATH=" + programs.string()};
    for (const std::string& word : here.command())
        line.push_back(word);
    line.emplace_back("--cluster=slurm");
    const grade::program_end end = grade::run_program(line, 20);
    CHECK(end.code == 2);
    CHECK(
        end.output.ends_with("\nCLUSTER=slurm: there is no sbatch here; log in where jobs are submitted, or "
                             "leave out CLUSTER= to grade on this machine\n"));
}
