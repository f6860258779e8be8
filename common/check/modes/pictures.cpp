// The data of the pictures that make inspectNN draws.
#include "check/modes/pictures.h"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "check/modes/demo_files.h"
#include "check/terminal.h"
#include "diagnose/launch_tile.h"
#include "inspect/report/report_meaning.h"
#include "inspect/report/timeline.h"
#include "problem/describe.h"

namespace check {

namespace {

constexpr size_t MOST_BANK_MAPS = 2;  // of one launch
constexpr size_t TITLE_COLUMNS = 90;

/// Text for gnuplot's single quotes, lines joined; a student's names stand in it.
std::string quoted(const std::string& text) {
    std::string safe = "'";
    for (const unsigned char c : text) {
        if (c == '\'')
            safe += "''";
        else if (c == '\n')
            safe += "' . \"\\n\" . '";
        else
            safe += c >= ' ' && c < 127 && c != '`' ? char(c) : '?';
    }
    return safe + "'";
}

std::string setting(const std::string& name, const std::string& text) {
    return fmt::format("{} = {}", name, quoted(text));
}

std::string setting(const std::string& name, int64_t number) {
    return fmt::format("{} = {}", name, number);
}

void write_text(const std::filesystem::path& path, const std::string& text) {
    std::ofstream file(path);
    file << text;
    file.close();
    if (!file) throw std::runtime_error(path.string() + ": cannot be written");
}

/// How an array of a launch lies in memory: as the image does, with so many ghost cells around it, or with the channels of
/// one frame of a film.
struct layout {
    int width, height, channels;  // the ghost cells are part of it
    int margin_x = 0, margin_y = 0;
    int64_t row_values() const { return int64_t(width) * channels; }
};

layout whole_image(const problem_2d& problem) {
    return {problem.in.width, problem.in.height, problem.in.channels};
}

layout layout_of(const inspect::element_map& map, const problem_2d& problem) {
    const image& in = problem.in;
    const int margin_x = problem.filter.width / 2, margin_y = problem.filter.height / 2;
    const layout padded{in.width + 2 * margin_x, in.height + 2 * margin_y, in.channels, margin_x, margin_y};
    const size_t values = map.loads.size(), pixels = size_t(in.width) * in.height;
    if (map.pitch == 0 && values == size_t(padded.row_values()) * padded.height) return padded;
    const bool is_frame = map.pitch == 0 && values < pixels * in.channels && values % pixels == 0;
    return {in.width, in.height, is_frame && values > 0 ? int(values / pixels) : in.channels};
}

/// Calls visit(k, column, row) for the elements of a map that lie in its rows.
template <class visitor>
void for_elements(const inspect::element_map& map, const layout& where, const visitor& visit) {
    const size_t row = size_t(where.row_values());
    const size_t step = map.pitch > 0 ? map.pitch / sizeof(float) : row;
    for (int y = 0; y < where.height; y++) {
        for (size_t column = 0; column < row; column++) {
            const size_t k = size_t(y) * step + column;
            if (k < map.loads.size()) visit(k, int(column), y);
        }
    }
}

struct row_range {
    int top, count;
};

/// The rows of outputs that one launch of several has stored to; all where it has stored to none of them.
row_range stored_rows(const inspect::launch& launch, const problem_2d& problem) {
    int top = problem.in.height, end = 0;
    for (const inspect::element_map& map : launch.drawn.elements) {
        if (map.variable != "out") continue;
        for_elements(map, layout_of(map, problem), [&](size_t k, int, int y) {
            if (map.stores[k] == 0) return;
            top = std::min(top, y);
            end = std::max(end, y + 1);
        });
    }
    return top < end ? row_range{top, end - top} : row_range{0, problem.in.height};
}

/// What one launch computes of the problem: a frame of a film has fewer channels.
problem_2d part_of(const inspect::launch& launch, const problem_2d& problem) {
    problem_2d part = problem;
    for (const inspect::element_map& map : launch.drawn.elements) {
        if (map.variable == "in") part.in.channels = layout_of(map, problem).channels;
    }
    return part;
}

/// The tile of a launch for these rows; of a volume, in which slices lie below each other, as high as fits a slice.
output_tile tile_of_rows(const inspect::launch& launch, const problem_2d& problem, const row_range& rows) {
    problem_2d part{{problem.in.width, rows.count, problem.in.channels, {}}, problem.filter};
    part.gradient = problem.gradient;
    if (rows.count == problem.in.height) part.in.depth = problem.in.depth;
    output_tile tile = tile_of(launch, part);
    const int slice = part.in.slice_height();
    if (part.in.depth > 1 && slice % tile.height != 0) tile.height = slice;
    return tile;
}

/// "64 x 37 pixels, 3 x 3 taps".
std::string size_text(const problem_2d& problem, bool one_dimensional) {
    const image& in = problem.in;
    const filter& taps = problem.filter;
    if (one_dimensional) return fmt::format("{} elements, {} taps", in.width, taps.width);
    const std::string values = in.channels > 1 ? fmt::format(" of {} values", in.channels) : "";
    if (problem.is_volume())
        return fmt::format("{} x {} x {} voxels, {} x {} x {} taps", in.width, in.slice_height(), in.depth,
                           taps.width, taps.slice_height(), taps.depth);
    return fmt::format("{} x {} pixels{}, {} x {} taps", in.width, in.height, values, taps.width,
                       taps.height);
}

}  // namespace

struct picture_folder::frame {
    std::string method, title;
    const problem_2d& problem;
    const shape& where;
    const inspect::launch& launch;
    int top, rows;  // of the launch's outputs: the first row, and how many
    output_tile tile;
    int first_x, first_y;  // value of the row, and row, at the top left of the sampled block

    std::vector<std::string> settings(const std::string& what, const layout& where) const {
        const int64_t margin_x = int64_t(where.margin_x) * where.channels;
        return {setting("title", title),
                setting("what", what + (where.margin_x + where.margin_y > 0 ? " and its padding" : "")),
                setting("width", where.row_values()),
                setting("height", where.height),
                setting("channels", where.channels),
                setting("margin_x", margin_x),
                setting("margin_y", where.margin_y),
                setting("top", where.margin_y + top),
                setting("rows", rows),
                setting("tile_width", tile.row_values),
                setting("tile_height", tile.height),
                setting("radius_x", int64_t(problem.filter.width / 2) * where.channels),
                setting("radius_y", problem.filter.slice_height() / 2),
                setting("first_x", margin_x + first_x),
                setting("first_y", where.margin_y + first_y)};
    }
};

picture_folder::picture_folder(std::filesystem::path folder, bool every_launch)
    : folder_(std::move(folder)), every_launch_(every_launch) {
    std::filesystem::create_directories(folder_);
    for (const auto& entry : std::filesystem::directory_iterator(folder_)) {
        const std::string kind = entry.path().extension();
        if (kind == ".csv" || kind == ".gp" || kind == ".svg" || kind == ".png")
            std::filesystem::remove(entry.path());
    }
}

void picture_folder::write(const std::string& name, const std::string& script, const std::string& csv,
                           const std::vector<std::string>& settings) {
    const std::filesystem::path base = folder_ / name;
    write_text(base.string() + ".csv", csv);
    std::string text =
        fmt::format("# Draws {0}.svg and {0}.png: gnuplot {1}.gp\n{2}\n{3}\n", name, base.string(),
                    setting("input", base.string() + ".csv"), setting("output", base.string()));
    for (const std::string& line : settings)
        text += line + "\n";
    write_text(base.string() + ".gp", text + fmt::format("load 'common/plot/{}.gp'\n", script));
}

void picture_folder::draw(const std::string& method, const problem_2d& problem, const shape& where,
                          const inspect::report& seen, std::span<const float> out, const reference& truth,
                          const std::string& likely) {
    const std::vector<std::vector<const inspect::launch*>> groups = seen.launches_alike();
    for (size_t k = 0; k < seen.launches.size(); k++) {
        const auto alike =
            std::ranges::find_if(groups, [&](const auto& one) { return one[0] == &seen.launches[k]; });
        const bool is_first = alike != groups.end();
        const inspect::launch& launch = is_first && !every_launch_
                                            ? **std::ranges::max_element(*alike, {}, &inspect::launch::blocks)
                                            : seen.launches[k];
        const problem_2d part = part_of(launch, problem);
        const row_range rows =
            seen.launches.size() > 1 ? stored_rows(launch, problem) : row_range{0, where.height};
        const output_tile tile = tile_of_rows(launch, part, rows);
        const int block_x = int(launch.drawn.block % launch.grid[0]),
                  block_y = int(launch.drawn.block / launch.grid[0] % launch.grid[1]),
                  slice = int(launch.drawn.block / launch.grid[0] / launch.grid[1] * launch.block[2]);
        const std::string name = k == 0 ? method : fmt::format("{}_{}", method, k + 1);
        const frame of{
            name,
            fmt::format("{} ({}): {}", launch.kernel, method, size_text(part, where.one_dimensional)),
            problem,
            where,
            launch,
            rows.top,
            rows.count,
            tile,
            block_x * tile.row_values,
            rows.top + slice * part.in.slice_height() + block_y * tile.height};
        if (is_first || every_launch_) draw_accesses(of);
        if (k == 0) draw_timeline(of, seen);
        if (k + 1 == seen.launches.size()) draw_errors(of, out, truth, likely);
    }
}

void picture_folder::draw_timeline(const frame& of, const inspect::report& seen) {
    if (inspect::timeline(seen).empty()) return;
    std::map<inspect::timeline_row, int> rows;
    std::ostringstream csv;
    csv << "slot,row,stream,kind\n";
    for (const inspect::operation& one : seen.operations)
        if (one.what != "allocate") rows[inspect::row_of(one)] = 0;
    const bool has_devices = rows.begin()->first.first != rows.rbegin()->first.first;
    int row = 0, device = rows.begin()->first.first;
    for (auto& [whose, place] : rows) {
        if (std::exchange(device, whose.first) != whose.first) row++;  // an empty one between devices
        place = row++;
    }
    uint64_t slots = 0, peers = 0;
    for (const inspect::operation& one : seen.operations) {
        if (one.what == "allocate") continue;
        const int kind = one.what == "to-device"   ? 0
                         : one.what == "kernel"    ? 1
                         : one.what == "to-host"   ? 2
                         : one.what == "peer"      ? 4
                         : one.what == "transform" ? 5
                                                   : 3;
        peers += kind == 4;
        csv << one.slot << ',' << rows[inspect::row_of(one)] << ",\""
            << (has_devices ? fmt::format("device {}, ", one.device) : "") << inspect::stream_name(one.stream)
            << "\"," << kind << '\n';
        slots = std::max(slots, one.slot + 1);
    }
    std::vector<std::string> settings =
        of.settings("what runs beside what, if each took one slot", whole_image(of.problem));
    settings.push_back(setting("slots", int64_t(slots)));
    settings.push_back(setting("streams", row));
    settings.push_back(setting("peers", int64_t(peers)));
    settings.push_back(setting("transforms", int64_t(seen.transforms.size())));
    write(file_name(of.method) + "_timeline", "timeline", csv.str(), settings);
}

void picture_folder::draw_accesses(const frame& of) {
    for (const inspect::element_map& map : of.launch.drawn.elements) {
        if (map.variable != "in") continue;
        draw_loads(of, map);
        draw_loaders(of, map);
    }
    draw_banks(of);
}

void picture_folder::draw_loads(const frame& of, const inspect::element_map& map) {
    std::ostringstream csv;
    csv << "x,y,loads\n";
    uint64_t total = 0, most = 0;
    const layout where = layout_of(map, of.problem);
    for_elements(map, where, [&](size_t k, int x, int y) {
        csv << x << ',' << y << ',' << map.loads[k] << '\n';
        total += map.loads[k];
        most = std::max<uint64_t>(most, map.loads[k]);
    });
    std::vector<std::string> settings = of.settings("loads of each element of in from global memory", where);
    settings.push_back(setting("total", int64_t(total)));
    settings.push_back(setting("most", int64_t(most)));
    write(file_name(of.method) + "_loads", "loads", csv.str(), settings);
}

void picture_folder::draw_loaders(const frame& of, const inspect::element_map& map) {
    std::ostringstream csv;
    csv << "x,y,thread\n";
    size_t loaded = 0;
    const layout where = layout_of(map, of.problem);
    for_elements(map, where, [&](size_t k, int x, int y) {
        if (map.loader[k] < 0) return;
        csv << x << ',' << y << ',' << map.loader[k] << '\n';
        loaded++;
    });
    if (loaded == 0) return;
    std::vector<std::string> settings = of.settings("which thread loads which element of in", where);
    settings.push_back(setting("block", int64_t(of.launch.drawn.block)));
    settings.push_back(setting("block_x", int64_t(of.launch.drawn.block % of.launch.grid[0])));
    settings.push_back(setting("block_y", int64_t(of.launch.drawn.block / of.launch.grid[0])));
    settings.push_back(setting("threads_x", of.launch.block[0]));
    settings.push_back(
        setting("threads", int64_t(of.launch.block[0]) * of.launch.block[1] * of.launch.block[2]));
    write(file_name(of.method) + "_threads", "threads", csv.str(), settings);
}

void picture_folder::draw_banks(const frame& of) {
    std::vector<const inspect::request_sample*> shared;
    for (const inspect::request_sample& one : of.launch.drawn.samples) {
        if (one.space == "shared") shared.push_back(&one);
    }
    std::stable_sort(shared.begin(), shared.end(),
                     [](const auto* a, const auto* b) { return a->cost > b->cost; });
    if (shared.size() > MOST_BANK_MAPS) shared.resize(MOST_BANK_MAPS);
    for (size_t k = 0; k < shared.size(); k++) {
        const inspect::request_sample& one = *shared[k];
        const std::vector<int> passes = inspect::bank_passes(one);
        std::ostringstream csv;
        csv << "bank,row,lane,pass\n";
        uint32_t lowest = ~0u;
        for (uint32_t lane = 0; lane < passes.size(); lane++) {
            if (passes[lane] >= 0) lowest = std::min(lowest, one.offsets[lane] / 4 / 32);
        }
        for (uint32_t lane = 0; lane < passes.size(); lane++) {
            const uint32_t word = one.offsets[lane] / 4;
            if (passes[lane] >= 0)
                csv << word % 32 << ',' << word / 32 - lowest << ',' << lane << ',' << passes[lane] << '\n';
        }
        std::vector<std::string> settings =
            of.settings(fmt::format("line {}: one {} of {} by warp {} of block {}, {} pass{} over the banks",
                                    one.line, one.direction, one.variable, one.warp, one.block, one.cost,
                                    one.cost == 1 ? "" : "es"),
                        whole_image(of.problem));
        settings.push_back(setting("passes", one.cost));
        write(file_name(of.method) + fmt::format("_banks_{}", k + 1), "banks", csv.str(), settings);
    }
}

void picture_folder::draw_errors(const frame& of, std::span<const float> out, const reference& truth,
                                 const std::string& likely) {
    const comparison found = compare(out, truth);
    if (found.right()) return;
    std::ostringstream csv;
    csv << "x,y,state\n";
    const layout where = whole_image(of.problem);
    const size_t row = size_t(where.row_values());
    size_t nans = 0;
    for (size_t k = 0; k < out.size(); k++) {
        const int state = !found.wrong[k] ? 0 : std::isnan(out[k]) ? 2 : 1;
        nans += state == 2;
        csv << k % row << ',' << k / row << ',' << state << '\n';
    }
    std::vector<std::string> settings = of.settings("which results are wrong", where);
    settings.push_back(setting("wrong", int64_t(found.wrong_count - nans)));
    settings.push_back(setting("nans", int64_t(nans)));
    settings.push_back(setting("values", int64_t(out.size())));
    settings.push_back(setting("likely", wrapped(likely, TITLE_COLUMNS)));
    settings.push_back(setting("first", first_wrong(out, truth, found, of.where)));
    write(file_name(of.method) + "_errors", "errors", csv.str(), settings);
}

}  // namespace check
