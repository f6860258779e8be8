// Benchmark: methods of the lab over sizes and filters, checked before and after they are timed.
#include "bench/bench.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>

#include "bench/map_table.h"
#include "bench/results.h"
#include "bench/sweep.h"
#include "bench/workload.h"
#include "check/method.h"

namespace bench {

using namespace check;

namespace {

// Taps of a serial loop that nobody asked for by name: about half a second.
constexpr double SERIAL_LIMIT = 2e8;

int channels_of(const method_1d&) {
    return 1;
}
int channels_of(const method_2d& m) {
    return m.channels;
}

/// What makes of any problem one that the method takes.
using pose_1d = void (*)(problem_1d&);
using pose_2d = void (*)(problem_2d&);
pose_1d pose_of(const method_1d&) {
    return nullptr;
}
pose_2d pose_of(const method_2d& m) {
    return m.pose;
}

/// One lab's benchmark: methods_1d with problem_1d, or both of two dimensions.
template <class method, class problem>
class benchmark {
public:
    /// The serial loop is left out where it has more taps than `serial_limit`.
    benchmark(const std::vector<const method*>& methods, double serial_limit, const sweep& what,
              const std::string& asked_block, session& run, results_file& file)
        : methods_(methods),
          serial_limit_(serial_limit),
          what_(what),
          asked_block_(asked_block),
          run_(run),
          file_(file) {}

    /// False if a result was wrong or a call failed; what a method refuses is neither.
    bool measure_all() {
        for (const method* m : methods_)
            call_once(*m);
        for (const sweep::series& one : what_.inputs)
            measure_input(one);
        return all_right_;
    }

private:
    /// The first call loads the program and its kernels onto
    /// the device, which is no part of any point's time.
    void call_once(const method& m) {
        workload<problem> small({64, 64}, channels_of(m));
        small.use({3, 3}, RANDOM_KIND, pose_of(m));
        (void)m.run(run_.active(), {}, small.out, small.posed());
    }

    void measure_input(const sweep::series& one) {
        const auto load_of = [](const method& m) { return std::pair(channels_of(m), pose_of(m)); };
        std::map<std::pair<int, void (*)(problem&)>, workload<problem>> loads;
        for (const method* m : methods_)
            loads.try_emplace(load_of(*m), one.input, channels_of(*m));
        for (const size_2d& filter : one.filters) {
            for (const std::string& kind : what_.kinds) {
                for (auto& [how, load] : loads)
                    load.use(filter, kind, how.second);
                for (const method* m : methods_) {
                    measurement point;
                    point.method = m->name;
                    point.input = one.input;
                    point.filter = filter;
                    point.taps = all_taps(loads.at(load_of(*m)).posed());
                    point.filter_kind = kind;
                    point.channels = channels_of(*m);
                    if (m->name == SERIAL && point.taps > serial_limit_) continue;
                    if (!file_.has(point)) measure_point(*m, loads.at(load_of(*m)), point);
                }
            }
        }
    }

    void measure_point(const method& m, workload<problem>& load, measurement& point) {
        point.device = device_of(m.name, run_.active());
        try {
            if (m.name == SERIAL)
                time_serial(m, load, point);
            else
                time_method(m, load, point);
            file_.add(point);
        } catch (const std::invalid_argument& refusal) {  // a method may also take square filters only
            file_.leave_out(point, refusal.what());
        } catch (const std::runtime_error& trouble) {
            file_.leave_out(point, trouble.what());
            all_right_ = false;
        }
    }

    /// Calls to check and for the copies, one for the kernel's time, which is checked as well.
    void time_method(const method& m, workload<problem>& load, measurement& point) {
        call_options once;
        once.timeout_seconds = what_.timing.timeout_seconds;
        once.busy_seconds = what_.timing.timeout_seconds;
        once.pinned = what_.timing.pinned;
        std::vector<double> copies, calls;
        for (int k = 0; k < what_.calls_before; k++) {
            const call_result whole = right_call(m, load, once);
            copies.push_back(whole.copy_ms);
            calls.push_back(whole.call_ms);
        }
        call_options many = what_.timing;
        many.busy_seconds = many.timeout_seconds;
        const call_result timed = right_call(m, load, many);
        if (timed.kernel_ms.empty())
            throw std::runtime_error(
                "launches its kernel outside of timed_launch: there is no time to record");
        copies.push_back(timed.copy_ms);
        point.block = block_of(timed);
        point.kernels = spread_of(timed.kernel_ms);
        point.kernel_ms = point.kernels.median;
        point.copies = spread_of(copies);
        if (!calls.empty()) point.call_ms = percentile(calls, 0.5);
    }

    /// The least of a few runs: whatever disturbs the processor makes a run longer.
    void time_serial(const method& m, workload<problem>& load, measurement& point) {
        constexpr int LEAST_RUNS = 3;
        constexpr double ENOUGH_MS = 1500;
        std::vector<double> runs;
        double all_ms = 0;
        const int most = std::max(LEAST_RUNS, what_.timing.repeats);
        while (int(runs.size()) < LEAST_RUNS || (int(runs.size()) < most && all_ms < ENOUGH_MS)) {
            runs.push_back(right_call(m, load, {}).call_ms);
            all_ms += runs.back();
        }
        point.kernels = spread_of(runs);
        point.kernel_ms = *std::min_element(runs.begin(), runs.end());
        point.call_ms = point.kernel_ms;
        point.copies = {0, 0, 0, runs.size()};
    }

    /// "16x16"; where no <<<>>> told it, the one that was asked for, "" if none was. Throws
    /// std::invalid_argument if the launch had another one.
    std::string block_of(const call_result& called) const {
        const auto& [across, down, deep] = called.block;
        if (across == 0) return asked_block_;
        std::string block = fmt::format("{}x{}", across, down);
        if (deep > 1) block += fmt::format("x{}", deep);
        if (!asked_block_.empty() && block != asked_block_)
            throw std::invalid_argument(fmt::format("launches blocks of {}, not of {}", block, asked_block_));
        return block;
    }

    /// Throws std::invalid_argument if the method refuses the problem, std::runtime_error if it fails.
    call_result right_call(const method& m, workload<problem>& load, const call_options& options) {
        const call_result result = m.run(run_.active(), options, load.out, load.posed());
        if (result.how == call_end::refused) throw std::invalid_argument(result.trouble);
        const std::string trouble = result.returned() ? load.wrong_output() : result.trouble;
        if (!trouble.empty()) throw std::runtime_error(trouble);
        return result;
    }

    const std::vector<const method*>& methods_;
    const double serial_limit_;
    const sweep& what_;
    const std::string& asked_block_;
    session& run_;
    results_file& file_;
    bool all_right_ = true;
};

/// How the times came about, a line for the head of the file.
std::string how_measured(const sweep& what, bool gpu) {
    const call_options& timing = what.timing;
    const std::string where =
        gpu ? fmt::format(
                  " after {} that do not count, by CUDA events; before each one the L2 cache is overwritten",
                  timing.warmups)
            : " on the CPU backend";
    return fmt::format(
        "measured: kernel_ms is the median of {} launches{}; copy_ms is the median of the calls; serial: the "
        "least of a few runs; {} outputs compared with the double-precision sum {}",
        timing.repeats, where, workload<problem_2d>::CHECKED_OUTPUTS,
        what.calls_before > 0 ? "before and after" : "after");
}

/// A recording's own lines know more of the machine.
bool says_device(const std::vector<std::string>& comments) {
    return std::any_of(comments.begin(), comments.end(),
                       [](const std::string& one) { return one.starts_with("device: "); });
}

}  // namespace

int run(const options& asked, session& judged) {
    const chosen_methods chosen = choose_methods(asked.methods, asked.serial && !asked.map);
    if (!chosen.unknown.empty()) {
        throw std::invalid_argument(
            fmt::format("--methods={}: the methods of this lab are {}", chosen.unknown, method_names()));
    }
    const bool gpu = judged.active().is_for_gpu(), two_dimensional = methods_1d().empty();
    const sweep what = sweep_for(gpu, two_dimensional, asked);
    const double serial_limit = chosen.by_name ? HUGE_VAL : SERIAL_LIMIT;

    options header = asked;
    if (!says_device(header.comments)) {
        header.comments.push_back("device: " + judged.active().device());
        header.comments.push_back("date: " + asked.date);
    }
    header.comments.push_back(how_measured(what, gpu));
    const size_t methods = chosen.images.size() + chosen.rows.size();
    results_file file(header, judged.lab(), gpu ? "gpu" : "cpu", methods * what.points_of_a_method());
    const bool all_right =
        two_dimensional
            ? benchmark<method_2d, problem_2d>(chosen.images, serial_limit, what, asked.block, judged, file)
                  .measure_all()
            : benchmark<method_1d, problem_1d>(chosen.rows, serial_limit, what, asked.block, judged, file)
                  .measure_all();
    file.finish();
    const bool all_tables = !asked.map || !asked.tables || write_map_tables(asked, judged);
    return all_right && all_tables ? 0 : 1;
}

}  // namespace bench
