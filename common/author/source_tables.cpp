// The sources' tables: which of our recorded rows belongs to which printed one, and both side by side.
#include "author/source_tables.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <map>
#include <stdexcept>

#include "author/recorded_times.h"
#include "author/regions.h"

namespace author {
namespace {

constexpr const char* PUBLISHED = "data/published/";
constexpr const char* LOOKS = "common/plot/methods.csv";
constexpr const char* COUNTS = "data/counts.csv";
constexpr const char* SERIAL_FILE = "serial";  // of the serial loop, for every image and filter

/// What was convolved, as columns of recorded files have it; of the serial loop without the block.
using problem = std::map<std::string, std::string>;

problem problem_of(const std::string& width, const std::string& height, const std::string& taps,
                   const std::string& block = "") {
    problem p{{"width", width}, {"height", height}, {"filter_width", taps}, {"filter_height", taps}};
    if (!block.empty()) p["block"] = block;
    return p;
}

/// A printed column: of which method, by the source's name ("" is the row's own), and what of it.
struct printed_column {
    const char* name;
    const char* method;
    enum { kernel_ms, copy_ms, speed_up, speed_up_with_copies } what;
};

struct definition {
    const char* name;
    const char* file;                         // of data/published
    std::map<std::string, std::string> only;  // its rows: what their columns hold
    const char* card;
    std::vector<std::string> labels;  // columns that say which row it is
    const char* source;               // column of methods.csv with its names of methods
    const char* method_column;        // that names a row's method; "" if columns do
    const char* recorded;
    std::function<problem(const csv_row&)> of;
    std::vector<printed_column> columns;
};

problem ichimura_problem(const csv_row& row) {
    return problem_of(cell(row, "image_w"), cell(row, "image_h"), cell(row, "filter"));
}

definition ichimura(const char* name, const char* table) {
    return {name,
            "ichimura_gtx1080ti",
            {{"table", table}},
            "GTX 1080 Ti",
            {"version", "filter"},
            "ichimura",
            "version",
            "sweep_copies",
            ichimura_problem,
            {{"cpu_ms", "cpu", printed_column::kernel_ms},
             {"gpu_ms", "", printed_column::kernel_ms},
             {"transfer_ms", "", printed_column::copy_ms},
             {"speedup_filtering", "", printed_column::speed_up},
             {"speedup_overall", "", printed_column::speed_up_with_copies}}};
}

definition camerino(const char* name, const char* file, const char* card, std::vector<std::string> labels,
                    const char* recorded, std::function<problem(const csv_row&)> of,
                    std::vector<printed_column> more) {
    definition what{name,
                    file,
                    {{"gpu", card}},
                    card,
                    std::move(labels),
                    "camerino",
                    "",
                    recorded,
                    std::move(of),
                    {{"v1_ms", "v1", printed_column::kernel_ms},
                     {"v1_const_ms", "v1_const", printed_column::kernel_ms},
                     {"v2_ms", "v2", printed_column::kernel_ms}}};
    what.columns.insert(what.columns.end(), more.begin(), more.end());
    return what;
}

problem camerino_image(const csv_row& row) {
    return problem_of(cell(row, "image"), cell(row, "image"), "3", "16x16");
}
problem camerino_filter(const csv_row& row) {
    return problem_of("1024", "1024", cell(row, "filter"), "16x16");
}
problem camerino_block(const csv_row& row) {
    return problem_of("2048", "2048", "5", cell(row, "block_x") + "x" + cell(row, "block_y"));
}

std::vector<definition> definitions() {
    const printed_column cpu{"cpu_ms", "cpu", printed_column::kernel_ms};
    const std::vector<printed_column> with_speed_ups = {
        cpu, {"speedup_v1", "v1", printed_column::speed_up}, {"speedup_v2", "v2", printed_column::speed_up}};
    const char *old = "GTX 1050 Ti", *newer = "Tesla T4";
    const std::vector<std::string> block = {"block_x", "block_y"};
    return {
        {"beukman_table1",
         "beukman_table1_gtx1060",
         {},
         "GTX 1060",
         {"method"},
         "beukman",
         "method",
         "sweep_filters",
         [](const csv_row& row) {
             return problem_of(cell(row, "image"), cell(row, "image"), cell(row, "filter"), "32x32");
         },
         {{"kernel_ms", "", printed_column::kernel_ms}, {"copy_ms", "", printed_column::copy_ms}}},
        ichimura("ichimura_table1", "1"),
        ichimura("ichimura_table2", "2"),
        ichimura("ichimura_table3", "3"),
        ichimura("ichimura_table4", "4"),
        camerino("camerino_table5_5", "camerino_image_size", old, {"image"}, "sweep_images", camerino_image,
                 with_speed_ups),
        camerino("camerino_table5_6", "camerino_image_size", newer, {"image"}, "sweep_images", camerino_image,
                 with_speed_ups),
        camerino("camerino_table5_7", "camerino_kernel_size", old, {"filter"}, "sweep_images",
                 camerino_filter, {cpu}),
        camerino("camerino_table5_8", "camerino_kernel_size", newer, {"filter"}, "sweep_images",
                 camerino_filter, {cpu}),
        camerino("camerino_table5_9", "camerino_block_size", old, block, "sweep_configurations",
                 camerino_block, {}),
        camerino("camerino_table5_10", "camerino_block_size", newer, block, "sweep_configurations",
                 camerino_block, {}),
    };
}

std::vector<csv_row> rows_in(const std::string& file) {
    if (!std::filesystem::exists(file)) throw not_recorded(file);
    return rows_of(read_text(file));
}

bool holds(const csv_row& row, const std::map<std::string, std::string>& values) {
    for (const auto& [column, value] : values)
        if (cell(row, column) != value) return false;
    return true;
}

/// Our rows, and whose name is whose.
class recording {
public:
    recording(const definition& what, const std::string& measured)
        : source_(what.source),
          looks_(rows_in(LOOKS)),
          ours_(rows_in(measured + "/" + what.recorded + ".csv")),
          serial_(rows_in(measured + "/" + SERIAL_FILE + ".csv")) {
        for (const csv_row& row : ours_)
            device_ = cell(row, "device");
    }
    const std::string& device() const { return device_; }

    /// A number of the method that the source calls so, NaN if it is not recorded.
    double number(const std::string& printed_name, const problem& p, int what) const {
        const std::string method = our_name(printed_name);
        if (what == printed_column::copy_ms && method == "serial") return 0;
        const double kernel_ms = value(method, p, "kernel_ms"), serial_ms = value("serial", p, "kernel_ms");
        switch (what) {
            case printed_column::copy_ms:
                return value(method, p, "copy_ms");
            case printed_column::speed_up:
                return serial_ms / kernel_ms;
            case printed_column::speed_up_with_copies:
                return serial_ms / value(method, p, "total_ms");
            default:
                return kernel_ms;
        }
    }

private:
    std::string our_name(const std::string& printed_name) const {
        for (const csv_row& row : looks_)
            if (cell(row, source_) == printed_name) return cell(row, "method");
        throw std::runtime_error(std::string(LOOKS) + ": no method is " + source_ + "'s '" + printed_name +
                                 "'");
    }
    double value(const std::string& method, problem wanted, const char* column) const {
        const bool is_serial = method == "serial";
        wanted["method"] = method;
        if (is_serial)
            wanted.erase("block");
        else
            wanted["memory"] = "pageable";  // as the sources' arrays are
        for (const csv_row& row : is_serial ? serial_ : ours_)
            if (holds(row, wanted)) return std::stod(cell(row, column));
        return NAN;
    }

    std::string source_, device_;
    std::vector<csv_row> looks_, ours_, serial_;
};

/// Three digits that count.
std::string three_digits(double value) {
    if (!std::isfinite(value)) return "";
    if (value == 0) return "0";
    return written(
        ("%." + std::to_string(std::max(0, 2 - int(std::floor(std::log10(std::abs(value)))))) + "f").c_str(),
        value);
}

void add_numbers(std::vector<std::string>& cells, const std::string& printed, double ours, bool is_time) {
    const double theirs = std::stod(printed);
    cells.push_back(printed);
    cells.push_back(three_digits(ours));
    cells.push_back(three_digits(is_time ? theirs / ours : ours / theirs));
}

bool is_time(const printed_column& column) {
    return column.what == printed_column::kernel_ms || column.what == printed_column::copy_ms;
}

source_table times_beside(const definition& what, const std::string& measured) {
    const recording ours(what, measured);
    source_table table{what.labels, {}};
    for (const printed_column& column : what.columns) {
        const std::string name = column.name;
        for (const std::string& whose : {std::string(what.card), ours.device()})
            table.headings.push_back(name + ", " + whose);
        table.headings.push_back(is_time(column) ? "times faster" : "times theirs");
    }
    for (const csv_row& row : rows_in(PUBLISHED + std::string(what.file) + ".csv")) {
        if (!holds(row, what.only)) continue;
        std::vector<std::string> cells;
        for (const std::string& label : what.labels)
            cells.push_back(cell(row, label));
        for (const printed_column& column : what.columns) {
            const std::string method = *column.method ? column.method : cell(row, what.method_column);
            add_numbers(cells, cell(row, column.name), ours.number(method, what.of(row), column.what),
                        is_time(column));
        }
        table.rows.push_back(cells);
    }
    return table;
}

double loads_of(const std::vector<csv_row>& counts, const std::string& method, const std::string& taps) {
    for (const csv_row& row : counts)
        if (holds(row, {{"method", method}, {"filter_width", taps}}))
            return std::stod(cell(row, "global_load_values"));
    return NAN;
}

/// PMPP, figure 7.22: what is printed, what the inspector counts on a whole image, and the formula for inner
/// tiles.
source_table reductions() {
    const std::vector<csv_row> counts = rows_in(COUNTS);
    source_table table{{"mask width", "tile width", "printed", "counted", "formula", "counted / printed"},
                       {}};
    for (const csv_row& row : rows_in(PUBLISHED + std::string("pmpp_fig7_22.csv"))) {
        const std::string &mask = cell(row, "mask_width"), &tile = cell(row, "o_tile_width"),
                          &printed = cell(row, "reduction_ratio");
        const double m = std::stod(mask), t = std::stod(tile);
        const double counted = loads_of(counts, "constant", mask) /
                               loads_of(counts, tile == "16" ? "tiled" : "tiled_" + tile, mask);
        table.rows.push_back({mask, tile, printed, three_digits(counted),
                              three_digits(std::pow(m * t / (t + m - 1), 2)),
                              three_digits(counted / std::stod(printed))});
    }
    return table;
}

constexpr const char* REDUCTIONS = "pmpp_fig7_22";

}  // namespace

std::vector<std::string> source_table_names() {
    std::vector<std::string> names = {REDUCTIONS};
    for (const definition& what : definitions())
        names.push_back(what.name);
    return names;
}

source_table read_source_table(const std::string& name, const std::string& measured) {
    if (name == REDUCTIONS) return reductions();
    for (const definition& what : definitions())
        if (what.name == name) return times_beside(what, measured);
    throw std::runtime_error("'" + name + "' is no table of a source");
}

std::string as_markdown(const source_table& table) {
    std::string text = headings_of(table.headings.at(0), {table.headings.begin() + 1, table.headings.end()});
    for (const std::vector<std::string>& row : table.rows)
        text += line_of(row.at(0), {row.begin() + 1, row.end()});
    return text;
}

std::string as_csv(const source_table& table) {
    std::vector<std::vector<std::string>> lines = table.rows;
    lines.insert(lines.begin(), table.headings);
    std::string text;
    for (const std::vector<std::string>& line : lines) {
        for (size_t k = 0; k < line.size(); k++)
            text += (k > 0 ? ",\"" : "\"") + line[k] + "\"";
        text += "\n";
    }
    return text;
}

int write_source_tables(const std::string& measured, const std::string& out) {
    int missing = 0;
    std::filesystem::create_directories(out);
    for (const std::string& name : source_table_names()) {
        try {
            const source_table table = read_source_table(name, measured);
            write_text(out + "/" + name + ".md", as_markdown(table));
            write_text(out + "/" + name + ".csv", as_csv(table));
        } catch (const not_recorded& lacks) {
            std::printf("%s: not made, %s is missing: make record on a GPU writes it\n", name.c_str(),
                        lacks.file.c_str());
            missing++;
        }
    }
    std::printf("wrote %zu of %zu tables into %s\n", source_table_names().size() - missing,
                source_table_names().size(), out.c_str());
    return missing;
}

}  // namespace author
