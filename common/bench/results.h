// The results of a benchmark: one row of a CSV file and one line on the screen for every point.
#pragma once
#include <optional>
#include <string>

#include "bench/csv_file.h"
#include "bench/sweep.h"

namespace check {

/// One measured point.
struct measurement {
    std::string method;
    size_2d input, filter;
    int channels = 1;
    double kernel_ms = 0;
    std::optional<double> copy_ms, call_ms;  // nothing if they were not measured
    std::string device;
    double taps() const {
        return double(input.width) * input.height * channels * filter.width * filter.height;
    }
    double gflops() const { return kernel_ms > 0 ? 2 * taps() / kernel_ms * 1e-6 : 0; }
};

/// The file is written under another name and renamed when the run is complete.
class results_file {
public:
    /// Of the options: csv (bench.csv if empty), date, and comments, the lines before the header. Throws
    /// std::runtime_error naming a path that cannot be written.
    results_file(const mode_options& options, const std::string& lab, const std::string& backend);

    void add(const measurement& point);
    /// A point without a row: a comment line says why.
    void leave_out(const measurement& point, const std::string& why);
    void finish() { file_.finish(); }

private:
    std::string lab_, backend_, date_;
    csv_file file_;
};

}  // namespace check
