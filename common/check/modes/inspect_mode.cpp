// Inspect: every method of the lab once under the inspector, on a problem small enough to count by hand.
#include <cmath>
#include <cstdio>
#include <fstream>
#include <optional>
#include <stdexcept>

#include "call/plain_text.h"
#include "check/failure_lines.h"
#include "check/method.h"
#include "check/modes/bound.h"
#include "check/modes/check_mode.h"
#include "check/modes/inspect_mode.h"
#include "check/modes/inspect_table.h"
#include "check/modes/pictures.h"
#include "check/verdict_lines.h"
#include "diagnose/diagnose.h"
#include "inspect/report/report_counters.h"
#include "problem/compare.h"
#include "problem/describe.h"
#include "problem/sample.h"

namespace check {

namespace {

constexpr char GPUS[] = "data/gpus.csv";

/// One row for each launch.
class counts_file {
public:
    counts_file(const std::string& path, const std::string& lab) : path_(path), lab_(lab) {
        if (path_.empty()) return;
        file_.open(path_);
        file_ << inspect::counters_header() << '\n';
    }

    void add(const std::string& method, const inspect::report& seen) {
        if (path_.empty()) return;
        for (const inspect::launch& one : seen.launches)
            file_ << inspect::counters_row(lab_ + "/" + method, one) << '\n';
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
    inspection(const inspect_options& options, session& run) : run_(run), counts_(options.csv, run.lab()) {
        // First what can be refused: earlier pictures then stay as they are.
        const std::vector<gpu_facts> gpus = read_gpus(GPUS);
        const std::string here = run.active().is_for_gpu() ? run.active().device() : "";
        gpu_ = wanted_gpu(gpus, options.gpu, here);
        if (!options.reference.empty()) reference_.emplace(options.reference);
        if (!options.pictures.empty()) pictures_.emplace(options.pictures);
        if (!options.registers.empty()) registers_ = read_registers(text_of(options.registers));
    }

    /// True if the result is right and nothing was found.
    template <class method, class problem>
    bool inspect_one(const method& m, const problem& p) {
        std::vector<float> out(shape_of(p).values(), NAN);
        call_options options;
        options.timeout_seconds = options.busy_seconds = 300;
        options.one_of_blocks = one_of_blocks(p);
        options.draw = options.one_of_blocks == 1;
        const call_result result = m.run(run_.inspected(), options, out, p);
        past_.called(p, result.returned());
        counts_.add(m.name, result.seen);
        std::printf("\n%s: %s\n\n%s\n%s", m.name.c_str(), describe(p).c_str(),
                    table(m, p, result.seen).c_str(), table_of_lines(result.seen).c_str());
        std::printf("%s", findings(result.seen).c_str());
        std::printf("%s", text_of_bounds(result.seen, in_two_dimensions(p), gpu_, registers_).c_str());
        if (!result.returned()) {
            std::printf("  The call failed: %s\n", printable(result.trouble).c_str());
            return false;
        }
        const bool right = options.one_of_blocks > 1 ? sample_is_right(result, out, p)
                                                     : result_is_right(m.name, result, out, p);
        const std::string foreign = right ? not_from_kernels(result.seen, shape_of(p)) : "";
        if (!foreign.empty()) std::printf("  The result is right, but %s\n", foreign.c_str());
        return right && foreign.empty() && result.seen.clean();
    }

    /// Verdicts on what the checks ask for.
    void show_expected_counts() {
        std::vector<expected_count> theirs;
        if (reference_) {
            session solution(run_.lab(), reference_path(), reference_path());
            theirs = expected_counts_of(solution);
        }
        const std::string text = table_of_expected_counts(expected_counts_of(run_), theirs);
        if (!text.empty())
            std::printf("\nWhat the checks ask for; of several cases the one that is met worst:\n%s",
                        text.c_str());
    }

private:
    template <class problem>
    bool result_is_right(const std::string& name, const call_result& result, std::span<const float> out,
                         const problem& p) {
        const shape where = shape_of(p);
        const reference truth = convolve_cpu(p);
        const comparison found = compare(out, truth);
        diagnosis cause;
        if (!found.right()) {
            cause = diagnose(out, p, result.seen, name, past_);
            std::printf("  The result is wrong: %s\n", first_wrong(out, truth, found, where).c_str());
            if (!cause.id.empty()) std::printf("  likely: %s\n", cause.text.c_str());
        }
        if (pictures_)
            pictures_->draw(name, in_two_dimensions(p), where, result.seen, out, truth, cause.text);
        return found.right();
    }

    /// Of a problem too large for all of its blocks: says how many ran. There are no pictures of a part.
    template <class problem>
    static bool sample_is_right(const call_result& result, std::span<const float> out, const problem& p) {
        for (const inspect::launch& one : result.seen.launches) {
            if (one.is_sampled())
                std::printf(
                    "  %s: %llu of %llu blocks inspected; counts are scaled to all of them; no pictures\n",
                    one.kernel.c_str(), static_cast<unsigned long long>(one.inspected_blocks),
                    static_cast<unsigned long long>(one.blocks()));
        }
        const std::string wrong = wrong_in_sample(out, p);
        if (!wrong.empty()) std::printf("  The result is wrong: %s\n", wrong.c_str());
        return wrong.empty();
    }

    template <class method, class problem>
    std::string table(const method& m, const problem& p, const inspect::report& yours) {
        call_result solution;
        if (reference_) {
            std::vector<float> out(shape_of(p).values(), NAN);
            call_options options;
            options.timeout_seconds = options.busy_seconds = 300;
            options.one_of_blocks = one_of_blocks(p);
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
            text += "  " + location(one.file, one.line) + one.kind + ": " + printable(one.text) +
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
    past_calls past_;
    counts_file counts_;
    std::optional<solution_worker> reference_;
    std::optional<picture_folder> pictures_;
    gpu_facts gpu_;
    std::vector<kernel_registers> registers_;
};

}  // namespace

int run_inspect(const inspect_options& options, session& run) {
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
    if (options.expected_counts) all.show_expected_counts();
    return all_right ? 0 : 1;
}

}  // namespace check
