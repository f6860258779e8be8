// The files of a benchmark and its lines on the screen.
#include "bench/results.h"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <iterator>
#include <stdexcept>
#include <utility>

#include "check/terminal.h"

namespace bench {

namespace {

/// "0.354304", or nothing between two commas.
std::string milliseconds(const std::optional<double>& value) {
    return value ? fmt::format("{:.6f}", *value) : "";
}

/// The same for the screen, seven characters: "0.3543", "1234.6".
std::string of_seven(double value) {
    return value < 100 ? fmt::format("{:.4f}", value) : fmt::format("{:.1f}", value);
}

std::string text_of(size_2d size) {
    return fmt::format("{}x{}", size.width, size.height);
}

/// The lines behind the head of an unfinished file, if that is its head. One without its end was cut off.
std::vector<std::string> lines_behind(const std::string& head, const std::string& path) {
    std::ifstream file(path);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    std::vector<std::string> lines;
    if (!text.starts_with(head)) return lines;
    size_t begin = head.size();
    for (size_t end = text.find('\n', begin); end != std::string::npos; end = text.find('\n', begin)) {
        lines.push_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return lines;
}

constexpr char COLUMNS[] =
    "lab,method,backend,device,date,width,height,channels,filter_width,filter_height,kernel_ms,copy_ms,call_"
    "ms,"
    "gflops,block,build,filter_kind,memory,p10_ms,p90_ms,repeats,total_ms,copy_p10_ms,copy_p90_ms,calls";
/// "1:05", minutes and seconds.
std::string minutes(double seconds) {
    const auto whole = int(std::ceil(seconds));
    return fmt::format("{}:{:02}", whole / 60, whole % 60);
}

}  // namespace

std::string point_on_screen(const measurement& m, size_t done, size_t points, double seconds_left) {
    return fmt::format("{:3}/{:<3} {:>5} {:22} {:>10} {:>7}", done, points, minutes(seconds_left), m.method,
                       text_of(m.input), text_of(m.filter));
}

std::string times_on_screen(const measurement& m) {
    return fmt::format(" {:>8} {:>7} {:7.1f}", of_seven(m.kernel_ms),
                       m.copies.count > 0 ? of_seven(m.copies.median) : "-", m.gflops());
}

csv_file::csv_file(const std::string& path, const std::vector<std::string>& comments,
                   const std::string& header, bool go_on)
    : path_(path) {
    std::string head;
    for (const std::string& comment : comments)
        head += "# " + comment + "\n";
    head += header + "\n";
    if (go_on) kept_ = lines_behind(head, path_ + ".part");
    std::filesystem::create_directories(std::filesystem::absolute(path_).parent_path());
    file_.open(path_ + ".part");
    file_ << head;
    for (const std::string& line : kept_)
        add(line);
    if (!file_.flush()) throw std::runtime_error(path_ + ": cannot be written; is the disk full?");
}

void csv_file::add(const std::string& line) {
    file_ << line << std::endl;  // at once: what interrupts a benchmark takes no finished row
}

void csv_file::finish() {
    file_.close();
    if (!file_) throw std::runtime_error(path_ + ": cannot be written; is the disk full?");
    std::filesystem::rename(path_ + ".part", path_);
    std::printf("written: %s\n", path_.c_str());
}

results_file::results_file(const options& asked, const std::string& lab, const std::string& backend,
                           size_t points)
    : asked_(asked),
      lab_(lab),
      backend_(backend),
      file_(asked.csv.empty() ? "bench.csv" : asked.csv, asked.comments, COLUMNS,
            std::any_of(asked.comments.begin(), asked.comments.end(),
                        [](const std::string& one) { return one.starts_with("kernels: "); })),
      points_(points) {
    if (!file_.kept().empty())
        std::printf("goes on with an unfinished file: lines that stay: %zu\n", file_.kept().size());
}

void results_file::finish() {
    if (!asked_.more) file_.finish();
}

/// By pieces of its row: five whole numbers in a row are its sizes and nothing else's.
bool results_file::has(const measurement& m) {
    const std::string method = fmt::format("{},\"{}\",", lab_, m.method),
                      sizes = fmt::format(",{},{},{},{},{},", m.input.width, m.input.height, m.channels,
                                          m.filter.width, m.filter.height),
                      block = asked_.block.empty() ? "" : "," + asked_.block,
                      how = fmt::format("{},{},{},{},", block, asked_.build, m.filter_kind, memory());
    const std::vector<std::string>& kept = file_.kept();
    const bool found = std::any_of(kept.begin(), kept.end(), [&](const std::string& row) {
        return row.starts_with(method) && row.find(sizes) != std::string::npos &&
               row.find(how) != std::string::npos;
    });
    if (found) done_++;
    return found;
}

std::string results_file::memory() const {
    return asked_.pinned ? "pinned" : "pageable";
}

void results_file::add(const measurement& m) {
    const auto copies = [&](double value) {
        return milliseconds(m.copies.count > 0 ? std::optional(value) : std::nullopt);
    };
    file_.add(fmt::format(
        "{},\"{}\",{},\"{}\",{},{},{},{},{},{},{},{},{},{:.3f},{},{},{},{},{},{},{},{},{},{},{}", lab_,
        m.method, backend_, m.device, asked_.date, m.input.width, m.input.height, m.channels, m.filter.width,
        m.filter.height, milliseconds(m.kernel_ms), copies(m.copies.median), milliseconds(m.call_ms),
        m.gflops(), m.block, asked_.build, m.filter_kind, memory(), milliseconds(m.kernels.p10),
        milliseconds(m.kernels.p90), m.kernels.count, copies(m.kernel_ms + m.copies.median),
        copies(m.copies.p10), copies(m.copies.p90), m.copies.count));
    measured_++;
    print_point(m);
    std::printf("%s\n", times_on_screen(m).c_str());
    std::fflush(stdout);
}

void results_file::leave_out(const measurement& m, const std::string& why) {
    const std::string line =
        fmt::format("# left out: {}, {}, filter {}: {}", m.method, text_of(m.input), text_of(m.filter), why);
    const std::vector<std::string>& kept = file_.kept();
    if (std::find(kept.begin(), kept.end(), line) == kept.end()) file_.add(line);  // it was tried again
    if (!told_.insert(m.method + why.substr(0, why.find(','))).second) {           // of other sizes
        done_++;
        return;
    }
    print_point(m);
    std::printf("\n%s\n", check::for_terminal("        left out: " + why).c_str());
    std::fflush(stdout);
}

void results_file::print_point(const measurement& m) {
    if (!std::exchange(headed_, true)) std::printf("%s\n", HEAD_ON_SCREEN);
    done_++;
    const std::chrono::duration<double> so_far = std::chrono::steady_clock::now() - begin_;
    const double each = so_far.count() / double(std::max<size_t>(1, measured_));
    const double left = each * double(points_ - std::min(points_, done_));
    std::printf("%s", point_on_screen(m, done_, points_, left).c_str());
}

}  // namespace bench
