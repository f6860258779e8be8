// The table in a handout that sets our times beside the best published ones.
#include "author/handout_tables.h"

#include <algorithm>
#include <cstdio>
#include <stdexcept>

#include "author/recorded_times.h"
#include "author/regions.h"

namespace author {
namespace {

/// What the GPU can do at best with one image.
struct ceilings {
    double copy_ms = 0, gflops = 0;
    int width = 0, height = 0;
};

ceilings read_ceilings(const std::string& file) {
    ceilings read;
    for (const csv_row& row : rows_of(read_text(file))) {
        const double value = std::stod(cell(row, "value"));
        if (cell(row, "what") == "ffma") read.gflops = value;
        if (std::sscanf(cell(row, "what").c_str(), "copy_%dx%d", &read.width, &read.height) == 2)
            read.copy_ms = value;
    }
    if (read.copy_ms == 0 || read.gflops == 0)
        throw std::runtime_error(file + ": copy_WxH or ffma is missing");
    return read;
}

}  // namespace

std::string peers_table(const std::string& steps, const std::string& measured, const std::string& published) {
    const ceilings best = read_ceilings(measured + "/ceilings.csv");
    std::vector<std::string> headings;
    std::vector<std::map<std::string, double>> columns;  // milliseconds by filter
    for (const csv_row& step : rows_of(read_text(steps))) {
        const std::string &worker = cell(step, "worker"), &lab = cell(step, "lab");
        if (worker != "solution" && worker != "fast") continue;
        headings.push_back(cell(step, "step") + ", " + number_of(lab));
        columns.push_back(recorded_ms(measured, lab + (worker == "fast" ? FAST : ""), cell(step, "method"),
                                      best.width, best.height));
    }
    if (columns.empty()) throw std::runtime_error(steps + ": no step is a solution");
    headings.insert(headings.end(), {"of the roofline", "best published", "times faster"});

    std::string table = headings_of("filter (w x h)", headings);
    for (const csv_row& row : rows_of(read_text(published))) {
        const std::string filter = filter_of(row);
        std::vector<std::string> cells;
        for (const auto& recorded : columns)
            cells.push_back(cell_of(recorded, filter));
        const double ms = columns.back()[filter], peer = std::stod(cell(row, "ms"));
        const double taps = std::stod(cell(row, "filter_width")) * std::stod(cell(row, "filter_height"));
        const double arithmetic_ms = 2e-6 * best.width * best.height * taps / best.gflops;
        const double share = ms > 0 ? std::max(best.copy_ms, arithmetic_ms) / ms : 0;
        cells.push_back(ms > 0 ? written("%.0f %%", 100 * share) : "");
        cells.push_back(written_ms(peer) + ", " + cell(row, "by"));
        cells.push_back(ms > 0 ? written("%.2f", peer / ms) : "");
        table += line_of(filter, cells);
    }
    return table;
}

}  // namespace author
