// Inspect: every method of the lab once under the inspector, on a problem small enough to count by hand.
#include <cmath>
#include <cstdio>
#include <fstream>
#include <optional>
#include <stdexcept>

#include "check/bound.h"
#include "check/compare.h"
#include "check/describe.h"
#include "check/diagnose.h"
#include "check/inspect_table.h"
#include "check/method.h"
#include "check/modes.h"
#include "check/outcome_text.h"
#include "check/pictures.h"

namespace check {

namespace {

constexpr char GPUS[] = "data/gpus.csv";

/// One row for each launch, its counts under the names that Nsight Compute's counters have in counters.sh.
class counts_file {
public:
    counts_file(const std::string& path, const std::string& lab) : path_(path), lab_(lab) {
        if (path_.empty()) return;
        file_.open(path_);
        file_
            << "lab,method,kernel,global_load_requests,global_load_sectors,global_store_requests,global_"
               "store_sectors,"
               "shared_load_requests,shared_load_wavefronts,shared_store_requests,shared_store_wavefronts\n";
    }

    void add(const std::string& method, const inspect::report& seen) {
        if (path_.empty()) return;
        for (const inspect::launch& one : seen.launches) {
            const inspect::memory_traffic &global = one.total.global, &shared = one.total.shared;
            file_ << lab_ << ',' << method << ",\"" << one.kernel << "\"," << global.loads.requests << ','
                  << global.loads.sectors << ',' << global.stores.requests << ',' << global.stores.sectors
                  << ',' << shared.loads.requests << ',' << shared.loads.wavefronts << ','
                  << shared.stores.requests << ',' << shared.stores.wavefronts << '\n';
        }
        if (!file_.flush()) throw std::runtime_error(path_ + ": cannot be written");
    }

private:
    std::string path_, lab_;
    std::ofstream file_;
};

const problem_2d& in_two_dimensions(const problem_2d& problem) {
    return problem;
}

problem_2d in_two_dimensions(const problem_1d& problem) {
    return as_row(problem);
}

/// One inspection: your worker, the reference's if there is one, and where results go.
class inspection {
public:
    inspection(const mode_options& options, session& run) : run_(run), counts_(options.csv, run.lab()) {
        // First what can be refused: earlier pictures then stay as they are.
        const std::vector<gpu_facts> gpus = read_gpus(GPUS);
        const std::string here = run.active().has_gpu() ? run.active().device() : "";
        gpu_ = wanted_gpu(gpus, options.gpu, here);
        if (!options.reference.empty()) reference_.emplace(options.reference);
        if (!options.pictures.empty()) pictures_.emplace(options.pictures);
        if (!options.registers.empty()) registers_ = read_registers(text_of(options.registers));
    }

    /// True if the result is right and nothing was found.
    template <class method, class problem>
    bool inspect_one(const method& m, const problem& p) {
        const shape where = shape_of(p);
        std::vector<float> out(where.values(), NAN);
        call_options options;
        options.timeout_seconds = 300;
        options.draw = true;
        const call_result result = m.run(run_.inspected(), options, out, p);
        run_.books[&run_.inspected()].called(p, result.returned());
        counts_.add(m.name, result.seen);
        const reference truth = convolve_cpu(p);
        const comparison found = compare(out, truth);
        std::printf("\n%s: %s\n\n%s\n%s", m.name.c_str(), describe(p).c_str(),
                    table(m, p, result.seen).c_str(), table_of_lines(result.seen).c_str());
        std::printf("%s", findings(result.seen).c_str());
        std::printf("%s", text_of_bounds(result.seen, in_two_dimensions(p), gpu_, registers_).c_str());
        if (!result.returned()) std::printf("  The call failed: %s\n", printable(result.trouble).c_str());
        diagnosis cause;
        if (result.returned() && !found.right()) {
            cause = diagnose(out, p, result.seen, m.name, run_.books[&run_.inspected()]);
            std::printf("  The result is wrong: %s\n", first_wrong(out, truth, found, where).c_str());
            if (!cause.id.empty()) std::printf("  likely: %s\n", cause.text.c_str());
        }
        if (pictures_ && result.returned())
            pictures_->draw(m.name, in_two_dimensions(p), where, result.seen, out, truth, cause.text);
        return result.returned() && found.right() && result.seen.clean();
    }

    /// Verdicts on what the checks ask for.
    void show_goals() {
        std::vector<goal> theirs;
        if (reference_) {
            session solution(run_.lab(), reference_path(), reference_path());
            theirs = goals_of(solution);
        }
        const std::string text = table_of_goals(goals_of(run_), theirs);
        if (!text.empty())
            std::printf("\nWhat the checks ask for; of several cases the one that is met worst:\n%s",
                        text.c_str());
    }

private:
    template <class method, class problem>
    std::string table(const method& m, const problem& p, const inspect::report& yours) {
        call_result solution;
        if (reference_) {
            std::vector<float> out(shape_of(p).values(), NAN);
            call_options options;
            options.timeout_seconds = 300;
            solution = m.run(reference_->process, options, out, p);
        }
        return table_of_counts(yours, solution.returned() ? &solution.seen : nullptr, in_two_dimensions(p));
    }

    /// The GPU that was asked for, else the one that is here if its facts are known, else the default.
    static gpu_facts wanted_gpu(const std::vector<gpu_facts>& gpus, const std::string& wanted,
                                const std::string& here) {
        if (!wanted.empty()) return find_gpu(gpus, wanted);
        try {
            return find_gpu(gpus, here);
        } catch (const std::invalid_argument&) {
            return find_gpu(gpus, DEFAULT_GPU);
        }
    }

    static std::string text_of(const std::string& path) {
        std::ifstream file(path);
        return {std::istreambuf_iterator<char>(file), {}};
    }

    /// Every finding, one a line.
    static std::string findings(const inspect::report& seen) {
        std::string text;
        for (const inspect::finding& one : seen.findings) {
            const std::string file = one.file.substr(one.file.rfind('/') + 1);
            const std::string place = one.line > 0 ? file + ":" + std::to_string(one.line) + ": " : "";
            text += "  " + place + one.kind + ": " + printable(one.text) +
                    (one.times > 1 ? " [" + std::to_string(one.times) + " times]" : "") + "\n";
        }
        return text.empty() ? "  no findings\n" : text;
    }

    std::string reference_path() const { return reference_->path; }

    struct solution_worker {
        explicit solution_worker(const std::string& worker) : path(worker), process(worker) {}
        std::string path;
        worker_process process;
    };

    session& run_;
    counts_file counts_;
    std::optional<solution_worker> reference_;
    std::optional<picture_folder> pictures_;
    gpu_facts gpu_;
    std::vector<kernel_registers> registers_;
};

}  // namespace

int run_inspect(const mode_options& options, session& run) {
    const int width = options.width, height = options.height, taps = 2 * options.radius + 1;
    inspection all(options, run);
    bool all_right = true;
    for (const method_1d* m : methods_1d()) {
        const problem_1d p{random_values(width, 42), random_values(taps, 43)};
        all_right = all.inspect_one(*m, p) && all_right;
    }
    for (const method_2d* m : methods_2d()) {
        const problem_2d p{noise_image(width, height, m->channels), random_filter(taps, taps)};
        all_right = all.inspect_one(*m, p) && all_right;
    }
    if (options.goals) all.show_goals();
    return all_right ? 0 : 1;
}

}  // namespace check
