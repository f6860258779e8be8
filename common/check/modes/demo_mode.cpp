// Demo: every method of the lab on a photograph - a line
// of the table, a row of the CSV file, a filtered picture.
#include <unistd.h>

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "check/method.h"
#include "check/modes/demo_files.h"
#include "check/modes/demo_mode.h"
#include "problem/compare.h"

namespace check {

namespace {

constexpr int FILTER_SIZE = 9;
constexpr double SIGMA = 2.0;  // a blur that is visible, and whose taps at +-4 still count

/// What the table says of one method.
struct demo_row {
    double kernel_ms = 0, copy_ms = 0, flops = 0, outputs = 0, error = 0;
    inspect::counts seen;
    std::string trouble;  // empty if every value was right
    image picture;

    void add_times(const call_result& result) {
        for (double ms : result.kernel_ms)
            kernel_ms += ms;
        copy_ms += result.copy_ms;
    }
    double gflops() const { return kernel_ms > 0 ? flops / kernel_ms * 1e-6 : 0; }
    /// Values of global memory or of textures that an output costs: four of a load of 16 bytes.
    double loads_per_output() const { return double(seen.global.loads.bytes) / sizeof(float) / outputs; }
    double fetches_per_output() const { return double(seen.texture.bytes) / sizeof(float) / outputs; }
};

/// The 1D Gaussian: every column of the 2D one summed.
std::vector<float> gaussian_taps() {
    const filter f = gaussian_filter(FILTER_SIZE, SIGMA);
    std::vector<float> taps(f.width);
    for (size_t k = 0; k < f.taps.size(); k++)
        taps[k % f.width] += f.taps[k];
    return taps;
}

/// Runs one problem on the active backend and once more under the inspector; adds what came of it to the row.
template <class method, class problem>
std::vector<float> run_one(const method& m, const problem& p, const shape& where, session& run,
                           demo_row& row) {
    std::vector<float> out(where.values(), NAN), inspected(where.values(), NAN);
    const call_result result = m.run(run.active(), {}, out, p);
    row.add_times(result);
    row.outputs += double(where.values());
    if (row.trouble.empty()) row.trouble = result.trouble;
    const call_result counted =
        m.run(run.inspected(), {.timeout_seconds = 300, .busy_seconds = 300}, inspected, p);
    row.seen += counted.seen.total();
    const reference truth = convolve_cpu(p);
    const comparison found = compare(out, truth);
    if (row.trouble.empty()) row.trouble = first_wrong(out, truth, found, where);
    row.error = std::max(row.error, max_error(out, truth));
    return out;
}

/// The brightness profile of the photograph, row by row.
demo_row run_rows(const method_1d& method, const image& photo, session& run) {
    demo_row row;
    row.picture = {photo.width, photo.height, 1, {}};
    problem_1d profile{{}, gaussian_taps()};
    for (int y = 0; y < photo.height; y++) {
        const auto begin = photo.pixels.begin() + size_t(y) * photo.width;
        profile.in.assign(begin, begin + photo.width);
        const std::vector<float> out = run_one(method, profile, shape_of(profile), run, row);
        row.picture.pixels.insert(row.picture.pixels.end(), out.begin(), out.end());
        row.flops += 2.0 * double(photo.width) * double(profile.taps.size());
        if (isatty(STDERR_FILENO)) std::fprintf(stderr, "\r  row %d of %d ", y + 1, photo.height);
    }
    if (isatty(STDERR_FILENO)) std::fprintf(stderr, "\r\033[K");
    return row;
}

demo_row run_image(const method_2d& method, const image& photo, session& run) {
    demo_row row;
    const problem_2d p = method.posed({photo, gaussian_filter(FILTER_SIZE, SIGMA)});
    row.picture = {p.in.width, p.in.height, p.in.channels, run_one(method, p, shape_of(p), run, row)};
    row.flops = 2.0 * all_taps(p);
    return row;
}

void print_row(const std::string& lab, const std::string& method, const demo_row& row, bool header) {
    if (header) {
        std::printf("%-3s %-22s %10s %9s %9s %11s %11s %12s %10s %10s  %s\n", "lab", "method", "kernel ms",
                    "copy ms", "GFLOP/s", "loads/out", "fetches/out", "sectors/req", "conflicts", "max error",
                    "verdict");
    }
    const inspect::memory_traffic& global = row.seen.global;
    const inspect::memory_traffic& shared = row.seen.shared;
    const unsigned long long conflicts = shared.loads.conflicts() + shared.stores.conflicts();
    std::printf("%-3s %-22s %10.3f %9.3f %9.2f %11.2f %11.2f %12.2f %10llu %10.2g  %s\n", lab.c_str(),
                method.c_str(), row.kernel_ms, row.copy_ms, row.gflops(), row.loads_per_output(),
                row.fetches_per_output(), global.loads.sectors_per_request(), conflicts, row.error,
                row.trouble.empty() ? "right" : row.trouble.c_str());
    std::fflush(stdout);
}

std::string csv_of(const demo_options& options) {
    return options.out + "/results.csv";
}

/// Where a row of this many dimensions says whose it is: "1D,"serial",".
std::string named(int dimensions, const std::string& method) {
    return fmt::format("{}D,\"{}\",", dimensions, method);
}

/// True if an earlier lab has shown the serial loop already: it is the same for all of one dimension.
bool serial_is_there(const demo_options& options, int dimensions) {
    std::ifstream file(csv_of(options));
    for (std::string line; std::getline(file, line);)
        if (line.find(named(dimensions, SERIAL)) != std::string::npos) return true;
    return false;
}

void keep(int dimensions, const std::string& method, const demo_row& row, const demo_options& options,
          session& run) {
    const std::string number = run.lab().substr(0, 2), csv = csv_of(options);
    print_row(number, method, row, !std::filesystem::exists(csv));
    const std::string line = fmt::format(
        "{},{}\"{}\",{},{:.4f},{:.4f},{:.3f},{:.3f},{:.3f},{:.3f},{:.3g},{}", number,
        named(dimensions, method), device_of(method, run.active()), options.date, row.kernel_ms, row.copy_ms,
        row.gflops(), row.loads_per_output(), row.fetches_per_output(),
        row.seen.global.loads.sectors_per_request(), row.error, row.trouble.empty() ? "right" : "wrong");
    append_csv(
        csv,
        "lab,dimensions,method,device,date,kernel_ms,copy_ms,gflops,loads_per_output,fetches_per_output,"
        "sectors_per_request,max_error,verdict",
        line);
    if (row.trouble.empty())
        write_image(row.picture, options.out + "/" + number + "_" + file_name(method) + ".png");
}

bool only_serial(const chosen_methods& chosen) {
    const auto is_serial = [](const auto* method) { return method->name == SERIAL; };
    return std::all_of(chosen.rows.begin(), chosen.rows.end(), is_serial) &&
           std::all_of(chosen.images.begin(), chosen.images.end(), is_serial);
}

}  // namespace

int run_demo(const demo_options& options, session& run) {
    std::filesystem::create_directories(options.out);
    const chosen_methods chosen = choose_methods(options.methods, true);
    if (only_serial(chosen) && !chosen.unknown.empty()) return 0;  // the others are of other labs
    bool all_right = true;
    const auto show = [&](int dimensions, const auto& method, const auto& run_method) {
        if (method.name == SERIAL && serial_is_there(options, dimensions)) return;
        const demo_row row = run_method();
        keep(dimensions, method.name, row, options, run);
        all_right = all_right && row.trouble.empty();
    };
    for (const method_1d* method : chosen.rows)
        show(1, *method, [&] { return run_rows(*method, read_image(options.image, 1), run); });
    for (const method_2d* method : chosen.images)
        show(2, *method,
             [&] { return run_image(*method, read_image(options.image, method->channels), run); });
    return all_right ? 0 : 1;
}

}  // namespace check
