// The files of a benchmark, and its results: a row of a CSV file and a line on the screen for every point.
#pragma once
#include <chrono>
#include <fstream>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "bench/bench.h"
#include "bench/statistics.h"
#include "bench/sweep.h"

namespace bench {

/// A CSV file that is written under another name, FILE.part, and renamed when it is complete.
class csv_file {
public:
    /// Makes the folder and writes the comments, each behind a #, and the header. With `go_on`, lines of a
    /// FILE.part that begins with the same lines are kept. Throws std::runtime_error naming a path that cannot
    /// be written.
    csv_file(const std::string& path, const std::vector<std::string>& comments, const std::string& header,
             bool go_on = false);

    void add(const std::string& line);
    /// Says on the screen where the file is. Throws std::runtime_error if not all of it could be written.
    void finish();
    /// The lines that were kept.
    const std::vector<std::string>& kept() const { return kept_; }

private:
    std::string path_;
    std::vector<std::string> kept_;
    std::ofstream file_;
};

/// One measured point.
struct measurement {
    std::string method;
    size_2d input, filter;
    int channels = 1;
    double taps = 0;  // of all outputs
    std::string filter_kind;
    double kernel_ms = 0;           // the median, of the serial loop the least
    spread kernels, copies;         // of launches and of calls
    std::optional<double> call_ms;  // nothing if it was not measured
    std::string device, block;      // "16x16"
    double gflops() const { return kernel_ms > 0 ? 2 * taps / kernel_ms * 1e-6 : 0; }
};

/// A point's line on the screen, 80 columns wide: how far it is, how long the rest takes at this pace, and what; its times.
inline constexpr char HEAD_ON_SCREEN[] =
    "in ms    left method                      image  filter   kernel  copies GFLOP/s";
std::string point_on_screen(const measurement& m, size_t done, size_t points, double seconds_left);
std::string times_on_screen(const measurement& m);

class results_file {
public:
    /// Of the options: csv (bench.csv if empty), date, build, memory, and comments, the lines before the
    /// header: if one of them is "kernels: ...", which says what is measured, an unfinished file with the same
    /// lines goes on. `points`: how many there are to be. Throws std::runtime_error naming a path that cannot
    /// be written.
    results_file(const options& asked, const std::string& lab, const std::string& backend, size_t points);

    /// The file that goes on has this point, which needs no measuring.
    bool has(const measurement& point);
    void add(const measurement& point);
    /// A point without a row: a comment line says why.
    void leave_out(const measurement& point, const std::string& why);
    void finish();

private:
    std::string memory() const;
    void print_point(const measurement& point);

    const options asked_;
    std::string lab_, backend_;
    csv_file file_;
    size_t points_, done_ = 0, measured_ = 0;
    bool headed_ = false;
    std::set<std::string> told_;  // why a method was left out, on the screen
    std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

}  // namespace bench
