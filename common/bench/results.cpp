// The files of a benchmark and its lines on the screen.
#include "bench/results.h"

#include <fmt/format.h>
#include <cstdio>
#include <filesystem>
#include <stdexcept>

namespace bench {

namespace {

/// "0.354304", or nothing between two commas.
std::string milliseconds(const std::optional<double>& value) {
    return value ? fmt::format("{:.6f}", *value) : "";
}

std::string text_of(size_2d size) {
    return fmt::format("{}x{}", size.width, size.height);
}

/// The beginning of its line on the screen.
void print_point(const measurement& m) {
    std::printf("%-22s %11s %7s ", m.method.c_str(), text_of(m.input).c_str(), text_of(m.filter).c_str());
}

}  // namespace

csv_file::csv_file(const std::string& path, const std::vector<std::string>& comments,
                   const std::string& header)
    : path_(path) {
    std::filesystem::create_directories(std::filesystem::absolute(path_).parent_path());
    file_.open(path_ + ".part");
    for (const std::string& comment : comments)
        add("# " + comment);
    add(header);
    if (!file_.flush()) throw std::runtime_error(path_ + ": cannot be written; is the disk full?");
}

void csv_file::add(const std::string& line) {
    file_ << line << '\n';
}

void csv_file::finish() {
    file_.close();
    if (!file_) throw std::runtime_error(path_ + ": cannot be written; is the disk full?");
    std::filesystem::rename(path_ + ".part", path_);
    std::printf("written: %s\n", path_.c_str());
}

results_file::results_file(const options& asked, const std::string& lab, const std::string& backend)
    : lab_(lab),
      backend_(backend),
      date_(asked.date),
      file_(asked.csv.empty() ? "bench.csv" : asked.csv, asked.comments,
            "lab,method,backend,device,date,width,height,channels,filter_width,filter_height,"
            "kernel_ms,copy_ms,call_ms,gflops") {}

void results_file::add(const measurement& m) {
    file_.add(fmt::format("{},\"{}\",{},\"{}\",{},{},{},{},{},{},{},{},{},{:.3f}", lab_, m.method, backend_,
                          m.device, date_, m.input.width, m.input.height, m.channels, m.filter.width,
                          m.filter.height, milliseconds(m.kernel_ms), milliseconds(m.copy_ms),
                          milliseconds(m.call_ms), m.gflops()));

    print_point(m);
    std::printf("%10.4f ms kernel", m.kernel_ms);
    if (m.copy_ms) std::printf(" %10.4f ms copies", *m.copy_ms);
    std::printf(" %9.1f GFLOP/s\n", m.gflops());
    std::fflush(stdout);
}

void results_file::leave_out(const measurement& m, const std::string& why) {
    file_.add(
        fmt::format("# left out: {}, {}, filter {}: {}", m.method, text_of(m.input), text_of(m.filter), why));
    print_point(m);
    std::printf("left out: %s\n", why.c_str());
    std::fflush(stdout);
}

}  // namespace bench
