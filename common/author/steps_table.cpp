// The table in a handout of what the steps to a lab's fastest version brought, made from their recorded
// times.
#include "author/steps_table.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <map>
#include <stdexcept>
#include <vector>

#include "author/regions.h"

namespace author {
namespace {

/// The fields of a row; one in quotes has no quote inside.
std::vector<std::string> fields_of(const std::string& row) {
    std::vector<std::string> fields(1);
    bool quoted = false;
    for (const char c : row) {
        if (c == '"')
            quoted = !quoted;
        else if (c == ',' && !quoted)
            fields.emplace_back();
        else
            fields.back() += c;
    }
    return fields;
}

/// Rows by the names of their columns.
std::vector<std::map<std::string, std::string>> rows_of(const std::string& csv) {
    std::vector<std::string> names;
    std::vector<std::map<std::string, std::string>> rows;
    for (const std::string& line : lines_of(csv)) {
        if (line.empty() || line[0] == '#') continue;
        const std::vector<std::string> fields = fields_of(line);
        if (names.empty()) {
            names = fields;
            continue;
        }
        rows.emplace_back();
        for (size_t k = 0; k < std::min(names.size(), fields.size()); k++)
            rows.back()[names[k]] = fields[k];
    }
    return rows;
}

const std::string& cell(const std::map<std::string, std::string>& row, const std::string& column) {
    const auto found = row.find(column);
    if (found == row.end()) throw std::runtime_error("no column '" + column + "' in the times of the steps");
    return found->second;
}

std::string written(const char* format, double value) {
    char text[40];
    std::snprintf(text, sizeof text, format, value);
    return text;
}

/// Where `name` stands in the list; at its end if it was not there.
size_t place_in(std::vector<std::string>& list, const std::string& name) {
    const size_t place = size_t(std::find(list.begin(), list.end(), name) - list.begin());
    if (place == list.size()) list.push_back(name);
    return place;
}

std::string line_of(const std::string& first, const std::vector<std::string>& cells) {
    std::string line = "| " + first;
    for (const std::string& text : cells)
        line += " | " + (text.empty() ? "-" : text);
    return line + " |\n";
}

}  // namespace

std::string with_inside(const std::string& text, const std::string& opening, const std::string& closing,
                        const std::string& inside, const std::string& who) {
    const size_t from = text.find(opening + "\n"), to = text.find(closing);
    if (from == std::string::npos || to == std::string::npos || to < from)
        throw std::runtime_error(who + ": the markers '" + opening + "' and '" + closing + "' are missing");
    return text.substr(0, from) + opening + "\n" + inside + text.substr(to);
}

std::string steps_table(const std::string& csv) {
    std::vector<std::string> steps, filters;
    std::map<size_t, std::map<size_t, std::string>> times, shares;  // by step and filter
    for (const auto& row : rows_of(csv)) {
        const size_t step = place_in(steps, cell(row, "step"));
        const size_t filter =
            place_in(filters, cell(row, "filter_width") + " x " + cell(row, "filter_height"));
        const double ms = std::stod(cell(row, "kernel_ms"));
        const std::string &faster = cell(row, "times_faster"), &share = cell(row, "roofline_share");
        times[step][filter] = written(ms < 0.1 ? "%.4f" : "%.3f", ms);
        if (!faster.empty()) times[step][filter] += written(" (%.2f x)", std::stod(faster));
        if (!share.empty()) shares[step][filter] = written("%.0f %%", 100 * std::stod(share));
    }
    std::string table = line_of("step", filters);
    table += line_of("---", std::vector<std::string>(filters.size(), "---"));
    const auto cells = [&](std::map<size_t, std::string>& known) {
        std::vector<std::string> all;
        for (size_t filter = 0; filter < filters.size(); filter++)
            all.push_back(known[filter]);
        return all;
    };
    for (size_t step = 0; step < steps.size(); step++)
        table += line_of(std::to_string(step + 1) + ". " + steps[step], cells(times[step]));
    auto& reached = shares[steps.size() - 1];
    return table + (reached.empty() ? "" : line_of("of the roofline", cells(reached)));
}

std::string handout_with_steps(const std::string& handout) {
    const std::string begin = "<!-- steps ", end = ": make readme -->";
    const size_t from = handout.find(begin), to = handout.find(end, from);
    if (from == std::string::npos || to == std::string::npos) return handout;
    const std::string file = handout.substr(from + begin.size(), to - from - begin.size());
    const std::string inside =
        std::filesystem::exists(file)
            ? steps_table(read_text(file))
            : "Not measured yet: `make record PARTS=staircase` on a GPU writes `" + file + "`.\n";
    return with_inside(handout, begin + file + end, "<!-- /steps -->", inside, "handout");
}

}  // namespace author
