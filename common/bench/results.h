// The files of a benchmark, and its results: a row of a CSV file and a line on the screen for every point.
#pragma once
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "bench/bench.h"
#include "bench/sweep.h"

namespace bench {

/// A CSV file that is written under another name and renamed when it is complete.
class csv_file {
public:
    /// Makes the folder and writes the comments, each behind a #, and the header. Throws std::runtime_error
    /// naming a path that cannot be written.
    csv_file(const std::string& path, const std::vector<std::string>& comments, const std::string& header);

    void add(const std::string& line);
    /// Says on the screen where the file is. Throws std::runtime_error if not all of it could be written.
    void finish();

private:
    std::string path_;
    std::ofstream file_;
};

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

class results_file {
public:
    /// Of the options: csv (bench.csv if empty), date, and comments, the lines before the header. Throws
    /// std::runtime_error naming a path that cannot be written.
    results_file(const options& asked, const std::string& lab, const std::string& backend);

    void add(const measurement& point);
    /// A point without a row: a comment line says why.
    void leave_out(const measurement& point, const std::string& why);
    void finish() { file_.finish(); }

private:
    std::string lab_, backend_, date_;
    csv_file file_;
};

}  // namespace bench
