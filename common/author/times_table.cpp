// A table in a handout: recorded times of some methods for some filters.
#include "author/handout_tables.h"

#include <cstdio>
#include <map>
#include <sstream>
#include <stdexcept>

#include "author/recorded_times.h"

namespace author {
namespace {

struct size_2d {
    int width = 0, height = 0;
};

size_2d read_size(const std::string& text) {
    size_2d size;
    char more = 0;
    if (std::sscanf(text.c_str(), "%dx%d%c", &size.width, &size.height, &more) != 2)
        throw std::runtime_error("'" + text + "' in a table of times: must be WIDTHxHEIGHT");
    return size;
}

}  // namespace

std::string times_table(const std::string& measured, const std::string& image, const std::string& filters,
                        const std::vector<std::string>& methods) {
    const size_2d pixels = read_size(image);
    const bool is_1d = pixels.height == 1;
    std::vector<std::string> headings;
    std::vector<std::map<std::string, double>> columns;
    for (const std::string& method : methods) {
        const size_t slash = method.find('/');
        if (slash == std::string::npos)
            throw std::runtime_error("'" + method + "' in a table of times: must be LAB/METHOD");
        const std::string lab = method.substr(0, slash), name = method.substr(slash + 1);
        const std::string form = lab.ends_with(FAST) ? ", `fast.cu`" : "";
        headings.push_back("`" + name + "`" + form + " (" + number_of(lab) + ")");
        columns.push_back(recorded_ms(measured, lab, name, pixels.width, pixels.height));
    }
    std::string table = headings_of(is_1d ? "taps" : "filter (w x h)", headings);
    std::istringstream list(filters);
    for (std::string one; std::getline(list, one, ',');) {
        const size_2d sides = read_size(one);
        const std::string width = std::to_string(sides.width),
                          filter = width + " x " + std::to_string(sides.height);
        std::vector<std::string> cells;
        for (const auto& recorded : columns)
            cells.push_back(cell_of(recorded, filter));
        table += line_of(is_1d ? width : filter, cells);
    }
    return table;
}

}  // namespace author
