// Inspect: every method of the lab once under the inspector, on a problem small enough to count by hand.
#include <cmath>
#include <cstdio>
#include <fstream>
#include <stdexcept>

#include "check/compare.h"
#include "check/describe.h"
#include "check/method.h"
#include "check/modes.h"
#include "check/sample.h"
#include "inspect/report_counters.h"

namespace check {

namespace {

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

template <class problem>
std::string wrong_value(std::span<const float> out, const problem& p, uint64_t one_of) {
    if (one_of > 1) return wrong_in_sample(out, p);
    const reference truth = convolve_cpu(p);
    return first_wrong(out, truth, compare(out, truth), shape_of(p));
}

template <class method, class problem>
bool inspect_one(const method& m, const problem& p, session& run, counts_file& counts) {
    std::vector<float> out(shape_of(p).values(), NAN);
    const uint64_t one_of = one_of_blocks(p);
    const call_result result =
        m.run(run.inspected(), {.timeout_seconds = 300, .one_of_blocks = one_of}, out, p);
    counts.add(m.name, result.seen);
    const std::string wrong = result.returned() ? wrong_value(out, p, one_of) : result.trouble;
    std::printf("\n%s: %s\n%s\n", m.name.c_str(), describe(p).c_str(), inspect::to_text(result.seen).c_str());
    if (!wrong.empty()) std::printf("The result is wrong: %s\n", wrong.c_str());
    return wrong.empty() && result.seen.clean();
}

}  // namespace

int run_inspect(const mode_options& options, session& run) {
    const int width = options.width, height = options.height, taps = 2 * options.radius + 1;
    counts_file counts(options.csv, run.lab());
    bool all_right = true;
    for (const method_1d* m : methods_1d()) {
        const problem_1d p{random_values(width, 42), random_values(taps, 43)};
        all_right = inspect_one(*m, p, run, counts) && all_right;
    }
    for (const method_2d* m : methods_2d()) {
        const problem_2d p{noise_image(width, height, m->channels), random_filter(taps, taps)};
        all_right = inspect_one(*m, p, run, counts) && all_right;
    }
    return all_right ? 0 : 1;
}

}  // namespace check
