// Recorded files of times, row by row, and what a table in a handout is made of.
#include "author/recorded_times.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <stdexcept>

#include "author/regions.h"

namespace author {
namespace {

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

}  // namespace

std::vector<csv_row> rows_of(const std::string& csv) {
    std::vector<std::string> names;
    std::vector<csv_row> rows;
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

const std::string& cell(const csv_row& row, std::string_view column) {
    const auto found = row.find(column);
    if (found == row.end())
        throw std::runtime_error("no column '" + std::string(column) + "' in the recorded times");
    return found->second;
}

std::string filter_of(const csv_row& row) {
    const std::string &width = cell(row, "filter_width"), &height = cell(row, "filter_height");
    return width + " x " + height;
}

std::map<std::string, double> recorded_ms(const std::string& measured, const std::string& lab,
                                          const std::string& method, int width, int height) {
    const std::string file = measured + "/" + lab + ".csv";
    if (!std::filesystem::exists(file)) throw not_recorded(file);
    std::map<std::string, double> ms;
    for (const csv_row& row : rows_of(read_text(file))) {
        const bool is_wanted = cell(row, "method") == method && cell(row, "channels") == "1" &&
                               cell(row, "width") == std::to_string(width) &&
                               cell(row, "height") == std::to_string(height);
        if (is_wanted) ms[filter_of(row)] = std::stod(cell(row, "kernel_ms"));
    }
    return ms;
}

std::string written(const char* format, double value) {
    char text[40];
    std::snprintf(text, sizeof text, format, value);
    return text;
}

std::string written_ms(double ms) {
    return written(ms < 0.1 ? "%.4f" : "%.3f", ms);
}

std::string cell_of(const std::map<std::string, double>& recorded, const std::string& filter) {
    const auto found = recorded.find(filter);
    return found == recorded.end() ? "" : written_ms(found->second);
}

std::string number_of(const std::string& lab) {
    return lab.substr(0, lab.find('_'));
}

std::string line_of(const std::string& first, const std::vector<std::string>& cells) {
    std::string line = "| " + first;
    for (const std::string& text : cells)
        line += " | " + (text.empty() ? "-" : text);
    return line + " |\n";
}

std::string headings_of(const std::string& first, const std::vector<std::string>& cells) {
    return line_of(first, cells) + line_of("---", std::vector<std::string>(cells.size(), "---"));
}

}  // namespace author
