// The table in a handout of what the steps to a lab's fastest version brought, made from their recorded
// times.
#include "author/steps_table.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <sstream>
#include <stdexcept>
#include <vector>

#include "author/peers_table.h"
#include "author/recorded_times.h"
#include "author/regions.h"

namespace author {
namespace {

/// Where `name` stands in the list; at its end if it was not there.
size_t place_in(std::vector<std::string>& list, const std::string& name) {
    const size_t place = size_t(std::find(list.begin(), list.end(), name) - list.begin());
    if (place == list.size()) list.push_back(name);
    return place;
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
        const size_t filter = place_in(filters, filter_of(row));
        const double ms = std::stod(cell(row, "kernel_ms"));
        const std::string &faster = cell(row, "times_faster"), &share = cell(row, "roofline_share");
        times[step][filter] = written_ms(ms);
        if (!faster.empty()) times[step][filter] += written(" (%.2f x)", std::stod(faster));
        if (!share.empty()) shares[step][filter] = written("%.0f %%", 100 * std::stod(share));
    }
    std::string table = headings_of("step", filters);
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

std::string handout_with_tables(const std::string& handout) {
    std::string text = handout;
    const std::string end = ": make readme -->";
    const auto fill = [&](const std::string& kind, const auto& table_of) {
        const std::string begin = "<!-- " + kind + " ";
        const size_t from = text.find(begin), to = text.find(end, from);
        if (from == std::string::npos || to == std::string::npos) return;
        const std::string files = text.substr(from + begin.size(), to - from - begin.size());
        text = with_inside(text, begin + files + end, "<!-- /" + kind + " -->", table_of(files), "handout");
    };
    fill("steps", [](const std::string& file) {
        return std::filesystem::exists(file)
                   ? steps_table(read_text(file))
                   : "Not measured yet: `make record PARTS=staircase` on a GPU writes `" + file + "`.\n";
    });
    fill("peers", [](const std::string& files) {
        std::istringstream words(files);
        std::string steps, measured, published;
        words >> steps >> measured >> published;
        return peers_table(steps, measured, published);
    });
    return text;
}

}  // namespace author
