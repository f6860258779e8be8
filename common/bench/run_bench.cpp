// Benchmark: every method of the lab over sizes and filters, checked before and after it is timed; one row of
// a CSV each.
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "check/compare.h"
#include "check/describe.h"
#include "check/method.h"
#include "check/modes.h"

namespace check {

namespace {

constexpr size_t CHECKED_OUTPUTS =
    2000;  // the double-precision truth of every pixel would take longer than the benchmark
constexpr double SERIAL_LIMIT = 1e9;  // taps: about a second of the serial loop

struct size_2d {
    int width, height;
};

/// What is measured. A GPU takes the sizes of the sources (Beukman 512 and 1024, Ichimura 1920x1080, Camerino
/// and van Werkhoven 4096); the CPU backend emulates every thread, so it gets small ones.
struct sweep {
    std::vector<int> lengths, taps;
    std::vector<size_2d> images;
    std::vector<int> filters;
    call_options timing;
};

sweep sweep_for(bool gpu) {
    if (!gpu) return {{1 << 14, 1 << 17}, {3, 9, 33}, {{256, 256}, {512, 512}}, {3, 5, 9}, {0, 3, 120}};
    return {{1 << 16, 1 << 20, 1 << 24},
            {3, 5, 9, 17, 33, 65, 129, 255},
            {{512, 512}, {1024, 1024}, {1920, 1080}, {4096, 4096}},
            {3, 5, 7, 9, 11, 13, 17, 21, 27, 33, 43},
            {3, 20, 120}};
}

/// One measured point; a row of the CSV file.
struct measurement {
    std::string method;
    int width = 0, height = 1, channels = 1, filter_width = 0, filter_height = 1;
    double kernel_ms = 0, copy_ms = 0, call_ms = 0;
    double taps() const { return double(width) * height * channels * filter_width * filter_height; }
    double gflops() const { return kernel_ms > 0 ? 2 * taps() / kernel_ms * 1e-6 : 0; }
};

measurement point_of(const std::string& method, const problem_1d& p) {
    return {.method = method, .width = p.n(), .filter_width = int(p.taps.size())};
}

measurement point_of(const std::string& method, const problem_2d& p) {
    return {.method = method,
            .width = p.in.width,
            .height = p.in.height,
            .channels = p.in.channels,
            .filter_width = p.filter.width,
            .filter_height = p.filter.height};
}

/// The results file: written under another name and renamed when the run is complete.
class results_file {
public:
    results_file(const mode_options& options, session& run)
        : path_(options.csv.empty() ? "bench.csv" : options.csv), run_(run), date_(options.date) {
        std::filesystem::create_directories(std::filesystem::absolute(path_).parent_path());
        file_.open(path_ + ".part");
        for (const std::string& line : options.comments)
            file_ << "# " << line << '\n';
        file_ << "lab,method,backend,device,date,width,height,channels,filter_width,filter_height,kernel_ms,"
                 "copy_ms,"
                 "call_ms,gflops\n";
    }

    void add(const measurement& m, const std::string& device) {
        char numbers[256];
        std::snprintf(numbers, sizeof numbers, "%d,%d,%d,%d,%d,%.6f,%.6f,%.6f,%.3f", m.width, m.height,
                      m.channels, m.filter_width, m.filter_height, m.kernel_ms, m.copy_ms, m.call_ms,
                      m.gflops());
        file_ << run_.lab() << ",\"" << m.method << "\"," << (run_.active().has_gpu() ? "gpu" : "cpu")
              << ",\"" << device << "\"," << date_ << ',' << numbers << '\n';
        std::printf("%-18s %5dx%-5d %2dx%-3d %10.4f ms kernel %10.4f ms copies %9.1f GFLOP/s\n",
                    m.method.c_str(), m.width, m.height, m.filter_width, m.filter_height, m.kernel_ms,
                    m.copy_ms, m.gflops());
        std::fflush(stdout);
    }

    void finish() {
        file_.close();
        if (!file_) throw std::runtime_error(path_ + ": cannot be written; is the disk full?");
        std::filesystem::rename(path_ + ".part", path_);
        std::printf("written: %s\n", path_.c_str());
    }

private:
    std::string path_;
    session& run_;
    std::string date_;
    std::ofstream file_;
};

/// Evenly spread outputs, the first and the last among them.
std::vector<size_t> sample_of(size_t outputs) {
    const size_t count = std::min(outputs, CHECKED_OUTPUTS);
    std::vector<size_t> sample(count);
    for (size_t k = 0; k < count; k++)
        sample[k] = count == 1 ? 0 : k * (outputs - 1) / (count - 1);
    return sample;
}

/// "" if the call returned and every sampled output is right.
template <class problem>
std::string trouble_of(const call_result& result, std::span<const float> out, const problem& p) {
    if (!result.returned()) return result.trouble;
    const std::vector<size_t> sample = sample_of(out.size());
    const reference truth = convolve_cpu(p, sample);
    for (size_t k = 0; k < sample.size(); k++) {
        if (std::abs(double(out[sample[k]]) - truth.value[k]) <= truth.bound[k]) continue;
        return place(sample[k], shape_of(p)) + ": expected " + number(truth.value[k]) + ", got " +
               number(out[sample[k]]);
    }
    return "";
}

/// Three calls: one to check, one for the time of the whole call, one for the kernel's; the last is checked
/// again.
template <class method, class problem>
std::string measure(const method& m, const problem& p, const sweep& what, session& run, measurement& point) {
    std::vector<float> out(shape_of(p).values(), NAN);
    const call_options once{.timeout_seconds = what.timing.timeout_seconds};
    if (std::string trouble = trouble_of(m.run(run.active(), once, out, p), out, p); !trouble.empty())
        return trouble;

    const call_result whole = m.run(run.active(), once, out, p);
    point.copy_ms = whole.copy_ms;
    point.call_ms = whole.call_ms;

    std::fill(out.begin(), out.end(), NAN);
    const call_result timed = m.run(run.active(), what.timing, out, p);
    point.kernel_ms = timed.median_kernel_ms();
    return trouble_of(timed, out, p);
}

/// The serial loop of the sources on this machine's processor, where it does not take too long.
template <class problem>
void measure_serial(const problem& p, results_file& file) {
    measurement point = point_of("serial", p);
    if (point.taps() > SERIAL_LIMIT) return;
    const auto begin = std::chrono::steady_clock::now();
    const std::vector<float> out = convolve_serial(p);
    point.kernel_ms =
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
    point.call_ms = point.kernel_ms;
    if (!out.empty()) file.add(point, "serial loop on the CPU");
}

template <class method, class problem>
bool run_point(const method& m, const problem& p, const sweep& what, session& run, results_file& file) {
    measurement point = point_of(m.name, p);
    const std::string trouble = measure(m, p, what, run, point);
    if (trouble.empty()) {
        file.add(point, run.active().device());
        return true;
    }
    std::printf("%-18s %s: not timed, the result is wrong: %s\n", m.name.c_str(), describe(p).c_str(),
                trouble.c_str());
    return false;
}

bool run_lengths(const sweep& what, session& run, results_file& file) {
    bool all_right = true;
    for (int n : what.lengths) {
        for (int taps : what.taps) {
            const problem_1d p{random_values(n, 42), random_values(taps, 43)};
            measure_serial(p, file);
            for (const method_1d* m : methods_1d())
                all_right = run_point(*m, p, what, run, file) && all_right;
        }
    }
    return all_right;
}

bool run_images(const sweep& what, session& run, results_file& file) {
    bool all_right = true;
    for (const size_2d& size : what.images) {
        for (int taps : what.filters) {
            for (const method_2d* m : methods_2d()) {
                const problem_2d p{noise_image(size.width, size.height, m->channels),
                                   random_filter(taps, taps)};
                if (m == methods_2d().front()) measure_serial(p, file);
                all_right = run_point(*m, p, what, run, file) && all_right;
            }
        }
    }
    return all_right;
}

}  // namespace

int run_bench(const mode_options& options, session& run) {
    results_file file(options, run);
    const sweep what = sweep_for(run.active().has_gpu());
    bool all_right = true;
    if (!methods_1d().empty()) all_right = run_lengths(what, run, file) && all_right;
    if (!methods_2d().empty()) all_right = run_images(what, run, file) && all_right;
    file.finish();
    return all_right ? 0 : 1;
}

}  // namespace check
